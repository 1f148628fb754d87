import Glibc

switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
case .help:
  Files.write(line: Options.help, to: STDOUT_FILENO)
case .wrong(let text):
  Files.write(line: "strap-sim: \(text)\n\(Options.usage)", to: STDERR_FILENO)
  exit(64)
case .run(let options):
  exit(run(options))
}

private func run(_ options: Options) -> Int32 {
  var recorded: [RecordedStrap] = []
  if let log = options.log {
    do throws(RecordingError) {
      recorded = try RecordedStrap.read(log, speed: options.speed)
    } catch {
      Files.write(line: "strap-sim: \(error)", to: STDERR_FILENO)
      return 64
    }
  }
  var lines: [ScriptLine] = []
  if let file = options.script {
    guard let text = Files.read(file) else {
      Files.write(line: "strap-sim: cannot read \(file): \(String(cString: strerror(errno)))", to: STDERR_FILENO)
      return 64
    }
    do throws(ScriptError) {
      lines = try ScriptReader.read(text, file: file, tags: Set(recorded.map(\.declaration.tag)))
    } catch {
      Files.write(line: "strap-sim: \(error)", to: STDERR_FILENO)
      return 64
    }
  }
  var sent = STDOUT_FILENO
  if let file = options.sentFile {
    sent = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard sent >= 0 else {
      Files.write(line: "strap-sim: cannot write \(file): \(String(cString: strerror(errno)))", to: STDERR_FILENO)
      return 64
    }
  }
  do {
    return try Simulation(lines, recorded: recorded, readsStandardInput: options.readsStandardInput, sent: sent).run()
  } catch {
    Files.write(line: "strap-sim: \(error)", to: STDERR_FILENO)
    return 1
  }
}
