#include "treewright/predict/predict.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/tree/check_tree.hpp"  // for check_tree
#include "treewright/tree/question.hpp"    // for kEveryBranch, kNoBranch

namespace treewright {

Router::Router(const TreeViews& tree) {
  check_tree(tree);
  take_surrogates(tree);
  lay_out(tree);
  note_kinds();
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
    const auto begin = static_cast<std::size_t>(tree.child_begin[id]);
    const auto end = static_cast<std::size_t>(tree.child_begin[id + 1]);
    node.missing_branch = tree.missing_branch[id];
    node.cut = {tree.question.cut[id], tree.question.cut_integer[id]};
    node.first_child = static_cast<std::uint32_t>(queue.size());
    node.n_children = static_cast<std::uint32_t>(end - begin);
    node.first_surrogate = static_cast<std::uint32_t>(tree.surrogate_begin[id]);
    node.last_surrogate = static_cast<std::uint32_t>(tree.surrogate_begin[id + 1]);
    node.set = take_set(tree.question, id);
    spreads_ |= node.missing_branch == kEveryBranch;
    if (node.missing_branch == kNoBranch) {
      lets_rows_stop_ = true;
      node.stop = static_cast<std::uint32_t>(n) + 1 + n_stops++;
    }
    queue.insert(queue.end(), tree.child.begin() + static_cast<std::ptrdiff_t>(begin),
                 tree.child.begin() + static_cast<std::ptrdiff_t>(end));
  }
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
    for (std::uint32_t i = first; i < first + n_children; ++i) {
      share_[i] = tree.weight[static_cast<std::size_t>(queue[i])] / sum;
    }
  }
}

void Router::take_surrogates(const TreeViews& tree) {
  const auto& questions = tree.surrogate;
  for (std::size_t i = 0; i < questions.column.size(); ++i) {
    surrogates_.push_back({.cut = {questions.cut[i], questions.cut_integer[i]},
                           .column = questions.column[i],
                           .low_branch = tree.surrogate_low_branch[i],
                           .set = take_set(questions, i)});
  }
}

Router::Set Router::take_set(const QuestionViews& questions, std::size_t question) {
  constexpr std::size_t kMostByCode = std::size_t{1} << 31;  // so that 32 bits number all branches
  const auto begin = questions.set_begin[question], end = questions.set_begin[question + 1];
  if (begin == end) return {};
  const auto size = static_cast<std::size_t>(end - begin);
  const auto codes = questions.set_code.subspan(static_cast<std::size_t>(begin), size);
  const auto branches = questions.set_branch.subspan(static_cast<std::size_t>(begin), size);
  Set set{.begin = static_cast<std::uint32_t>(branches_.size()), .least = codes.front()};
  const auto width = static_cast<std::size_t>(codes.back() - codes.front()) + 1;
  if (width <= 4 * size + 16 && branches_.size() + width <= kMostByCode) {
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

void Router::note_kinds() {
  const auto keep_one_of_each = [&] {
    std::sort(kinds_.begin(), kinds_.end());
    kinds_.erase(std::unique(kinds_.begin(), kinds_.end()), kinds_.end());
  };
  for (const auto& node : nodes_) {
    if (node.column >= 0) kinds_.push_back({node.column, node.set.asks()});
  }
  keep_one_of_each();
  for (const auto& kind : kinds_) asked_.push_back(kind.column);
  for (const auto& surrogate : surrogates_) kinds_.push_back({surrogate.column, surrogate.set.asks()});
  if (!surrogates_.empty()) keep_one_of_each();
  for (std::size_t i = 1; i < kinds_.size(); ++i) {
    if (kinds_[i - 1].column == kinds_[i].column)
      throw std::invalid_argument("not a tree: some questions take column " +
                                  std::to_string(kinds_[i].column) + " for numbers, others for categories");
  }
}

bool Router::is_of_categories(std::size_t column) const {
  const auto found = std::ranges::lower_bound(
      kinds_, column, {}, [](const Kind& kind) { return static_cast<std::size_t>(kind.column); });
  return found != kinds_.end() && static_cast<std::size_t>(found->column) == column && found->has_categories;
}

std::size_t Router::n_of_categories(std::size_t n_columns) const {
  return static_cast<std::size_t>(std::ranges::count_if(kinds_, [&](const Kind& kind) {
    return kind.has_categories && static_cast<std::size_t>(kind.column) < n_columns;
  }));
}

void Router::check_kinds(std::span<const Column> columns) const {
  if (columns.size() < n_columns())
    throw std::invalid_argument("the table has " + std::to_string(columns.size()) +
                                " columns, fewer columns than the tree asks about: the last is column " +
                                std::to_string(n_columns() - 1));
  for (const auto& kind : kinds_) {
    const bool has_codes = columns[static_cast<std::size_t>(kind.column)].type() == ValueType::Category;
    if (kind.has_categories == has_codes) continue;
    throw std::invalid_argument("column " + std::to_string(kind.column) +
                                " is of another kind than the tree asks about");
  }
}

}  // namespace treewright
