import Testing

struct ShimTests {
  @Test func functionsAreStaticInlineAndHaveTheirReason() {
    let good = """
      #pragma once
      #include <a.h>
      // A macro.
      static inline int f(void) {
        return F(1);
      }

      /* Variadic. */
      static inline int g(int a,
                          int b) {
        if (a) { return h("%d", b); }
        return 0;
      }
      // Of another header.
      int declared(int a);
      struct s {
        int a;
      };
      static const int c = 1;
      """
    #expect(Shim.violations(in: good) == [])
    #expect(Shim.violations(in: "// Why.\nint f(void) {\n}\n") == ["2: a function that is not static inline"])
    #expect(Shim.violations(in: "static int f(void)\n{\n}\n").count == 2)
    #expect(Shim.violations(in: "\nstatic inline int f(void) {\n}\n") == ["2: a function without its reason"])
  }
}
