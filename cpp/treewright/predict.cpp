#include "treewright/predict.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "treewright/question.hpp"  // for kEveryBranch, kNoBranch

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
  demand(n > 0 && n < (std::size_t{1} << 30), "no nodes, or too many");
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
  more_.resize(n);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto id = static_cast<std::size_t>(queue[at]);
    auto& node = nodes_[at];
    node.column = tree.question.column[id];
    node.cut = tree.question.cut[id];
    if (node.column < 0) {
      node.next = static_cast<std::uint32_t>(id);
      continue;
    }
    const auto begin = tree.child_begin[id], end = tree.child_begin[id + 1];
    const auto n_branches = end - begin;
    const auto missing_branch = tree.missing_branch[id];
    demand(begin >= 0 && n_branches >= 2 && static_cast<std::size_t>(end) <= tree.child.size(),
           "a question with fewer than two branches");
    demand(missing_branch >= kNoBranch && missing_branch < n_branches, "no branch for missing values");
    const auto first_surrogate = tree.surrogate_begin[id], last_surrogate = tree.surrogate_begin[id + 1];
    demand(first_surrogate >= 0 && first_surrogate <= last_surrogate &&
               static_cast<std::size_t>(last_surrogate) <= surrogates_.size(),
           "surrogates outside their array");
    demand(first_surrogate == last_surrogate || n_branches == 2,
           "surrogates of a question with more than two branches");
    const auto first_child = static_cast<std::uint32_t>(queue.size());
    node.next = first_child << 1 | static_cast<std::uint32_t>(missing_branch & 1);
    more_[at] = {.cut_integer = tree.question.cut_integer[id],
                 .first_child = first_child,
                 .missing_branch = missing_branch,
                 .number = queue[at],
                 .first_surrogate = static_cast<std::uint32_t>(first_surrogate),
                 .last_surrogate = static_cast<std::uint32_t>(last_surrogate),
                 .set = take_set(tree.question, id, n_branches)};
    is_binary_ &= n_branches == 2 && !more_[at].set.asks() && missing_branch >= 0;
    spreads_ |= missing_branch == kEveryBranch;
    lets_rows_stop_ |= missing_branch == kNoBranch;
    n_columns_ = std::max(n_columns_, static_cast<std::size_t>(node.column) + 1);
    for (auto i = begin; i < end; ++i) {
      const auto next = tree.child[static_cast<std::size_t>(i)];
      demand(next > queue[at] && static_cast<std::size_t>(next) < n, "children must come after their parent");
      queue.push_back(next);
    }
    demand(queue.size() <= n, "a node with two parents");
  }
  demand(queue.size() == n, "nodes that cannot be reached");
  place_.resize(n);
  for (std::size_t at = 0; at < n; ++at) {
    place_[static_cast<std::size_t>(queue[at])] = static_cast<std::uint32_t>(at);
  }
  if (spreads_) share_out(tree, queue);
}

