#include "treewright/engine/counting_engine.hpp"

namespace treewright {
namespace {

// Counting a node takes a while for its bins, and its rows are put in order as quickly.
constexpr std::uint32_t kCountAbove = 2048;

// A tree that goes down to nodes of fewer rows is sooner grown in lists: its rows end up in order anyway,
// piece by piece, and to put whole columns in order takes less.
constexpr std::uint32_t kFewRows = 256;

// What one thread grows, so that its records stay in a near cache; in large tables more, so that threads need
// not meet for so many nodes, and yet so little that they end together.
constexpr std::uint32_t kRowsOfThread = 65'536;
std::uint32_t rows_of_thread(std::uint32_t n_rows, std::uint32_t n_threads) {
  return std::min(std::max(kRowsOfThread, n_rows / (16 * n_threads)), n_rows / (4 * n_threads));
}

constexpr std::uint32_t kRowsOfBlock = 16384;

bool ends_in_large_nodes(const Table& table, const Limits& limits) {
  return limits.max_depth >= 0 && limits.max_depth < 32 && table.n_slots >> limits.max_depth >= kFewRows;
}

}  // namespace

std::optional<std::uint32_t> rows_to_count(const Growth& growth) {
  const auto& [table, target, recipe, pool, watch, is_fractional] = growth;
  const auto above = recipe.count_above.value_or(kCountAbove);
  const bool is_asked =
      recipe.count_above || (!table.is_ordered && ends_in_large_nodes(table, recipe.limits));
  if (!is_asked || table.n_slots <= above || above > NarrowLists<std::uint16_t>::kCapacity) return {};
  const bool is_known = two_class_bounds(recipe.criterion->word) != nullptr &&
                        (recipe.criterion->word == "gini" || recipe.limits.min_impurity == 0);
  const bool is_served = target.n_classes == 2 && is_known && !is_fractional && target.weights.all_equal() &&
                         table.row_of_slot.empty() && !table.columns.empty() && !table.has_gaps() &&
                         has_plain_cuts(table, recipe) && recipe.limits.max_leaves < 0 &&
                         table.n_slots <= TwoClassBounds::kMostRows &&
                         table.columns.size() <= IntervalSearch::kMostColumns;
  return is_served ? std::optional(above) : std::nullopt;
}

CountingEngine::CountingEngine(const Growth& growth, CountedRows& shared, Pool* pool)
    : growth_(growth),
      shared_(shared),
      pool_(pool),
      judge_(shared.scan->make_narrow()),
      search_(growth, shared.coded, *judge_, pool),
      finish_at_(shared.count_above) {
  judge_->take(*shared.scan, {});
  if (pool == nullptr) return;
  const auto n_threads = static_cast<std::uint32_t>(pool->n_threads());
  finish_at_ = std::max(finish_at_, rows_of_thread(coded_.n_rows(), n_threads));
  rest_.resize(n_threads);
}

template <class Do>
std::size_t CountingEngine::for_blocks(std::uint32_t n_rows, const Do& each) {
  const auto n_threads = pool_ == nullptr ? 1 : static_cast<std::uint32_t>(pool_->n_threads());
  const auto size = n_threads == 1 ? n_rows : std::max(kRowsOfBlock, n_rows / (2 * n_threads) + 1);
  const std::size_t n_blocks = (n_rows + size - 1) / size;
  while (counters_.size() < n_blocks) counters_.emplace_back(n_columns());
  const auto run = [&](std::size_t i, int) {
    const auto begin = static_cast<std::uint32_t>(i) * size;
    each(i, begin, std::min(n_rows, begin + size));
  };
  n_blocks > 1 ? pool_->run(n_blocks, run) : run(0, 0);
  return n_blocks;
}

NodeStatistics CountingEngine::facts_of(const TwoClassCount& all) const {
  NodeStatistics facts{
      .rows = all.rows, .weight = all.rows, .is_pure = all.ones == 0 || all.ones == all.rows};
  if (recipe_.limits.min_impurity > 0 && all.rows > 0) facts.impurity = gini_of({all.ones, all.rows});
  return facts;
}

void CountingEngine::count(OpenNode& node) {
  node.handle.store = counts_.add();
  const auto n_blocks = for_blocks(node.handle.size(), [&](std::size_t i, auto begin, auto end) {
    counters_[i].add(records(node) + begin * coded_.stride(), end - begin, coded_.stride(), n_columns());
  });
  work_.scanned += std::int64_t{node.handle.size()} * static_cast<std::int64_t>(n_columns());
  collect_counts(n_blocks, counts_.at(node.handle.store));
}

void CountingEngine::collect_counts(std::size_t n_blocks, BinCounts& counts) {
  counts.clear();
  for (std::size_t i = 0; i < n_blocks; ++i) counters_[i].move_to(counts);
}

// Of a node that is counted; any column tells.
TwoClassCount CountingEngine::classes_of(const OpenNode& node) {
  const auto& counts = counts_.at(node.handle.store);
  return std::accumulate(counts.begin(), counts.begin() + ValueBins::kBins, TwoClassCount{});
}

OpenNode CountingEngine::root() {
  OpenNode node{.handle = {0, coded_.n_rows(), 0}};
  count(node);
  node.facts = facts_of(classes_of(node));
  return node;
}

void CountingEngine::propose_one(const OpenNode& node, Proposal& proposal) {
  work_.look_into_node<TableLists::Index>();
  const auto least = recipe_.limits.least_side();
  search_.find(
      {records(node), classes_of(node), counts_.at(node.handle.store), {least, node.facts.rows - least}},
      proposal.candidates);
  work_.scanned += search_.n_scanned();
  if (pool_ != nullptr) work_.alone += search_.n_alone();
}

Question CountingEngine::ask_one(const OpenNode& node) {
  return threshold(recipe_, node, node.winner.cut, 0);
}

void CountingEngine::route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) {
  const auto n = node.handle.size(), n_left = node.winner.n_left;
  const std::size_t counted = n_left <= n - n_left ? 0 : 1;  // the smaller child
  const auto larger = std::max(n_left, n - n_left);
  const bool counts = larger > shared_.count_above &&
                      recipe_.why_closed({.rows = larger, .weight = larger}, node.depth + 1) == Stop::None;
  const auto column = node.column();
  const auto& values = growth_.table.columns[column];
  const auto cut_bin = coded_.bins(column).bin_of(
      values.type() == ValueType::Int64 ? static_cast<double>(question.cut.integer) : question.cut.number);
  const auto goes_right = [&](std::uint32_t row) -> std::uint8_t {
    return !values.at_most(row, question.cut);
  };
  CodedRows::Ends ends{node.handle.begin, node.handle.end};
  std::vector<TwoClassCount> lefts(2 * static_cast<std::size_t>(pool_ == nullptr ? 1 : pool_->n_threads()));
  const auto n_blocks = for_blocks(n, [&](std::size_t i, auto begin, auto end) {
    lefts[i] = coded_.part(node.depth, node.handle.begin + begin, end - begin, column, cut_bin, goes_right,
                           ends, counted == 1, counts ? &counters_[i] : nullptr);
  });
  work_.moved += n;
  const auto left = std::accumulate(lefts.begin(), lefts.end(), TwoClassCount{});
  const auto all = classes_of(node);
  children[0].handle = {node.handle.begin, node.handle.begin + left.rows};
  children[1].handle = {node.handle.begin + left.rows, node.handle.end};
  children[0].facts = facts_of(left);
  children[1].facts = facts_of(all - left);
  auto &small = children[counted], &large = children[1 - counted];
  large.handle.store = node.handle.store;
  if (counts) {
    small.handle.store = counts_.add();
    auto &of_small = counts_.at(small.handle.store), &of_large = counts_.at(large.handle.store);
    collect_counts(n_blocks, of_small);
    for (std::size_t i = 0; i < of_large.size(); ++i) of_large[i] = of_large[i] - of_small[i];
    work_.scanned += small.facts.rows * static_cast<std::int64_t>(n_columns());
  } else {
    counts_.leave(std::exchange(large.handle.store, 0));
  }
  for (auto& child : children) {
    const bool is_needed =
        child.facts.rows > shared_.count_above && recipe_.why_closed(child.facts, child.depth) == Stop::None;
    if (!is_needed) counts_.leave(std::exchange(child.handle.store, 0));
    // Another thread may have changed values meanwhile, and the smaller child be the larger one.
    if (is_needed && child.handle.store == 0) count(child);
  }
}

