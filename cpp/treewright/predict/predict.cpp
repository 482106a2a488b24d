#include "treewright/predict/predict.hpp"

#include <map>

namespace treewright {
namespace {

Surrogate copy_of(const QuestionViews& questions, std::size_t i, std::int32_t low_branch) {
  const auto codes = questions.codes_of(i), branches = questions.branches_of(i);
  return {.column = questions.column[i],
          .cut = {questions.cut[i], questions.cut_integer[i]},
          .low_branch = low_branch,
          .branch_of_code = {{codes.begin(), codes.end()}, {branches.begin(), branches.end()}}};
}

}  // namespace

Predictor::Predictor(const TreeViews& tree) {
  check_tree(tree);
  std::map<std::int32_t, bool> kinds;
  for (const auto* questions : {&tree.question, &tree.surrogate}) {
    for (std::size_t i = 0; i < questions->column.size(); ++i) {
      const auto column = questions->column[i];
      if (column < 0 || kinds.try_emplace(column, questions->is_set(i)).first->second == questions->is_set(i))
        continue;
      throw std::invalid_argument("not a tree: some questions take column " + std::to_string(column) +
                                  " for numbers, others for categories");
    }
  }
  kinds_.assign(kinds.begin(), kinds.end());
  const Children children{tree.child_begin, tree.child};
  const auto n = children.n_nodes();
  const auto add_leaf = [&]() -> KeyNode& {
    nodes_.push_back({kMissingNodeKey, kMissingNodeKey, 0, static_cast<std::uint32_t>(nodes_.size()), 0, 0});
    return nodes_.back();
  };
  position_.resize(n);
  rest_.resize(n);
  branch_table_.push_back(0);  // for leaves
  number_.push_back(0);
  std::size_t level_end = 1;
  for (std::size_t at = 0; at < n; ++at) {
    if (at == level_end) {
      ++depth_;
      level_end = number_.size();
    }
    const auto id = index(number_[at]);
    position_[id] = static_cast<std::uint32_t>(at);
    auto& node = add_leaf();
    const auto below = children.of(id);
    if (below.empty()) continue;
    node = {.cut = node_key(tree.question.cut[id]),
            .cut_integer = node_key(tree.question.cut_integer[id]),
            .column = static_cast<std::uint32_t>(tree.question.column[id]),
            .first_child = static_cast<std::uint32_t>(number_.size()),
            .table = static_cast<std::uint32_t>(branch_table_.size()),
            .width = 0};
    auto& rest = rest_[at];
    rest.n_children = static_cast<std::uint32_t>(below.size());
    rest.missing_branch = tree.missing_branch[id];
    rest.first_asked = static_cast<std::uint32_t>(asked_.size());
    lay_out_table(tree, id, node);
    for (auto i = index(tree.surrogate_begin[id]); i < index(tree.surrogate_begin[id + 1]); ++i)
      asked_.push_back(copy_of(tree.surrogate, i, tree.surrogate_low_branch[i]));
    rest.last_asked = static_cast<std::uint32_t>(asked_.size());
    spreads_ |= rest.missing_branch == kEveryBranch;
    lets_rows_stop_ |= rest.missing_branch == kNoBranch;
    double sum = 0;
    for (const auto child : below) sum += tree.weight[index(child)];
    for (const auto child : below) {
      rest_[number_.size()].share =
          sum == 0 ? 1 / static_cast<double>(below.size()) : tree.weight[index(child)] / sum;
      number_.push_back(child);
    }
  }
  for (std::size_t at = 0; (spreads_ || lets_rows_stop_) && at < n; ++at) {
    number_.push_back(number_[at]);
    add_leaf();
  }

  const bool has_categories = std::ranges::any_of(kinds_, &std::pair<std::int32_t, bool>::second);
  if (has_categories || n_columns() > std::size_t{NumberNode::kLastColumn} + 1) return;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    const auto& node = nodes_[at];
    const auto cut = is_leaf(at) ? kInfinity : tree.question.cut[index(number_[at])];
    numbers_.push_back(
        {cut, static_cast<std::uint16_t>(node.column), branch_table_[node.table], node.first_child});
  }
}

void Predictor::lay_out_table(const TreeViews& tree, std::size_t id, KeyNode& node) {
  constexpr std::size_t kMostEntriesInTables = std::size_t{1} << 22;  // in all tables of a tree
  // Where a row with a missing value goes, if one number can tell.
  const auto missing = tree.missing_branch[id];
  const bool is_told =
      tree.surrogate_begin[id] == tree.surrogate_begin[id + 1] && missing >= 0 && missing < kAsk;
  const auto otherwise = is_told ? static_cast<std::uint16_t>(missing) : kAsk;
  if (tree.question.is_set(id)) {
    const auto codes = tree.question.codes_of(id);
    const auto branches = tree.question.branches_of(id);
    // In 64 bits, as a set may end with the largest code there is.
    const auto width = static_cast<std::size_t>(std::int64_t{codes.back()} - codes.front()) + 1;
    node.cut = codes.front();
    if (branch_table_.size() + width >= kMostEntriesInTables || rest_[position_[id]].n_children >= kAsk) {
      node.width = 1;
      branch_table_.insert(branch_table_.end(), 2, kAsk);  // looked up in the list
      asked_.push_back(copy_of(tree.question, id, 0));
      return;
    }
    node.width = static_cast<std::uint32_t>(width);
    branch_table_.resize(branch_table_.size() + width, otherwise);
    for (std::size_t i = 0; i < codes.size(); ++i)
      branch_table_[node.table + index(codes[i] - codes.front())] = static_cast<std::uint16_t>(branches[i]);
  }
  branch_table_.push_back(otherwise);
}

