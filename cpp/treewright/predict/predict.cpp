#include "treewright/predict/predict.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/tree/question.hpp"  // for kEveryBranch, kNoBranch

namespace treewright {
namespace {

void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("not a tree: ") + what);
}

void check_lengths(const QuestionViews& questions) {
  const auto n = questions.column.size();
  demand(questions.cut.size() == n && questions.cut_integer.size() == n &&
             questions.set_begin.size() == n + 1 && questions.set_code.size() == questions.set_branch.size(),
         "arrays of unequal length");
}

}  // namespace

Router::Router(const TreeViews& tree) {
  const auto n = tree.question.column.size();
  demand(n > 0 && n < (std::size_t{1} << 29), "no nodes, or too many");
  check_lengths(tree.question);
  check_lengths(tree.surrogate);
  demand(tree.missing_branch.size() == n && tree.weight.size() == n && tree.child_begin.size() == n + 1 &&
             tree.surrogate_begin.size() == n + 1 &&
             tree.surrogate_low_branch.size() == tree.surrogate.column.size(),
         "arrays of unequal length");
  take_surrogates(tree);
  lay_out(tree);
}

void Router::lay_out(const TreeViews& tree) {
  const auto n = tree.question.column.size();
  std::vector<std::int32_t> queue{0};
  queue.reserve(n);
  nodes_.resize(n);
  std::size_t level_end = 1;
  std::uint32_t n_stops = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    if (at == level_end) {
      ++depth_;
      level_end = queue.size();
    }
    const auto id = static_cast<std::size_t>(queue[at]);
    auto& node = nodes_[at];
    node.column = tree.question.column[id];
    if (node.column < 0) continue;
    const auto begin = tree.child_begin[id], end = tree.child_begin[id + 1];
    const auto n_branches = end - begin;
    demand(begin >= 0 && n_branches >= 2 && static_cast<std::size_t>(end) <= tree.child.size(),
           "a question with fewer than two branches");
    node.missing_branch = tree.missing_branch[id];
    demand(node.missing_branch >= kNoBranch && node.missing_branch < n_branches,
           "no branch for missing values");
    const auto first_surrogate = tree.surrogate_begin[id], last_surrogate = tree.surrogate_begin[id + 1];
    demand(first_surrogate >= 0 && first_surrogate <= last_surrogate &&
               static_cast<std::size_t>(last_surrogate) <= surrogates_.size(),
           "surrogates outside their array");
    demand(first_surrogate == last_surrogate || n_branches == 2,
           "surrogates of a question with more than two branches");
    node.cut = {tree.question.cut[id], tree.question.cut_integer[id]};
    node.first_child = static_cast<std::uint32_t>(queue.size());
    node.n_children = static_cast<std::uint32_t>(n_branches);
    node.first_surrogate = static_cast<std::uint32_t>(first_surrogate);
    node.last_surrogate = static_cast<std::uint32_t>(last_surrogate);
    node.set = take_set(tree.question, id, n_branches);
    spreads_ |= node.missing_branch == kEveryBranch;
    if (node.missing_branch == kNoBranch) {
      lets_rows_stop_ = true;
      node.stop = static_cast<std::uint32_t>(n) + 1 + n_stops++;
    }
    note_kind(node.column, node.set);
    asked_.push_back(node.column);
    for (auto i = begin; i < end; ++i) {
      const auto next = tree.child[static_cast<std::size_t>(i)];
      demand(next > queue[at] && static_cast<std::size_t>(next) < n, "children must come after their parent");
      queue.push_back(next);
    }
    demand(queue.size() <= n, "a node with two parents");
  }
  demand(queue.size() == n, "nodes that cannot be reached");
  std::sort(asked_.begin(), asked_.end());
  asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
  place_.resize(n);
  for (std::size_t at = 0; at < n; ++at) {
    place_[static_cast<std::size_t>(queue[at])] = static_cast<std::uint32_t>(at);
  }
  number_ = queue;
  number_.push_back(kSpread);
  for (std::size_t at = 0; at < n; ++at) {
    if (nodes_[at].stop) number_.push_back(queue[at]);
  }
  if (spreads_) share_out(tree, queue);
  lay_out_numbers();
}

// Rows without a value are shared out as the weight of the children is.
void Router::share_out(const TreeViews& tree, std::span<const std::int32_t> queue) {
  share_.assign(queue.size(), 1);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    if (nodes_[at].column < 0) continue;
    const auto first = nodes_[at].first_child, n_children = nodes_[at].n_children;
    double sum = 0;
    for (std::uint32_t i = first; i < first + n_children; ++i) {
      sum += tree.weight[static_cast<std::size_t>(queue[i])];
    }
    demand(sum > 0, "a question whose branches weigh nothing");
    for (std::uint32_t i = first; i < first + n_children; ++i) {
      share_[i] = tree.weight[static_cast<std::size_t>(queue[i])] / sum;
    }
  }
}

