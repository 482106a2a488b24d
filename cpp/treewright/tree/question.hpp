// The split of a node: what it asks, and the branch for each answer.
#pragma once

#include "treewright/table/column.hpp"  // for Column, Cut

namespace treewright {

// Numbers that are nearly always all zero: zeros at the end take no memory. For integers, missing values,
// categories and surrogates: most trees have none, and in large trees every byte per node counts.
template <class Value>
class MostlyZeros {
 public:
  std::size_t size() const { return size_; }
  bool has_none_else() const { return kept_.empty(); }
  Value operator[](std::size_t i) const { return i < kept_.size() ? kept_[i] : Value{0}; }

  void push_back(Value value) {
    if (value != 0) [[unlikely]] {
      kept_.resize(size_);
      kept_.push_back(value);
    }
    ++size_;
  }

  std::vector<Value> written_out() && {
    kept_.resize(size_);
    return std::move(kept_);
  }

 private:
  std::size_t size_ = 0;
  std::vector<Value> kept_;
};

// How the groups of a split on categories were found.
enum class Search : std::uint8_t { None, Exact, Heuristic };

// The branch of each category that has one, with codes rising: a node far down sees few of many categories.
struct BranchOfCode {
  std::vector<std::int32_t> code, branch;

  // A branch for each of n categories.
  static BranchOfCode each(std::int32_t n) {
    std::vector<std::int32_t> codes(static_cast<std::size_t>(n));
    std::iota(codes.begin(), codes.end(), 0);
    return {codes, codes};
  }

  void add(std::int32_t code_given, std::int32_t branch_given) {
    code.push_back(code_given);
    branch.push_back(branch_given);
  }

  // -1: none
  std::int32_t find(std::int32_t code_given) const {
    const auto at = std::lower_bound(code.begin(), code.end(), code_given) - code.begin();
    const auto i = static_cast<std::size_t>(at);
    return i < code.size() && code[i] == code_given ? branch[i] : -1;
  }
};

// A split on another column that agrees well with the node's own, for rows without a value for the latter.
struct Surrogate {
  std::int32_t column = -1;
  Cut cut;                      // of a numeric column
  std::int32_t low_branch = 0;  // ... the branch of values at or below it
  BranchOfCode branch_of_code;  // of a categorical column
  double agree = 0;             // share of the weight that it sends the right way
  double adjusted = 0;          // the same, as the share of what following the majority leaves
  std::int64_t n_placed = 0;    // rows of the node that it placed

  // -1: the row has no value for this split either, or its category has no branch.
  std::int32_t branch_of(std::span<const Column> columns, std::size_t row) const {
    const auto& values = columns[static_cast<std::size_t>(column)];
    if (values.type() == ValueType::Category) return branch_of_code.find(values.code(row));
    if (values.key(row) == kMissingKey) return -1;
    return values.at_most(row, cut) ? low_branch : 1 - low_branch;
  }
};

// Index of the first surrogate that can place a row, and its branch; if none can, their number and -1.
struct Known {
  std::size_t by;
  std::int32_t branch;
};
inline Known first_to_know(std::span<const Surrogate> surrogates, std::span<const Column> columns,
                           std::size_t row) {
  Known known{0, -1};
  for (; known.by < surrogates.size(); ++known.by) {
    known.branch = surrogates[known.by].branch_of(columns, row);
    if (known.branch >= 0) break;
  }
  return known;
}

// Missing branches of rows that are spread over all branches, and of rows that stop at the node.
inline constexpr std::int32_t kEveryBranch = -1, kNoBranch = -2;

struct Question {
  Cut cut;                      // of a threshold
  BranchOfCode branch_of_code;  // of a set of categories
  std::int32_t n_branches = 2;
  std::int32_t missing_branch = 1;
  Search search = Search::None;
  std::vector<Surrogate> surrogates;  // the best first
  std::uint32_t last_code = 0;        // of a threshold on a column with codes: the last one that goes left
  double middle = 0;                  // half-way between the values of the sides, if answers are constrained

  bool is_set() const { return search != Search::None; }
  bool lets_rows_stop() const { return missing_branch == kNoBranch; }
  // Branches, and one more way, the last, if rows may stop here.
  std::int32_t n_routes() const { return n_branches + lets_rows_stop(); }
};

// Splits as arrays. Split i on categories: codes set_code[set_begin[i], set_begin[i + 1]), which rise, go to
// the branches at the same places of set_branch.
struct QuestionArrays {
  std::vector<std::int32_t> column;
  std::vector<double> cut;
  MostlyZeros<std::int64_t> cut_integer;
  MostlyZeros<std::int32_t> set_begin;
  std::vector<std::int32_t> set_code, set_branch;

  QuestionArrays() { set_begin.push_back(0); }

  void add(std::int32_t column_given, const Cut& cut_given, const BranchOfCode& set) {
    column.push_back(column_given);
    cut.push_back(cut_given.number);
    cut_integer.push_back(cut_given.integer);
    set_code.insert(set_code.end(), set.code.begin(), set.code.end());
    set_branch.insert(set_branch.end(), set.branch.begin(), set.branch.end());
    set_begin.push_back(static_cast<std::int32_t>(set_code.size()));
  }
};

}  // namespace treewright
