#include "treewright/predict/predict.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/interrupt.hpp"      // for heed_interrupts
#include "treewright/tree/question.hpp"  // for kEveryBranch, kNoBranch

namespace treewright {

Router::Router(const TreeViews& tree) {
  check_tree(tree);
  note_kinds(tree);
  take_sets(tree.question);
  const auto& questions = tree.surrogate;
  const auto before = static_cast<std::uint32_t>(codes_.size());
  for (std::size_t i = 0; i < questions.column.size(); ++i) {
    surrogates_.push_back({.cut = {questions.cut[i], questions.cut_integer[i]},
                           .column = questions.column[i],
                           .low_branch = tree.surrogate_low_branch[i],
                           .set = {before + static_cast<std::uint32_t>(questions.set_begin[i]),
                                   before + static_cast<std::uint32_t>(questions.set_begin[i + 1])}});
  }
  take_sets(questions);
  lay_out(tree);
  if (spreads_) share_out(tree);
  lay_out_numbers(tree);
}

void Router::note_kinds(const TreeViews& tree) {
  std::set<Kind> kinds;
  const auto note = [&](const QuestionViews& questions) {
    for (std::size_t i = 0; i < questions.column.size(); ++i) {
      const bool has_set = questions.set_begin[i] < questions.set_begin[i + 1];
      if (questions.column[i] >= 0) kinds.insert({questions.column[i], has_set});
    }
  };
  note(tree.question);
  for (const auto& kind : kinds) asked_.push_back(kind.column);
  note(tree.surrogate);
  kinds_.assign(kinds.begin(), kinds.end());
  const auto twice = std::ranges::adjacent_find(kinds_, {}, &Kind::column);
  if (twice != kinds_.end())
    throw std::invalid_argument("not a tree: some questions take column " + std::to_string(twice->column) +
                                " for numbers, others for categories");
}

void Router::take_sets(const QuestionViews& questions) {
  codes_.insert(codes_.end(), questions.set_code.begin(), questions.set_code.end());
  branches_.insert(branches_.end(), questions.set_branch.begin(), questions.set_branch.end());
}

void Router::lay_out(const TreeViews& tree) {
  const Children children{tree.child_begin, tree.child};
  const auto n = children.n_nodes();
  const auto add_leaf = [&] {
    nodes_.push_back({kGapKey, kGapKey, 0, static_cast<std::uint32_t>(nodes_.size()), 0, 0});
  };
  rest_.resize(n);
  place_.resize(n);
  ways_.push_back(0);  // of leaves
  number_.push_back(0);
  std::size_t level_end = 1;
  std::uint32_t n_stops = 0;
  for (std::size_t at = 0; at < n; ++at) {
    if (at == level_end) {
      ++depth_;
      level_end = number_.size();
    }
    const auto id = static_cast<std::size_t>(number_[at]);
    place_[id] = static_cast<std::uint32_t>(at);
    add_leaf();
    if (children.n_of(id) == 0) continue;
    lay_out_node(tree, id, nodes_[at], rest_[at]);
    if (rest_[at].missing_branch == kNoBranch) rest_[at].stop = static_cast<std::uint32_t>(n) + ++n_stops;
    number_.insert(number_.end(), children.of(id).begin(), children.of(id).end());
  }
  number_.push_back(kSpread);
  for (std::size_t at = 0; at < n; ++at) {
    if (rest_[at].stop) number_.push_back(number_[at]);
  }
  while (nodes_.size() < number_.size()) add_leaf();
  lets_rows_stop_ = n_stops > 0;
}

void Router::lay_out_node(const TreeViews& tree, std::size_t id, KeyNode& node, Rest& rest) {
  const auto& questions = tree.question;
  const auto asked = std::ranges::lower_bound(asked_, questions.column[id]) - asked_.begin();
  node.column = static_cast<std::uint32_t>(asked);
  node.first_child = static_cast<std::uint32_t>(number_.size());
  node.cut = signed_key(key_of(questions.cut[id]));
  node.cut_integer = signed_key(key_of(questions.cut_integer[id]));
  rest = {.n_children = static_cast<std::uint32_t>(tree.child_begin[id + 1] - tree.child_begin[id]),
          .missing_branch = tree.missing_branch[id],
          .first_surrogate = static_cast<std::uint32_t>(tree.surrogate_begin[id]),
          .last_surrogate = static_cast<std::uint32_t>(tree.surrogate_begin[id + 1]),
          .set = {static_cast<std::uint32_t>(questions.set_begin[id]),
                  static_cast<std::uint32_t>(questions.set_begin[id + 1])}};
  spreads_ |= rest.missing_branch == kEveryBranch;
  lay_out_ways(node, rest);
}

void Router::lay_out_ways(KeyNode& node, Rest& rest) {
  constexpr std::size_t kMostWays = std::size_t{1} << 22;  // for a tree, in tables
  // Where a row without a value goes, if that takes no more than a number to tell.
  const bool is_told = rest.first_surrogate == rest.last_surrogate && rest.missing_branch >= 0 &&
                       rest.missing_branch < static_cast<std::int32_t>(kAsk);
  const auto otherwise = is_told ? static_cast<std::uint16_t>(rest.missing_branch) : kAsk;
  const auto begin = ways_.size();
  node.ways = static_cast<std::uint32_t>(begin);
  if (rest.set.asks()) {
    const auto least = codes_[rest.set.begin];
    // In 64 bits, for a set may end with the largest code there is.
    const auto width = static_cast<std::size_t>(std::int64_t{codes_[rest.set.end - 1]} - least) + 1;
    node.cut = least;
    if (begin + width >= kMostWays || rest.n_children >= kAsk) {
      node.width = 1;
      ways_.insert(ways_.end(), 2, kAsk);  // looked up in the list
      return;
    }
    node.width = static_cast<std::uint32_t>(width);
    ways_.resize(begin + width, otherwise);
    for (auto i = rest.set.begin; i < rest.set.end; ++i)
      ways_[begin + static_cast<std::size_t>(codes_[i] - least)] = static_cast<std::uint16_t>(branches_[i]);
    rest.set = {};
  }
  ways_.push_back(otherwise);
}

void Router::lay_out_numbers(const TreeViews& tree) {
  const bool has_categories = std::ranges::any_of(kinds_, &Kind::has_categories);
  if (has_categories || (!asked_.empty() && asked_.back() > kLastColumn)) return;
  for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
    numbers_.push_back({std::numeric_limits<double>::infinity(), 0, 0, at});
    if (is_leaf(at)) continue;
    const auto& node = nodes_[at];
    numbers_.back() = {tree.question.cut[static_cast<std::size_t>(number_[at])],
                       static_cast<std::uint16_t>(asked_[node.column]), ways_[node.ways], node.first_child};
  }
}