void CountingEngine::settle_one(const OpenNode& node, LeafStore& leaves) {
  counts_.leave(node.handle.store);
  TwoClassCount all;
  const auto* record = records(node);
  for (std::uint32_t i = 0; i < node.handle.size(); ++i, record += coded_.stride())
    all += {1, coded_.tag(record) >> 31};
  settle_classes({all.ones, all.rows}, leaves);
}

void CountingEngine::finish(std::span<const OpenNode> nodes, GrowingTree& growing) {
  if (pool_ == nullptr) {
    for (const auto& node : nodes) grow_in_lists(node, growing);
    return;
  }
  grow_subtrees(*pool_, nodes, growing, subtrees_,
                [&](const OpenNode& node, GrowingTree& subtree, std::size_t thread) {
                  auto& rest = rest_[thread];
                  if (!rest) rest = std::make_unique<CountingEngine>(growth_, shared_, nullptr);
                  rest->grow_rest(*this, node, subtree);
                });
}

// Grow a node of the engine for all, here, into its tree.
void CountingEngine::grow_rest(CountingEngine& all, OpenNode node, GrowingTree& growing) {
  if (node.handle.store > 0) {
    auto& counts = all.counts_.at(node.handle.store);
    node.handle.store = counts_.add();
    counts_.at(node.handle.store) = std::move(counts);
  }
  grower_.grow(*this, node, growing);
}

void CountingEngine::grow_in_lists(const OpenNode& node, GrowingTree& growing) {
  auto* members = shared_.lists.members() + node.handle.begin;
  const auto* record = records(node);
  for (std::uint32_t i = 0; i < node.handle.size(); ++i, record += coded_.stride())
    members[i] = CodedRows::row(coded_.tag(record));
  work_.sorted += 2 * std::int64_t{node.handle.size()} * static_cast<std::int64_t>(n_columns());
  lists_.grow_rest(shared_.lists, *shared_.scan, node, growing);
}

}  // namespace treewright
