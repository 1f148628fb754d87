@testable import strapctl
