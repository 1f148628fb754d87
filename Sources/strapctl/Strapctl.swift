import Control
import Glibc

/// strapctl's main: one command, one conversation, one exit status.
@main
enum Strapctl {
  static func main() {
    // A reader that goes away is met as EPIPE, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    // Only what may be written is taken from the locale; the words stay English.
    setlocale(LC_CTYPE, "")
    Argp.introduce()
    // Where the arguments are wrong or ask for help, argp has ended the process.
    guard let invocation = Invocation(CommandLine.arguments, quietly: false) else { exit(ExitStatus.wrongUse.rawValue) }
    let status = Commands(invocation, output: Output(STDOUT_FILENO), style: .ofThisProcess).run()
    exit(status.rawValue)
  }
}

/// What a command's end says.
enum ExitStatus: Int32 {
  case done = 0
  /// strapd refused the call, the demo did not come to its end, or doctor or verify found a problem.
  case refused = 1
  /// No strapd answers.
  case noDaemon = 2
  /// EX_USAGE of sysexits.h.
  case wrongUse = 64
}

extension Commands {
  /// Runs the command, with every failure told on stderr.
  func run() -> ExitStatus {
    do {
      return try perform()
    } catch let error as OutputError where error.isReaderGone {
      return invocation.command.isAnErrand ? .refused : .done
    } catch let refusal as Refusal {
      complain(invocation.isJSON ? refusal.json.text : "strapctl: \(refusal)")
      return .refused
    } catch let error as ConnectionError {
      let isAbsent = invocation.command == .verify && error.operation == .connect
      complain("strapctl: \(error)" + (isAbsent ? ". \(Verify.withoutDaemon)" : ""))
      return .noDaemon
    } catch {
      complain("strapctl: \(error)")
      return .refused
    }
  }

  /// A complaint that cannot be written has nowhere else to go.
  private func complain(_ text: String) {
    do { try Output(STDERR_FILENO).line(text) } catch {}
  }
}

extension Command {
  /// Whether something is to be brought about, so that giving up is a failure, whoever was to read of it.
  fileprivate var isAnErrand: Bool {
    switch self {
    case .demo, .pair, .backup, .export, .importing, .verify: true
    case .athletes, .athlete, .revise, .history, .status, .create, .prepare, .start, .pause, .resume, .stop, .end,
      .watch, .monitor, .list,
      .totals, .show,
      .samples,
      .resetEnergy,
      .doctor, .scan, .straps, .timings, .bridge, .name, .forget, .cancel, .lap, .mark, .discard, .trash, .restore,
      .beginActivity,
      .endActivity:
      false
    }
  }
}
