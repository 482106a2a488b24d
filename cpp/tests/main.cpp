#include "check.hpp"

int main() {
  int failed = 0;
  for (const auto& test : check::tests()) {
    const int before = check::failures();
    test.body();
    if (check::failures() > before) {
      std::printf("FAILED %s\n", test.name.c_str());
      ++failed;
    }
  }
  std::printf("%d passed, %d failed\n", static_cast<int>(check::tests().size()) - failed, failed);
  return failed == 0 ? 0 : 1;
}
