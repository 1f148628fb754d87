struct Demo {
  init(_ output: Output, _ style: TextStyle, isJSON: Bool) {}
  func run() throws {}
}
