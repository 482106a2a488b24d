#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "treewright/tree/check_tree.hpp"

using namespace treewright;

namespace {

constexpr auto kLargest = std::numeric_limits<std::int32_t>::max();
constexpr auto kLeast = std::numeric_limits<std::int32_t>::min();

struct Questions {
  std::vector<std::int32_t> column;
  std::vector<double> cut;
  std::vector<std::int64_t> cut_integer;
  std::vector<std::int32_t> set_begin, set_code, set_branch;

  QuestionViews views() const { return {column, cut, cut_integer, set_begin, set_code, set_branch}; }
};

// Node 0 splits numbers and has a surrogate of each kind; node 2 splits categories three ways.
struct Arrays {
  Questions question{{0, -1, 1, -1, -1, -1}, {1.5, NAN, NAN, NAN, NAN, NAN},
                     {0, 0, 0, 0, 0, 0},     {0, 0, 0, 3, 3, 3, 3},
                     {0, 4, kLargest},       {2, 0, 1}};
  std::vector<std::int32_t> child_begin{0, 2, 2, 5, 5, 5, 5}, child{1, 2, 3, 4, 5};
  std::vector<std::int32_t> missing_branch{1, -1, -1, -1, -1, -1};
  std::vector<double> weight{10, 4, 6, 1, 0, 5};
  std::vector<std::int32_t> surrogate_begin{0, 2, 2, 2, 2, 2, 2};
  Questions surrogate{{3, 1}, {0.5, NAN}, {0, 0}, {0, 0, 1}, {7}, {1}};
  std::vector<std::int32_t> surrogate_low_branch{0, 1};

