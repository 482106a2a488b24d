#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/tree/constant_or_vector.hpp"

using treewright::ConstantOrVector;

TEST(a_list_that_is_mostly_one_value_reads_as_a_plain_vector) {
  std::mt19937 draw(3);
  for (int round = 0; round < 200; ++round) {
    ConstantOrVector<int, -1> list, other;
    std::vector<int> plain, of_other;
    const auto rarely = 1 + draw() % 40;  // of small lists many stay plain
    for (auto n = draw() % 30; n-- > 0;) {
      of_other.push_back(draw() % rarely == 0 ? 7 : -1);
      other.push_back(of_other.back());
    }
    for (auto n = draw() % 30; n-- > 0;) {
      plain.push_back(draw() % rarely == 0 ? static_cast<int>(draw() % 9) : -1);
      list.push_back(plain.back());
    }
    const auto begin = draw() % (of_other.size() + 1), end = begin + draw() % (of_other.size() - begin + 1);
    plain.insert(plain.end(), of_other.begin() + static_cast<std::ptrdiff_t>(begin),
                 of_other.begin() + static_cast<std::ptrdiff_t>(end));
    list.append(other, begin, end);
    plain.push_back(-1);
    list.push_back(-1);
    CHECK(list.size() == plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(list[i] == plain[i]);
    CHECK(std::move(list).written_out() == plain);
  }
}

TEST(what_is_appended_may_be_scaled) {
  ConstantOrVector<double> list, other;
  list.push_back(1);
  for (const double value : {0.0, 3.0, 4.0}) other.push_back(value);
  list.append(other, 1, 3, 0.5);
  CHECK(std::move(list).written_out() == std::vector<double>({1, 1.5, 2}));
}
