#include "treewright/predict/predict.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "treewright/interrupt.hpp"      // for heed_interrupts
#include "treewright/tree/question.hpp"  // for kEveryBranch, kNoBranch

namespace treewright {
namespace {

template <class Value>
std::vector<Value> copy_of(std::span<const Value> values) {
  return {values.begin(), values.end()};
}

}  // namespace

Predictor::Predictor(const TreeViews& tree) {
  check_tree(tree);
  const auto copy_questions = [](const QuestionViews& of) {
    return Questions{copy_of(of.column),    copy_of(of.cut),      copy_of(of.cut_integer),
                     copy_of(of.set_begin), copy_of(of.set_code), copy_of(of.set_branch)};
  };
  questions_ = copy_questions(tree.question);
  surrogates_ = copy_questions(tree.surrogate);
  surrogate_low_branch_ = copy_of(tree.surrogate_low_branch);
  note_kinds();
  lay_out(tree);
}

void Predictor::note_kinds() {
  std::set<Kind> kinds;
  for (const auto* questions : {&questions_, &surrogates_}) {
    for (std::size_t i = 0; i < questions->column.size(); ++i) {
      if (questions->column[i] >= 0) kinds.insert({questions->column[i], questions->is_set(i)});
    }
  }
  kinds_.assign(kinds.begin(), kinds.end());
  const auto twice = std::ranges::adjacent_find(kinds_, {}, &Kind::column);
  if (twice != kinds_.end())
    throw std::invalid_argument("not a tree: some questions take column " + std::to_string(twice->column) +
                                " for numbers, others for categories");
}

void Predictor::lay_out(const TreeViews& tree) {
  const Children children{tree.child_begin, tree.child};
  const auto n = children.n_nodes();
  const auto add_leaf = [&]() -> KeyNode& {
    nodes_.push_back({kMissingNodeKey, kMissingNodeKey, 0, static_cast<std::uint32_t>(nodes_.size()), 0, 0});
    return nodes_.back();
  };
  position_.resize(n);
  rest_.resize(n);
  branch_table_.push_back(0);  // of leaves
  number_.push_back(0);
  share_.push_back(1);
  std::size_t level_end = 1;
  for (std::size_t at = 0; at < n; ++at) {
    if (at == level_end) {
      ++depth_;
      level_end = number_.size();
    }
    const auto id = static_cast<std::size_t>(number_[at]);
    position_[id] = static_cast<std::uint32_t>(at);
    auto& node = add_leaf();
    const auto below = children.of(id);
    if (below.empty()) continue;
    node = {.cut = node_key(questions_.cut[id]),
            .cut_integer = node_key(questions_.cut_integer[id]),
            .column = static_cast<std::uint32_t>(questions_.column[id]),
            .first_child = static_cast<std::uint32_t>(number_.size()),
            .table = static_cast<std::uint32_t>(branch_table_.size()),
            .width = 0};
    auto& rest = rest_[at];
    rest = {.n_children = static_cast<std::uint32_t>(below.size()),
            .missing_branch = tree.missing_branch[id],
            .first_surrogate = static_cast<std::uint32_t>(tree.surrogate_begin[id]),
            .last_surrogate = static_cast<std::uint32_t>(tree.surrogate_begin[id + 1])};
    lay_out_table(id, rest, node);
    spreads_ |= rest.missing_branch == kEveryBranch;
    lets_rows_stop_ |= rest.missing_branch == kNoBranch;
    number_.insert(number_.end(), below.begin(), below.end());
    double sum = 0;
    for (const auto child : below) sum += tree.weight[static_cast<std::size_t>(child)];
    for (const auto child : below) share_.push_back(tree.weight[static_cast<std::size_t>(child)] / sum);
  }
  number_.push_back(kSpread);
  for (std::size_t at = 0; lets_rows_stop_ && at < n; ++at) number_.push_back(number_[at]);
  while (nodes_.size() < number_.size()) add_leaf();

  const bool has_categories = std::ranges::any_of(kinds_, &Kind::has_categories);
  if (has_categories || n_columns() > std::size_t{NumberNode::kLastColumn} + 1) return;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    const auto& node = nodes_[at];
    const auto cut = is_leaf(at) ? std::numeric_limits<double>::infinity()
                                 : questions_.cut[static_cast<std::size_t>(number_[at])];
    numbers_.push_back(
        {cut, static_cast<std::uint16_t>(node.column), branch_table_[node.table], node.first_child});
  }
}

