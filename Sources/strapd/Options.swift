struct Options {
  var configuration: String?
  static func parse(_ arguments: [String]) -> Options {
    var o = Options()
    if let i = arguments.firstIndex(of: "--config"), i + 1 < arguments.count { o.configuration = arguments[i + 1] }
    return o
  }
}
