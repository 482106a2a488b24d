#include "treewright/predict.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace treewright {
namespace {

void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("not a tree: ") + what);
}

}  // namespace

Router::Router(std::span<const std::int32_t> column, std::span<const double> cut,
               std::span<const std::int64_t> cut_integer, std::span<const std::int32_t> child_begin,
               std::span<const std::int32_t> child, std::span<const std::int32_t> missing_branch,
               std::span<const std::int32_t> branch_begin, std::span<const std::int32_t> branch_of_code)
    : branch_of_code_(branch_of_code.begin(), branch_of_code.end()) {
  const auto n = column.size();
  demand(n > 0 && n < (std::size_t{1} << 30), "no nodes, or too many");
  demand(cut.size() == n && cut_integer.size() == n && missing_branch.size() == n &&
             child_begin.size() == n + 1 && branch_begin.size() == n + 1,
         "arrays of unequal length");
  std::vector<std::int32_t> queue{0};
  queue.reserve(n);
  nodes_.resize(n);
  more_.resize(n);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto id = static_cast<std::size_t>(queue[at]);
    auto& node = nodes_[at];
    node.column = column[id];
    node.cut = cut[id];
    if (node.column < 0) {
      node.next = static_cast<std::uint32_t>(id);
      continue;
    }
    const auto begin = child_begin[id], end = child_begin[id + 1];
    const auto n_branches = end - begin;
    demand(begin >= 0 && n_branches >= 2 && static_cast<std::size_t>(end) <= child.size(),
           "a question with fewer than two branches");
    demand(missing_branch[id] >= 0 && missing_branch[id] < n_branches, "no branch for missing values");
    const auto set_begin = branch_begin[id], set_end = branch_begin[id + 1];
    demand(
        set_begin >= 0 && set_begin <= set_end && static_cast<std::size_t>(set_end) <= branch_of_code.size(),
        "a set outside its array");
    for (auto i = set_begin; i < set_end; ++i) {
      demand(branch_of_code[static_cast<std::size_t>(i)] < n_branches, "a category without its branch");
    }
    const auto first_child = static_cast<std::uint32_t>(queue.size());
    node.next = first_child << 1 | static_cast<std::uint32_t>(missing_branch[id] & 1);
    more_[at] = {cut_integer[id], first_child, missing_branch[id], static_cast<std::uint32_t>(set_begin),
                 static_cast<std::uint32_t>(set_end)};
    is_binary_ &= n_branches == 2 && set_begin == set_end;
    n_columns_ = std::max(n_columns_, static_cast<std::size_t>(node.column) + 1);
    for (auto i = begin; i < end; ++i) {
      const auto next = child[static_cast<std::size_t>(i)];
      demand(next > queue[at] && static_cast<std::size_t>(next) < n, "children must come after their parent");
      queue.push_back(next);
    }
    demand(queue.size() <= n, "a node with two parents");
  }
  demand(queue.size() == n, "nodes that cannot be reached");
}

template <class Value>
void Router::apply_all_of(std::span<const Column> columns, std::size_t begin, std::size_t end,
                          std::int32_t* leaf_of_row) const {
  for (auto row = begin; row < end; ++row) {
    const Node* node = nodes_.data();
    while (node->column >= 0) {
      const double value = columns[static_cast<std::size_t>(node->column)].value<Value>(row);
      const std::uint32_t branch = value <= node->cut ? 0 : (value == value ? 1 : node->next & 1);
      node = nodes_.data() + (node->next >> 1) + branch;
    }
    leaf_of_row[row] = static_cast<std::int32_t>(node->next);
  }
}

std::int32_t Router::branch_of(const More& node, double cut, const Column& column, std::size_t row) const {
  if (node.asks_for_set()) {
    const auto code = column.code(row);
    const bool is_known = code >= 0 && static_cast<std::uint32_t>(code) < node.set_end - node.set_begin;
    const auto branch = is_known ? branch_of_code_[node.set_begin + static_cast<std::uint32_t>(code)] : -1;
    return branch >= 0 ? branch : node.missing_branch;
  }
  if (column.key(row) == kMissingKey) return node.missing_branch;
  return column.at_most(row, {cut, node.cut_integer}) ? 0 : 1;
}

void Router::apply_mixed(std::span<const Column> columns, std::size_t begin, std::size_t end,
                         std::int32_t* leaf_of_row) const {
  for (auto row = begin; row < end; ++row) {
    std::size_t at = 0;
    while (nodes_[at].column >= 0) {
      const auto& column = columns[static_cast<std::size_t>(nodes_[at].column)];
      const auto branch = branch_of(more_[at], nodes_[at].cut, column, row);
      at = more_[at].first_child + static_cast<std::uint32_t>(branch);
    }
    leaf_of_row[row] = static_cast<std::int32_t>(nodes_[at].next);
  }
}

void Router::check_kinds(std::span<const Column> columns) const {
  if (columns.size() < n_columns_)
    throw std::invalid_argument("the table has fewer columns than the tree asks about");
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (nodes_[at].column < 0) continue;
    const auto& column = columns[static_cast<std::size_t>(nodes_[at].column)];
    if (more_[at].asks_for_set() == (column.type() == ValueType::Category)) continue;
    throw std::invalid_argument("column " + std::to_string(nodes_[at].column) +
                                " is of another kind than the tree asks about");
  }
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