  TreeViews views() const {
    return {question.views(),  child_begin,         child, missing_branch, weight, surrogate_begin,
            surrogate.views(), surrogate_low_branch};
  }
};

// The message of the error that `check` throws; empty: none.
std::string complaint(const std::function<void()>& check) {
  try {
    check();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool is_refused(const std::string& words, const std::function<void(Arrays&)>& spoil) {
  Arrays arrays;
  spoil(arrays);
  const auto said = complaint([&] { check_tree(arrays.views()); });
  if (said.find(words) != std::string::npos) return true;
  std::printf("not \"%s\" but \"%s\"\n", words.c_str(), said.c_str());
  return false;
}

}  // namespace

TEST(a_tree_is_one) {
  const Arrays arrays;
  CHECK(complaint([&] { check_tree(arrays.views()); }).empty());
  const std::vector<std::int32_t> none, lone{0, 0};
  CHECK(complaint([&] { check_children(lone, none); }).empty());
}

TEST(children_are_in_pre_order) {
  CHECK(is_refused("child[1] is 3", [](Arrays& a) { a.child[1] = 3; }));
  CHECK(is_refused("child[0] is -2147483648", [](Arrays& a) { a.child[0] = kLeast; }));
  CHECK(is_refused("child[4] is 2147483647", [](Arrays& a) { a.child[4] = kLargest; }));
  CHECK(is_refused("child[2] is 4", [](Arrays& a) { std::swap(a.child[2], a.child[3]); }));
  CHECK(is_refused("child has 4 entries", [](Arrays& a) { a.child.pop_back(); }));
  CHECK(is_refused("child_begin[0] is 1", [](Arrays& a) { a.child_begin[0] = 1; }));
  CHECK(is_refused("child_begin[2] is 1", [](Arrays& a) { a.child_begin[2] = 1; }));
  CHECK(is_refused("child_begin[6] is 2147483647", [](Arrays& a) { a.child_begin[6] = kLargest; }));
  CHECK(is_refused("node 0 has one child", [](Arrays& a) { a.child_begin = {0, 1, 1, 5, 5, 5, 5}; }));
  CHECK(is_refused("child_begin has 0 entries", [](Arrays& a) { a.child_begin.clear(); }));
  // Node 5 has children, but in pre-order no node is left to be one.
  CHECK(is_refused("of 6 nodes", [](Arrays& a) { a.child_begin = {0, 2, 2, 2, 2, 2, 5}; }));
  // A ring: nodes 1 and 2 are each other's child.
  const std::vector<std::int32_t> begin{0, 0, 2, 4, 4}, ring{2, 3, 1, 3};
  CHECK(!complaint([&] { check_children(begin, ring); }).empty());
}

TEST(questions_have_their_branches) {
  CHECK(is_refused("column[1] is 0", [](Arrays& a) { a.question.column[1] = 0; }));
  CHECK(is_refused("column[0] is -1", [](Arrays& a) { a.question.column[0] = -1; }));
  CHECK(is_refused("column[3] is -2", [](Arrays& a) { a.question.column[3] = -2; }));
  CHECK(is_refused("missing_branch[0] is 2", [](Arrays& a) { a.missing_branch[0] = 2; }));
  CHECK(is_refused("missing_branch[2] is -3", [](Arrays& a) { a.missing_branch[2] = -3; }));
  CHECK(is_refused("cut[0] is nan", [](Arrays& a) { a.question.cut[0] = NAN; }));
  CHECK(is_refused("set_code[1] is 0", [](Arrays& a) { a.question.set_code[1] = 0; }));
  CHECK(is_refused("set_code[0] is -1", [](Arrays& a) { a.question.set_code[0] = -1; }));
  CHECK(is_refused("set_branch[0] is 3", [](Arrays& a) { a.question.set_branch[0] = 3; }));
  CHECK(is_refused("set_begin[4] is 3",
                   [](Arrays& a) { a.question.set_begin = {0, 0, 0, kLargest, 3, 3, 3}; }));
  CHECK(is_refused("cut[2] is nan", [](Arrays& a) { a.question.set_begin = {0, 0, 0, 0, 3, 3, 3}; }));
}

TEST(arrays_are_of_one_length) {
  CHECK(is_refused("cut has 5 entries", [](Arrays& a) { a.question.cut.pop_back(); }));
  CHECK(is_refused("cut_integer has 0 entries", [](Arrays& a) { a.question.cut_integer.clear(); }));
  CHECK(is_refused("column has 7 entries", [](Arrays& a) { a.question.column.push_back(-1); }));
  CHECK(is_refused("weight has 0 entries", [](Arrays& a) { a.weight.clear(); }));
  CHECK(is_refused("set_branch has 2 entries", [](Arrays& a) { a.question.set_branch.pop_back(); }));
  CHECK(is_refused("set_begin has 6 entries", [](Arrays& a) { a.question.set_begin.pop_back(); }));
  CHECK(is_refused("surrogate_cut has 1 entries", [](Arrays& a) { a.surrogate.cut.pop_back(); }));
  CHECK(is_refused("surrogate_begin has 0 entries", [](Arrays& a) { a.surrogate_begin.clear(); }));
}

TEST(surrogates_ask_something) {
  CHECK(is_refused("surrogate_column[1] is -1", [](Arrays& a) { a.surrogate.column[1] = -1; }));
  CHECK(is_refused("surrogate_low_branch[0] is 2", [](Arrays& a) { a.surrogate_low_branch[0] = 2; }));
  CHECK(is_refused("surrogate_set_branch[0] is 2", [](Arrays& a) { a.surrogate.set_branch[0] = 2; }));
  CHECK(
      is_refused("surrogates tell two apart", [](Arrays& a) { a.surrogate_begin = {0, 0, 0, 2, 2, 2, 2}; }));
  CHECK(is_refused("surrogate_begin[6] is 3", [](Arrays& a) { a.surrogate_begin[6] = 3; }));
}

TEST(rows_are_spread_by_weights) {
  CHECK(is_refused("children of node 0", [](Arrays& a) { a.weight = {10, 0, 0, 1, 0, 5}; }));
  CHECK(is_refused("weight[4] is -1", [](Arrays& a) { a.weight[4] = -1; }));
  CHECK(is_refused("weight[5] is nan", [](Arrays& a) { a.weight[5] = NAN; }));
  CHECK(is_refused("comes to inf", [](Arrays& a) { a.weight[3] = a.weight[5] = 1e308; }));
  Arrays never;  // weights do not count if no row is spread
  never.missing_branch[2] = 0;
  never.weight[5] = NAN;
  CHECK(complaint([&] { check_tree(never.views()); }).empty());
}

TEST(numbers_are_in_range) {
  const std::vector<std::int32_t> nodes{0, 2, 5};
  CHECK(complaint([&] { check_numbers("leaves", nodes, 6, "nodes"); }).empty());
  CHECK(complaint([&] { check_numbers("leaves", nodes, 5, "nodes"); }).find("leaves[2] is 5") !=
        std::string::npos);
  CHECK(complaint([&] { check_length("risk", 3, 4, "nodes"); }).find("risk has 3 entries") !=
        std::string::npos);
}
