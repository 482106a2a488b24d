#include "treewright/predict.hpp"

#include <algorithm>
#include <stdexcept>

namespace treewright {
namespace {

void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("not a tree: ") + what);
}

}  // namespace

Router::Router(std::span<const std::int32_t> column, std::span<const double> cut,
               std::span<const std::int64_t> cut_integer, std::span<const std::int32_t> child_begin,
               std::span<const std::int32_t> child, std::span<const std::int32_t> missing_branch) {
  const auto n = column.size();
  demand(n > 0 && n < (std::size_t{1} << 30), "no nodes, or too many");
  demand(
      cut.size() == n && cut_integer.size() == n && missing_branch.size() == n && child_begin.size() == n + 1,
      "arrays of unequal length");
  std::vector<std::int32_t> queue{0};
  queue.reserve(n);
  nodes_.resize(n);
  cut_integer_.resize(n);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto id = static_cast<std::size_t>(queue[at]);
    auto& node = nodes_[at];
    node.column = column[id];
    node.cut.number = cut[id];
    if (node.column < 0) {
      node.next = static_cast<std::uint32_t>(id);
      continue;
    }
    const auto begin = child_begin[id], end = child_begin[id + 1];
    demand(begin >= 0 && end == begin + 2 && static_cast<std::size_t>(end) <= child.size(),
           "a node without two children");
    demand(missing_branch[id] == 0 || missing_branch[id] == 1, "no branch for missing values");
    node.next =
        static_cast<std::uint32_t>(queue.size()) << 1 | static_cast<std::uint32_t>(missing_branch[id]);
    cut_integer_[at] = cut_integer[id];
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
      const std::uint32_t branch = value <= node->cut.number ? 0 : (value == value ? 1 : node->next & 1);
      node = nodes_.data() + (node->next >> 1) + branch;
    }
    leaf_of_row[row] = static_cast<std::int32_t>(node->next);
  }
}

void Router::apply_mixed(std::span<const Column> columns, std::size_t begin, std::size_t end,
                         std::int32_t* leaf_of_row) const {
  for (auto row = begin; row < end; ++row) {
    std::size_t at = 0;
    while (nodes_[at].column >= 0) {
      const auto& node = nodes_[at];
      const auto& column = columns[static_cast<std::size_t>(node.column)];
      const bool is_missing = column.key(row) == kMissingKey;
      const bool left = !is_missing && column.at_most(row, {node.cut.number, cut_integer_[at]});
      at = (node.next >> 1) + (is_missing ? node.next & 1 : (left ? 0 : 1));
    }
    leaf_of_row[row] = static_cast<std::int32_t>(nodes_[at].next);
  }
}

void Router::apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const {
  if (columns.size() < n_columns_)
    throw std::invalid_argument("the table has fewer columns than the tree asks about");
  const auto all_of = [&](ValueType type) {
    return std::all_of(columns.begin(), columns.end(), [&](const Column& c) { return c.type() == type; });
  };
  const bool doubles = all_of(ValueType::Float64), floats = all_of(ValueType::Float32);
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