// Rows without a value are shared out as the weight of the children is.
void Router::share_out(const TreeViews& tree) {
  share_.assign(rest_.size(), 1);
  for (std::size_t at = 0; at < rest_.size(); ++at) {
    if (is_leaf(at)) continue;
    const auto below = std::span(number_).subspan(nodes_[at].first_child, rest_[at].n_children);
    double sum = 0;
    for (const auto id : below) sum += tree.weight[static_cast<std::size_t>(id)];
    auto* share = share_.data() + nodes_[at].first_child;
    for (const auto id : below) *share++ = tree.weight[static_cast<std::size_t>(id)] / sum;
  }
}

// -1: the category has no branch
std::int32_t Router::find(const Set& set, std::int32_t code) const {
  const auto begin = codes_.begin() + set.begin, end = codes_.begin() + set.end;
  const auto found = std::lower_bound(begin, end, code);
  return found != end && *found == code ? branches_[static_cast<std::size_t>(found - codes_.begin())] : -1;
}

std::int32_t Router::branch_of(std::size_t at, std::span<const Column> columns, std::size_t row) const {
  const auto& column = column_of(nodes_[at], columns);
  const auto key = with_keys(column, [&](const auto& key_of_row) { return key_of_row(row); });
  const auto branch = nodes_[at].branch(key, column.type() == ValueType::Int64, ways_.data());
  return branch != kAsk ? static_cast<std::int32_t>(branch) : branch_asked(at, columns, row);
}

