import Glibc
import Testing

@testable import Controllers

struct KernelBluetoothTests {
  @Test func aKernelWithoutBluetoothIsAnAnswerAndNoError() throws {
    #expect(try KernelBluetooth.meaning(ofRefusal: EAFNOSUPPORT) == .absent)
    #expect(try KernelBluetooth.meaning(ofRefusal: EPROTONOSUPPORT) == .absent)
  }

  @Test func otherRefusalsAreErrorsThatSayWhatToDo() {
    do throws(ControllersError) {
      _ = try KernelBluetooth.meaning(ofRefusal: EPERM)
      Issue.record("EPERM was taken for an answer")
    } catch {
      #expect(error.operation == .list)
      #expect(error.code == EPERM)
      #expect(
        error.description
          == "cannot list the kernel's Bluetooth controllers: Operation not permitted (errno 1); "
          + "a sandbox or security policy forbids it, try as root")
    }
  }

  /// Holds on every machine: the kernel either has the address family or not, as a socket of our own tells.
  @Test func theSurveyAgreesWithTheKernel() throws {
    let descriptor = socket(31, 3, 1)  // AF_BLUETOOTH, SOCK_RAW, BTPROTO_HCI
    let code = errno
    if descriptor >= 0 { close(descriptor) }
    switch try KernelBluetooth.survey() {
    case .absent: #expect([EAFNOSUPPORT, EPROTONOSUPPORT].contains(code) && descriptor < 0)
    case .present(let controllers):
      #expect(descriptor >= 0)
      #expect(controllers.allSatisfy { $0.name.hasPrefix("hci") })
    }
  }
}
