#include <random>
#include <utility>
#include <vector>

#include "check.hpp"
#include "treewright/tree/question.hpp"

TEST(a_list_that_is_mostly_zeros_reads_as_a_plain_vector) {
  std::mt19937 draw(3);
  for (int round = 0; round < 200; ++round) {
    treewright::MostlyZeros<int> list;
    std::vector<int> plain;
    const auto rarely = 1 + draw() % 40;  // many lists hold only zeros
    for (auto n = draw() % 60; n-- > 0;) {
      plain.push_back(draw() % rarely == 0 ? static_cast<int>(draw() % 9) - 4 : 0);
      list.push_back(plain.back());
    }
    CHECK(list.size() == plain.size());
    CHECK(list.has_none_else() == (plain == std::vector<int>(plain.size())));
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(list[i] == plain[i]);
    CHECK(std::move(list).written_out() == plain);
  }
}