void Router::take_surrogates(const TreeViews& tree) {
  const auto& questions = tree.surrogate;
  for (std::size_t i = 0; i < questions.column.size(); ++i) {
    const auto column = questions.column[i], low_branch = tree.surrogate_low_branch[i];
    demand(column >= 0 && low_branch >= 0 && low_branch < 2, "a surrogate that asks nothing");
    surrogates_.push_back({.cut = {questions.cut[i], questions.cut_integer[i]},
                           .column = column,
                           .low_branch = low_branch,
                           .set = take_set(questions, i, 2)});
    note_kind(column, surrogates_.back().set);
  }
}

Router::Set Router::take_set(const QuestionViews& questions, std::size_t question, std::int32_t n_branches) {
  const auto begin = questions.set_begin[question], end = questions.set_begin[question + 1];
  demand(begin >= 0 && begin <= end && static_cast<std::size_t>(end) <= questions.set_code.size(),
         "a set outside its array");
  if (begin == end) return {};
  const auto size = static_cast<std::size_t>(end - begin);
  const auto codes = questions.set_code.subspan(static_cast<std::size_t>(begin), size);
  const auto branches = questions.set_branch.subspan(static_cast<std::size_t>(begin), size);
  for (std::size_t i = 0; i < size; ++i) {
    demand(codes[i] >= 0 && (i == 0 || codes[i - 1] < codes[i]), "a set whose codes do not rise");
    demand(branches[i] >= 0 && branches[i] < n_branches, "a category without its branch");
  }
  Set set{.begin = static_cast<std::uint32_t>(branches_.size()), .least = codes.front()};
  const auto width = static_cast<std::size_t>(codes.back() - codes.front()) + 1;
  if (width <= 4 * size + 16) {
    branches_.resize(branches_.size() + width, -1);
    for (std::size_t i = 0; i < size; ++i) {
      branches_[set.begin + static_cast<std::size_t>(codes[i] - set.least)] = branches[i];
    }
  } else {
    set.codes = static_cast<std::uint32_t>(codes_.size());
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    branches_.insert(branches_.end(), branches.begin(), branches.end());
  }
  set.end = static_cast<std::uint32_t>(branches_.size());
  return set;
}

// -1: the category has no branch
std::int32_t Router::find(const Set& set, std::int32_t code) const {
  if (set.codes == kByCode) {
    const auto at = static_cast<std::int64_t>(code) - set.least;
    return at >= 0 && at < static_cast<std::int64_t>(set.end - set.begin)
               ? branches_[set.begin + static_cast<std::size_t>(at)]
               : -1;
  }
  const auto begin = codes_.begin() + set.codes, end = begin + (set.end - set.begin);
  const auto found = std::lower_bound(begin, end, code);
  return found != end && *found == code ? branches_[set.begin + static_cast<std::size_t>(found - begin)] : -1;
}

std::int32_t Router::branch_of(std::size_t at, std::span<const Column> columns, std::size_t row) const {
  const auto& node = nodes_[at];
  const auto& column = columns[static_cast<std::size_t>(node.column)];
  if (node.set.asks()) {
    const auto branch = find(node.set, column.code(row));
    return branch >= 0 ? branch : branch_without_value(at, columns, row);
  }
  if (column.key(row) == kMissingKey) return branch_without_value(at, columns, row);
  return column.at_most(row, node.cut) ? 0 : 1;
}

void Router::branches_of_node(std::int32_t number, std::span<const Column> columns,
                              std::span<const std::uint32_t> rows, std::int32_t* branches) const {
  const auto at = place_[static_cast<std::size_t>(number)];
  const auto& node = nodes_[at];
  const auto& column = columns[static_cast<std::size_t>(node.column)];
  if (node.set.asks()) {
    const auto by_code = std::span(branches_).subspan(node.set.begin, node.set.end - node.set.begin);
    const bool is_by_code = node.set.codes == kByCode;
    for (const auto row : rows) {
      const auto code = column.code(row);
      const auto place = static_cast<std::size_t>(static_cast<std::int64_t>(code) - node.set.least);
      const auto branch = !is_by_code ? find(node.set, code) : place < by_code.size() ? by_code[place] : -1;
      *branches++ = branch >= 0 ? branch : branch_without_value(at, columns, row);
    }
  } else if (column.type() == ValueType::Float64) {
    for (const auto row : rows) {
      const auto value = column.value<double>(row);
      *branches++ = std::isnan(value) ? branch_without_value(at, columns, row) : !(value <= node.cut.number);
    }
  } else {
    for (const auto row : rows) *branches++ = branch_of(at, columns, row);
  }
}