template <class Row>
void Predictor::branches_of_node(std::int32_t number, std::span<const Column> columns,
                                 std::span<const Row> rows, std::int32_t* branches) const {
  const auto at = position_[index(number)];
  const auto node = nodes_[at];
  const auto& column = columns[node.column];
  // A short loop without calls: many values are loaded at once, and those of rows further on are prefetched.
  constexpr std::size_t kAhead = 64;
  with_type(column.type(), [&]<class Value>() {
    const auto fill = [&](const auto& branch_of) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto ahead = static_cast<std::ptrdiff_t>(rows[std::min(i + kAhead, rows.size() - 1)]);
        prefetch(column.data() + ahead * column.stride());
        branches[i] = branch_of(column.value<Value>(rows[i]));
      }
    };
    const auto* const table = branch_table_.data() + node.table;
    if constexpr (std::is_floating_point_v<Value>) {
      fill([cut = value_of_node_key(node.cut), missing = std::int32_t{*table}](double value) {
        return std::isnan(value) ? missing : std::int32_t{value > cut};
      });
    } else if constexpr (std::is_same_v<Value, std::int32_t>) {
      fill([node, table](std::int32_t code) {
        return std::int32_t{
            table[std::min<std::uint64_t>(static_cast<std::uint64_t>(code - node.cut), node.width)]};
      });
    } else {
      fill([&, node](Value value) {
        return static_cast<std::int32_t>(node.branch(node_key(value), true, branch_table_.data()));
      });
    }
  });
  const auto& rest = rest_[at];
  const std::span asked(asked_.data() + rest.first_asked, asked_.data() + rest.last_asked);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (branches[i] != kAsk) continue;
    const auto known = first_to_know(asked, columns, rows[i]);
    branches[i] = known.branch < 0 ? rest.missing_branch : known.branch;
  }
}

template void Predictor::branches_of_node(std::int32_t, std::span<const Column>,
                                          std::span<const std::uint32_t>, std::int32_t*) const;
template void Predictor::branches_of_node(std::int32_t, std::span<const Column>, std::span<const Case>,
                                          std::int32_t*) const;

std::int32_t Predictor::branch_of(std::uint32_t at, std::span<const Column> columns, std::size_t row) const {
  std::int32_t branch = 0;
  branches_of_node(number_[at], columns, std::span<const std::size_t>(&row, 1), &branch);
  return branch;
}

// Find every leaf that the row reaches from `start`, and its share there, with leaves in ascending order.
void Predictor::spread_row(std::uint32_t start, std::span<const Column> columns, std::size_t row,
                           Parts& parts, Shares& out) const {
  parts.assign(1, {start, 1});
  while (!parts.empty()) {
    const auto [at, share] = parts.back();
    parts.pop_back();
    const auto branch = is_leaf(at) ? kNoBranch : branch_of(at, columns, row);
    const auto first_child = nodes_[at].first_child;
    if (branch == kNoBranch) {
      out.leaf.push_back(number_[at]);
      out.share.push_back(share);
    } else if (branch != kEveryBranch) {
      parts.push_back({first_child + static_cast<std::uint32_t>(branch), share});
    } else {
      for (auto child = first_child + rest_[at].n_children; child-- > first_child;) {
        if (rest_[child].share > 0) parts.push_back({child, share * rest_[child].share});
      }
    }
  }
}

Predictor::Shares Predictor::spread(std::span<const Column> columns, std::size_t n_rows) const {
  check_kinds(columns);
  Parts parts;
  Shares shares;
  for (std::size_t row = 0; row < n_rows; ++row) {
    heed_interrupts_at(row, 256);  // a row may come to every leaf
    spread_row(0, columns, row, parts, shares);
    shares.begin.push_back(static_cast<std::int64_t>(shares.leaf.size()));
  }
  return shares;
}

void Predictor::check_kinds(std::span<const Column> columns) const {
  if (columns.size() < n_columns())
    throw std::invalid_argument("the table has " + std::to_string(columns.size()) +
                                " columns, fewer columns than the tree asks about: the last is column " +
                                std::to_string(n_columns() - 1));
  for (const auto& [column, has_categories] : kinds_) {
    if (has_categories != (columns[index(column)].type() == ValueType::Category))
      throw std::invalid_argument("column " + std::to_string(column) +
                                  " is of another kind than the tree asks about");
  }
}

}  // namespace treewright