// Rows without a value are shared out as the weight of the children is.
void Router::share_out(const TreeViews& tree, std::span<const std::int32_t> queue) {
  share_.assign(queue.size(), 1);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    if (nodes_[at].column < 0) continue;
    const auto id = static_cast<std::size_t>(queue[at]);
    const auto first = more_[at].first_child;
    const auto n_children = static_cast<std::uint32_t>(tree.child_begin[id + 1] - tree.child_begin[id]);
    double sum = 0;
    for (std::uint32_t i = first; i < first + n_children; ++i) {
      sum += tree.weight[static_cast<std::size_t>(queue[i])];
    }
    demand(sum > 0, "a question whose branches weigh nothing");
    for (std::uint32_t i = first; i < first + n_children; ++i) {
      share_[i] = tree.weight[static_cast<std::size_t>(queue[i])] / sum;
    }
    more_[at].n_children = n_children;
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
    n_columns_ = std::max(n_columns_, static_cast<std::size_t>(column) + 1);
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

template <class Value>
void Router::apply_all_of(std::span<const Column> columns, std::size_t begin, std::size_t end,
                          std::int32_t* leaf_of_row) const {
  const bool has_surrogates = !surrogates_.empty();
  for (auto row = begin; row < end; ++row) {
    const Node* node = nodes_.data();
    while (node->column >= 0) {
      const double value = columns[static_cast<std::size_t>(node->column)].value<Value>(row);
      std::uint32_t branch = value <= node->cut ? 0 : (value == value ? 1 : node->next & 1);
      if (has_surrogates && value != value) {
        const auto at = static_cast<std::size_t>(node - nodes_.data());
        branch = static_cast<std::uint32_t>(branch_without_value(at, columns, row));
      }
      node = nodes_.data() + (node->next >> 1) + branch;
    }
    leaf_of_row[row] = static_cast<std::int32_t>(node->next);
  }
}

std::int32_t Router::branch_of(std::size_t at, std::span<const Column> columns, std::size_t row) const {
  const auto& column = columns[static_cast<std::size_t>(nodes_[at].column)];
  const auto& more = more_[at];
  if (more.set.asks()) {
    const auto branch = find(more.set, column.code(row));
    return branch >= 0 ? branch : branch_without_value(at, columns, row);
  }
  if (column.key(row) == kMissingKey) return branch_without_value(at, columns, row);
  return column.at_most(row, {nodes_[at].cut, more.cut_integer}) ? 0 : 1;
}

std::int32_t Router::branch_without_value(std::size_t at, std::span<const Column> columns,
                                          std::size_t row) const {
  const auto& more = more_[at];
  for (auto i = more.first_surrogate; i < more.last_surrogate; ++i) {
    const auto& surrogate = surrogates_[i];
    const auto& column = columns[static_cast<std::size_t>(surrogate.column)];
    if (surrogate.set.asks()) {
      const auto branch = find(surrogate.set, column.code(row));
      if (branch >= 0) return branch;
    } else if (column.key(row) != kMissingKey) {
      return column.at_most(row, surrogate.cut) ? surrogate.low_branch : 1 - surrogate.low_branch;
    }
  }
  return more.missing_branch;
}

std::int32_t Router::heaviest_leaf(std::span<const Column> columns, std::size_t row) const {
  Shares shares;
  spread_row(columns, row, shares);
  const auto heaviest = std::max_element(shares.share.begin(), shares.share.end());
  return shares.leaf[static_cast<std::size_t>(heaviest - shares.share.begin())];
}

void Router::apply_mixed(std::span<const Column> columns, std::size_t begin, std::size_t end,
                         std::int32_t* leaf_of_row) const {
  for (auto row = begin; row < end; ++row) {
    std::size_t at = 0;
    std::int32_t branch = kNoBranch;
    while (nodes_[at].column >= 0) {
      branch = branch_of(at, columns, row);
      if (branch < 0) break;
      at = more_[at].first_child + static_cast<std::uint32_t>(branch);
    }
    leaf_of_row[row] = nodes_[at].column < 0 ? static_cast<std::int32_t>(nodes_[at].next)
                       : branch == kNoBranch ? more_[at].number
                                             : heaviest_leaf(columns, row);
  }
}

// Every way down that the row takes, with what is left of it there; branch by branch, so that leaves rise.
void Router::spread_row(std::span<const Column> columns, std::size_t row, Shares& out) const {
  struct Way {
    std::size_t at;
    double share;
  };
  std::vector<Way> ways{{0, 1}};
  while (!ways.empty()) {
    const auto [at, share] = ways.back();
    ways.pop_back();
    if (nodes_[at].column < 0) {
      out.leaf.push_back(static_cast<std::int32_t>(nodes_[at].next));
      out.share.push_back(share);
      continue;
    }
    const auto& more = more_[at];
    const auto branch = branch_of(at, columns, row);
    if (branch == kNoBranch) {
      out.leaf.push_back(more.number);
      out.share.push_back(share);
      continue;
    }
    if (branch != kEveryBranch) {
      ways.push_back({more.first_child + static_cast<std::uint32_t>(branch), share});
      continue;
    }
    for (auto child = more.first_child + more.n_children; child-- > more.first_child;) {
      if (share_[child] > 0) ways.push_back({child, share * share_[child]});
    }
  }
  out.begin.push_back(static_cast<std::int64_t>(out.leaf.size()));
}

Router::Shares Router::spread(std::span<const Column> columns, std::size_t n_rows) const {
  check_kinds(columns);
  Shares shares;
  for (std::size_t row = 0; row < n_rows; ++row) spread_row(columns, row, shares);
  return shares;
}

void Router::check_kinds(std::span<const Column> columns) const {
  if (columns.size() < n_columns_)
    throw std::invalid_argument("the table has fewer columns than the tree asks about");
  const auto check = [&](std::int32_t asked, const Set& set) {
    if (set.asks() == (columns[static_cast<std::size_t>(asked)].type() == ValueType::Category)) return;
    throw std::invalid_argument("column " + std::to_string(asked) +
                                " is of another kind than the tree asks about");
  };
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (nodes_[at].column >= 0) check(nodes_[at].column, more_[at].set);
  }
  for (const auto& surrogate : surrogates_) check(surrogate.column, surrogate.set);
}

void Router::apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const {
  check_kinds(columns);
  const auto all_of = [&](ValueType type) {
    return std::all_of(columns.begin(), columns.end(), [&](const Column& c) { return c.type() == type; });
  };
  const bool doubles = is_binary_ && all_of(ValueType::Float64);
  const bool floats = is_binary_ && all_of(ValueType::Float32);
  constexpr std::size_t kRows = 16384;  // a task
  const auto n = leaf_of_row.size();
  pool.run((n + kRows - 1) / kRows, [&](std::size_t task, int) {
    const auto begin = task * kRows, end = std::min(n, begin + kRows);
    if (doubles) {
      apply_all_of<double>(columns, begin, end, leaf_of_row.data());
    } else if (floats) {
      apply_all_of<float>(columns, begin, end, leaf_of_row.data());
    } else {
      apply_mixed(columns, begin, end, leaf_of_row.data());
    }
  });
}

}  // namespace treewright