std::int32_t Router::branch_without_value(std::size_t at, std::span<const Column> columns,
                                          std::size_t row) const {
  const auto& node = nodes_[at];
  for (auto i = node.first_surrogate; i < node.last_surrogate; ++i) {
    const auto& surrogate = surrogates_[i];
    const auto& column = columns[static_cast<std::size_t>(surrogate.column)];
    if (surrogate.set.asks()) {
      const auto branch = find(surrogate.set, column.code(row));
      if (branch >= 0) return branch;
    } else if (column.key(row) != kMissingKey) {
      return column.at_most(row, surrogate.cut) ? surrogate.low_branch : 1 - surrogate.low_branch;
    }
  }
  return node.missing_branch;
}

void Router::spread_alone(std::span<const Column> columns, std::size_t row, Spread& spread) const {
  spread.shares.leaf.clear();
  spread.shares.share.clear();
  spread.shares.begin.resize(1);
  spread_row(columns, row, spread);
}

std::int32_t Router::heaviest_leaf(std::span<const Column> columns, std::size_t row, Spread& spread) const {
  spread_alone(columns, row, spread);
  const auto& shares = spread.shares;
  const auto heaviest = std::max_element(shares.share.begin(), shares.share.end());
  return shares.leaf[static_cast<std::size_t>(heaviest - shares.share.begin())];
}

std::uint32_t Router::next_of(std::uint32_t at, std::span<const Column> columns, std::size_t row) const {
  const auto branch = branch_of(at, columns, row);
  if (branch == kEveryBranch) return static_cast<std::uint32_t>(nodes_.size());
  return branch == kNoBranch ? nodes_[at].stop : nodes_[at].first_child + static_cast<std::uint32_t>(branch);
}

// Every way down that the row takes, with what is left of it there; branch by branch, so that leaves rise.
void Router::spread_row(std::span<const Column> columns, std::size_t row, Spread& spread) const {
  auto& [parts, out] = spread;
  parts.assign(1, {0, 1});
  while (!parts.empty()) {
    const auto [at, share] = parts.back();
    parts.pop_back();
    const auto& node = nodes_[at];
    const auto branch = node.column < 0 ? kNoBranch : branch_of(at, columns, row);
    if (branch == kNoBranch) {
      out.leaf.push_back(number_[at]);
      out.share.push_back(share);
      continue;
    }
    if (branch != kEveryBranch) {
      parts.push_back({node.first_child + static_cast<std::uint32_t>(branch), share});
      continue;
    }
    for (auto child = node.first_child + node.n_children; child-- > node.first_child;) {
      if (share_[child] > 0) parts.push_back({child, share * share_[child]});
    }
  }
  out.begin.push_back(static_cast<std::int64_t>(out.leaf.size()));
}

Router::Shares Router::spread(std::span<const Column> columns, std::size_t n_rows) const {
  check_kinds(columns);
  Spread spread;
  for (std::size_t row = 0; row < n_rows; ++row) spread_row(columns, row, spread);
  return std::move(spread.shares);
}

void Router::note_kind(std::int32_t column, const Set& set) {
  const auto at = static_cast<std::size_t>(column);
  const auto kind = set.asks() ? Kind::Categories : Kind::Numbers;
  if (at >= kinds_.size()) kinds_.resize(at + 1, Kind::Any);
  demand(kinds_[at] == Kind::Any || kinds_[at] == kind, "a column of numbers and of categories");
  kinds_[at] = kind;
}

std::size_t Router::n_of_categories(std::size_t n_columns) const {
  const auto last = kinds_.begin() + static_cast<std::ptrdiff_t>(std::min(n_columns, kinds_.size()));
  return static_cast<std::size_t>(std::count(kinds_.begin(), last, Kind::Categories));
}

void Router::check_kinds(std::span<const Column> columns) const {
  if (columns.size() < kinds_.size())
    throw std::invalid_argument("the table has fewer columns than the tree asks about");
  for (std::size_t at = 0; at < kinds_.size(); ++at) {
    const bool has_codes = columns[at].type() == ValueType::Category;
    if (kinds_[at] == Kind::Any || (kinds_[at] == Kind::Categories) == has_codes) continue;
    throw std::invalid_argument("column " + std::to_string(at) +
                                " is of another kind than the tree asks about");
  }
}

}  // namespace treewright
