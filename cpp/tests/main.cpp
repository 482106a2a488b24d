#include "check.hpp"
#include "treewright/portable.hpp"

namespace {

int run_all(const char* which) {
  int failed = 0;
  for (const auto& test : check::tests()) {
    const int before = check::failures();
    test.body();
    if (check::failures() > before) {
      std::printf("FAILED %s (%s)\n", test.name.c_str(), which);
      ++failed;
    }
  }
  std::printf("%s: %d passed, %d failed\n", which, static_cast<int>(check::tests().size()) - failed, failed);
  return failed;
}

}  // namespace

// Run all tests with this CPU's kernels, then with the portable twins.
int main() {
  int failed = 0;
  if (treewright::uses_avx2) failed += run_all("AVX2");
  treewright::uses_avx2 = false;
  failed += run_all("portable");
  return failed == 0 ? 0 : 1;
}