void Router::branches_of_node(std::int32_t number, std::span<const Column> columns,
                              std::span<const std::uint32_t> rows, std::int32_t* branches) const {
  const auto at = place_[static_cast<std::size_t>(number)];
  const auto& node = nodes_[at];
  const auto& column = column_of(node, columns);
  const auto* const ways = ways_.data() + node.ways;
  const auto cut = column.type() == ValueType::Int64 ? node.cut_integer : node.cut;
  const std::uint64_t width = node.width;
  const auto fill = [&](const auto& branch_of_row) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t branch = branch_of_row(rows[i]);
      branches[i] = branch != kAsk ? branch : branch_asked(at, columns, rows[i]);
    }
  };
  if (width != 0) {
    fill([&](std::size_t row) {
      return ways[std::min(static_cast<std::uint64_t>(column.code(row)) - static_cast<std::uint64_t>(cut),
                           width)];
    });
  } else {
    with_keys(column, [&](const auto& key_of_row) {
      fill([&](std::size_t row) {
        const auto key = key_of_row(row);
        return key == kGapKey ? *ways : key > cut;
      });
    });
  }
}

// The branch of a row that a node of a walk does not tell.
std::int32_t Router::branch_asked(std::size_t at, std::span<const Column> columns, std::size_t row) const {
  const auto& rest = rest_[at];
  if (rest.set.asks()) {
    const auto branch = find(rest.set, column_of(nodes_[at], columns).code(row));
    if (branch >= 0) return branch;
  }
  for (auto i = rest.first_surrogate; i < rest.last_surrogate; ++i) {
    const auto& surrogate = surrogates_[i];
    const auto& column = columns[static_cast<std::size_t>(surrogate.column)];
    if (surrogate.set.asks()) {
      const auto branch = find(surrogate.set, column.code(row));
      if (branch >= 0) return branch;
    } else if (column.key(row) != kMissingKey) {
      return column.at_most(row, surrogate.cut) ? surrogate.low_branch : 1 - surrogate.low_branch;
    }
  }
  return rest.missing_branch;
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
  if (branch == kEveryBranch) return static_cast<std::uint32_t>(rest_.size());
  return branch == kNoBranch ? rest_[at].stop : nodes_[at].first_child + static_cast<std::uint32_t>(branch);
}

// Every way down that the row takes, with what is left of it there; branch by branch, so that leaves rise.
void Router::spread_row(std::span<const Column> columns, std::size_t row, Spread& spread) const {
  auto& [parts, out] = spread;
  parts.assign(1, {0, 1});
  while (!parts.empty()) {
    const auto [at, share] = parts.back();
    parts.pop_back();
    const auto first_child = nodes_[at].first_child;
    const auto branch = is_leaf(at) ? kNoBranch : branch_of(at, columns, row);
    if (branch == kNoBranch) {
      out.leaf.push_back(number_[at]);
      out.share.push_back(share);
      continue;
    }
    if (branch != kEveryBranch) {
      parts.push_back({first_child + static_cast<std::uint32_t>(branch), share});
      continue;
    }
    for (auto child = first_child + rest_[at].n_children; child-- > first_child;) {
      if (share_[child] > 0) parts.push_back({child, share * share_[child]});
    }
  }
  out.begin.push_back(static_cast<std::int64_t>(out.leaf.size()));
}

Router::Shares Router::spread(std::span<const Column> columns, std::size_t n_rows) const {
  check_kinds(columns);
  Spread spread;
  for (std::size_t row = 0; row < n_rows; ++row) {
    heed_interrupts_at(row, 256);  // a row may come to every leaf
    spread_row(columns, row, spread);
  }
  return std::move(spread.shares);
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