void Predictor::lay_out_table(std::size_t id, const Rest& rest, KeyNode& node) {
  constexpr std::size_t kMostEntriesInTables = std::size_t{1} << 22;  // for a tree, in tables
  // Where a row without a value goes, if that takes no more than a number to tell.
  const auto missing = rest.missing_branch;
  const bool is_told = rest.first_surrogate == rest.last_surrogate && missing >= 0 && missing < kAsk;
  const auto otherwise = is_told ? static_cast<std::uint16_t>(missing) : kAsk;
  if (questions_.is_set(id)) {
    const auto begin = static_cast<std::size_t>(questions_.set_begin[id]);
    const auto end = static_cast<std::size_t>(questions_.set_begin[id + 1]);
    const auto least = questions_.set_code[begin];
    // In 64 bits, for a set may end with the largest code there is.
    const auto width = static_cast<std::size_t>(std::int64_t{questions_.set_code[end - 1]} - least) + 1;
    node.cut = least;
    if (branch_table_.size() + width >= kMostEntriesInTables || rest.n_children >= kAsk) {
      node.width = 1;
      branch_table_.insert(branch_table_.end(), 2, kAsk);  // looked up in the list
      return;
    }
    node.width = static_cast<std::uint32_t>(width);
    branch_table_.resize(branch_table_.size() + width, otherwise);
    for (auto i = begin; i < end; ++i)
      branch_table_[node.table + static_cast<std::size_t>(questions_.set_code[i] - least)] =
          static_cast<std::uint16_t>(questions_.set_branch[i]);
  }
  branch_table_.push_back(otherwise);
}

std::int32_t Predictor::Questions::branch(std::size_t i, std::span<const Column> columns,
                                          std::size_t row) const {
  const auto& asked = columns[static_cast<std::size_t>(column[i])];
  if (!is_set(i)) {
    if (asked.key(row) == kMissingKey) return -1;
    return asked.at_most(row, {cut[i], cut_integer[i]}) ? 0 : 1;
  }
  const auto code = asked.code(row);
  const auto end = set_code.begin() + set_begin[i + 1];
  const auto found = std::lower_bound(set_code.begin() + set_begin[i], end, code);
  return found != end && *found == code ? set_branch[static_cast<std::size_t>(found - set_code.begin())] : -1;
}

// The branch of a row that its key does not tell.
std::int32_t Predictor::branch_asked(std::uint32_t at, std::span<const Column> columns,
                                     std::size_t row) const {
  const auto& rest = rest_[at];
  if (nodes_[at].width > 0) {  // a set, which may have no table of branches
    const auto branch = questions_.branch(static_cast<std::size_t>(number_[at]), columns, row);
    if (branch >= 0) return branch;
  }
  for (std::size_t i = rest.first_surrogate; i < rest.last_surrogate; ++i) {
    const auto branch = surrogates_.branch(i, columns, row);
    if (branch >= 0) return surrogates_.is_set(i) ? branch : branch ^ surrogate_low_branch_[i];
  }
  return rest.missing_branch;
}

void Predictor::branches_of_node(std::int32_t number, std::span<const Column> columns,
                                 std::span<const std::uint32_t> rows, std::int32_t* branches) const {
  const auto at = position_[static_cast<std::size_t>(number)];
  const auto node = nodes_[at];
  const auto& column = columns[node.column];
  with_type(column.type(), [&]<class Value>() {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto key = node_key(column.value<Value>(rows[i]));
      const auto branch = node.branch(key, std::is_same_v<Value, std::int64_t>, branch_table_.data());
      branches[i] = branch != kAsk ? static_cast<std::int32_t>(branch) : branch_asked(at, columns, rows[i]);
    }
  });
}

std::int32_t Predictor::branch_of(std::uint32_t at, std::span<const Column> columns, std::size_t row) const {
  const auto& node = nodes_[at];
  const auto& column = columns[node.column];
  const auto key =
      with_type(column.type(), [&]<class Value>() { return node_key(column.value<Value>(row)); });
  const auto branch = node.branch(key, column.type() == ValueType::Int64, branch_table_.data());
  return branch != kAsk ? static_cast<std::int32_t>(branch) : branch_asked(at, columns, row);
}

std::uint32_t Predictor::next_of(std::uint32_t at, std::span<const Column> columns, std::size_t row) const {
  const auto branch = branch_of(at, columns, row);
  if (branch == kEveryBranch) return end_of_spread();
  return branch == kNoBranch ? end_of_stop(at) : nodes_[at].first_child + static_cast<std::uint32_t>(branch);
}

// Every way down that the row takes, with what is left of it there; branch by branch, so that leaves rise.
void Predictor::spread_row(std::span<const Column> columns, std::size_t row, std::vector<Part>& parts,
                           Shares& out) const {
  parts.assign(1, {0, 1});
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
        if (share_[child] > 0) parts.push_back({child, share * share_[child]});
      }
    }
  }
}

Predictor::Shares Predictor::spread(std::span<const Column> columns, std::size_t n_rows) const {
  check_kinds(columns);
  std::vector<Part> parts;
  Shares shares;
  for (std::size_t row = 0; row < n_rows; ++row) {
    heed_interrupts_at(row, 256);  // a row may come to every leaf
    spread_row(columns, row, parts, shares);
    shares.begin.push_back(static_cast<std::int64_t>(shares.leaf.size()));
  }
  return shares;
}

void Predictor::check_kinds(std::span<const Column> columns) const {
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
