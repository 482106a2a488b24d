#include "treewright/engine/counting_engine.hpp"

namespace treewright {
namespace {

// Counting a node has a fixed cost for its bins; sorting this few rows is as fast.
constexpr std::uint32_t kCountAbove = 2048;

// A tree with smaller nodes than this grows faster in lists: its rows would all be sorted in the end, node by
// node, and sorting whole columns takes less time.
constexpr std::uint32_t kFewRows = 256;

// With many classes, bounds pay only in tables of at least this many rows; in smaller ones lists are as fast.
constexpr std::uint32_t kRowsOfManyClasses = 1'000'000;

// The steps of numeric targets suit the heaviest row. If the lightest is lighter by more than this factor,
// too many cuts look equal.
constexpr std::int64_t kWeightsApart = 1 << 14;

bool are_close(const Weights& weights) {
  if (weights.all_equal()) return true;
  const auto [lightest, heaviest] = std::ranges::minmax(weights.of_slot);
  return heaviest / lightest <= kWeightsApart;
}

// Rows of a subtree that one thread grows: few, so that its records stay in a near cache; more in large
// tables, so that all threads share fewer nodes, but not so many that some threads end much later than
// others.
constexpr std::uint32_t kRowsOfThread = 65'536;
std::uint32_t rows_of_thread(std::uint32_t n_rows, std::uint32_t n_threads) {
  return std::min(std::max(kRowsOfThread, n_rows / (16 * n_threads)), n_rows / (4 * n_threads));
}

bool ends_in_large_nodes(const Table& table, const Limits& limits) {
  if (limits.max_leaves > 0 && table.n_slots / limits.max_leaves >= kFewRows) return true;
  return limits.max_depth >= 0 && limits.max_depth < 32 && table.n_slots >> limits.max_depth >= kFewRows;
}

// Nodes of more rows than this are counted; none: no node is.
std::optional<std::uint32_t> rows_to_count(const Growth& growth) {
  const auto& [table, target, recipe, pool, watch, is_fractional] = growth;
  const auto above = recipe.count_above.value_or(kCountAbove);
  const bool is_asked =
      recipe.count_above || (!table.is_ordered && ends_in_large_nodes(table, recipe.limits));
  if (!is_asked || table.n_slots <= above || above > NarrowLists<std::uint16_t>::kCapacity) return {};
  const bool fills_gaps =
      !table.has_gaps() ||
      (recipe.penalty == Penalty::Linear &&
       (recipe.missing == Missing::Learned || recipe.missing == Missing::Majority ||
        (recipe.missing == Missing::OwnBranch && recipe.criterion->word != "misclassification")));
  const bool is_served = !is_fractional && !table.columns.empty() && fills_gaps &&
                         has_plain_cuts(table, recipe) &&
                         table.n_slots <= CutBounds<TwoClassRows>::kMostRows &&
                         table.columns.size() <= IntervalSearch<TwoClassRows>::kMostColumns;
  return is_served ? std::optional(above) : std::nullopt;
}

template <class Kind>
std::vector<GrowingTree> grow_kind(const Growth& growth, std::uint32_t above) {
  const auto& criterion = *growth.recipe.criterion;
  growth.watch.path = "large nodes counted by bins, ";
  growth.watch.path +=
      growth.target.n_classes == 2 && criterion.word == "gini" ? "two running sums" : criterion.carries;
  growth.table.drop_lists();
  growth.table.is_ordered = false;
  CountedRows<Kind> shared(growth, above);
  CountingEngine<Kind> engine(growth, shared, &growth.pool);
  return growth.grow(engine);
}

template <class Kind>
std::optional<std::vector<GrowingTree>> grow_as(const Growth& growth, std::uint32_t above) {
  if (!cut_bounds<Kind>(growth.recipe.criterion->word)) return {};
  return grow_kind<Kind>(growth, above);
}

// (Functions, not lambdas: Clang 14 does not instantiate what lambdas in lambdas call.)
template <bool kWeighted>
std::optional<std::vector<GrowingTree>> grow_by_weights(const Growth& growth, std::uint32_t above) {
  const auto n_classes = growth.target.n_classes;
  if (n_classes == 0) {
    if (!growth.recipe.count_above && !are_close(growth.target.weights)) return {};
    return growth.recipe.criterion->needs_no_negatives
               ? grow_as<NumberRows<PoissonDeviance, kWeighted>>(growth, above)
               : grow_as<NumberRows<SquaredDistance, kWeighted>>(growth, above);
  }
  if (n_classes <= 2)
    return grow_as<std::conditional_t<kWeighted, ClassRows<2, true>, TwoClassRows>>(growth, above);
  if (n_classes <= 8) return grow_as<ClassRows<8, kWeighted>>(growth, above);
  const bool pays = kWeighted || growth.recipe.count_above || growth.table.n_slots >= kRowsOfManyClasses;
  if (n_classes <= 32 && pays) return grow_as<ClassRows<32, kWeighted>>(growth, above);
  return {};
}

}  // namespace

std::optional<std::vector<GrowingTree>> grow_counted(const Growth& growth) {
  const auto above = rows_to_count(growth);
  if (!above) return {};
  const auto& criterion = *growth.recipe.criterion;
  const auto n_classes = growth.target.n_classes;
  const bool knows_impurity = n_classes == 2 && criterion.word == "gini";
  if (growth.recipe.limits.min_impurity > 0 && !knows_impurity) return {};
  if (n_classes == 0 && growth.recipe.leaf_value != LeafValue::Mean) return {};
  return growth.target.weights.all_equal() ? grow_by_weights<false>(growth, *above)
                                           : grow_by_weights<true>(growth, *above);
}

template <class Kind>
CountingEngine<Kind>::CountingEngine(const Growth& growth, CountedRows<Kind>& shared, Pool* pool)
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

template <class Kind>
NodeStatistics CountingEngine<Kind>::facts_of(const Summary& summary) const {
  NodeStatistics facts{.rows = summary.rows(), .weight = summary.weight(), .is_pure = summary.is_pure()};
  if (recipe_.limits.min_impurity > 0) facts.impurity = summary.impurity();
  return facts;
}

template <class Kind>
std::size_t CountingEngine<Kind>::n_blocks_of(std::uint32_t n_rows) {
  const auto n_blocks = n_row_blocks(pool_, n_rows);
  while (counters_.size() < n_blocks) counters_.emplace_back(n_columns());
  return n_blocks;
}

// Counts are kept to derive those of a child by subtraction. If very many nodes wait, their rows are counted
// again instead.
template <class Kind>
bool CountingEngine<Kind>::has_room_for_counts() const {
  constexpr std::size_t kLeast = std::size_t{64} << 20;
  const auto room = std::max(kLeast, coded_.n_rows() * coded_.stride() / 8);
  return n_kept_ * n_columns() * ValueBins::kBins * sizeof(Count) <= room;
}

template <class Kind>
void CountingEngine<Kind>::count(OpenNode& node, const Summary& summary) {
  if (node.handle.store == 0) node.handle.store = keep();
  auto& kept = kept_.at(node.handle.store);
  kept.summary = summary;
  kept.measure = {growth_.target, summary};
  const auto n_blocks = n_blocks_of(node.handle.size());
  for_row_blocks(pool_, node.handle.size(), [&](std::size_t i, auto begin, auto end) {
    counters_[i].add(records(node) + begin * coded_.stride(), end - begin, coded_.stride(), n_columns(),
                     kept.measure);
  });
  work_.scanned += std::int64_t{node.handle.size()} * static_cast<std::int64_t>(n_columns());
  collect_counts(n_blocks, kept.counts);
}

template <class Kind>
void CountingEngine<Kind>::collect_counts(std::size_t n_blocks, BinCounts<Kind>& counts) {
  counts.clear();
  for (std::size_t i = 0; i < n_blocks; ++i) counters_[i].move_to(counts);
}

template <class Kind>
OpenNode CountingEngine<Kind>::root() {
  OpenNode node{.handle = {0, coded_.n_rows(), 0}};
  std::vector<Summary> parts(n_row_blocks(pool_, coded_.n_rows()));
  for_row_blocks(pool_, coded_.n_rows(),
                 [&](std::size_t i, auto begin, auto end) { parts[i] = {growth_.target, begin, end}; });
  const auto summary =
      std::accumulate(parts.begin() + 1, parts.end(), parts[0], [](auto sum, const auto& more) {
        sum += more;
        return sum;
      });
  count(node, summary);
  node.facts = facts_of(summary);
  return node;
}

template <class Kind>
void CountingEngine<Kind>::propose_one(const OpenNode& node, Proposal& proposal) {
  work_.look_into_node<TableLists::Index>();
  auto& [summary, measure, counts] = kept_.at(node.handle.store);
  // The bins of any one column add up to the whole node.
  const auto all = std::accumulate(counts.begin(), counts.begin() + ValueBins::kBins, Count{});
  search_.find({records(node), all, counts, summary, measure, recipe_}, proposal.candidates);
  work_.scanned += search_.n_scanned();
  if (pool_ != nullptr) work_.alone += search_.n_alone();
  if (!has_room_for_counts()) counts = BinCounts<Kind>();
}

template <class Kind>
Question CountingEngine<Kind>::ask_one(const OpenNode& node) {
  const auto& winner = node.winner;
  auto question = threshold(recipe_, node, winner.cut, 0);
  const auto ways = arrangements(recipe_.missing);
  if (winner.n_missing > 0 && ways.own_branch) {
    question.missing_branch = question.n_branches++;
  } else if (winner.n_missing > 0 || (ways.known_only && recipe_.missing != Missing::Spread)) {
    question.missing_branch = winner.missing_left ? 0 : 1;
  }
  return question;
}

template <class Kind>
void CountingEngine<Kind>::route_one(const OpenNode& node, const Question& question,
                                     std::span<OpenNode> children) {
  const auto n = node.handle.size(), n_missing = node.winner.n_missing;
  const typename CodedRows<Kind>::Place at(coded_, node.column(), question.cut, question.missing_branch);
  const auto n_third = at.has_third ? n_missing : 0;
  const auto n_left = node.winner.n_left + (at.missing_left ? n_missing : 0), n_right = n - n_left - n_third;
  const std::size_t counted = n_left <= n_right ? 0 : 1;  // the smaller child
  const auto larger = std::max(n_left, n_right);
  // (With a third child, that would have to be counted as well for the larger one's to be the remainder.)
  const bool counts = is_counted({.rows = larger, .weight = node.facts.weight}, node.depth + 1) &&
                      !at.has_third && !kept_.at(node.handle.store).counts.empty();
  const auto last = node.handle.end - n_third;
  typename CodedRows<Kind>::Ends ends{node.handle.begin, last, last};
  const auto n_blocks = n_blocks_of(n);
  std::vector<typename CodedRows<Kind>::Branches> parts(n_blocks);
  const auto& measure = kept_.at(node.handle.store).measure;
  for_row_blocks(pool_, n, [&](std::size_t i, auto begin, auto end) {
    coded_.part(node.depth, node.handle.begin + begin, end - begin, at, ends, parts[i],
                [&](std::size_t branch, const std::uint8_t* written, std::uint32_t n_written) {
                  if (counts && branch == counted)
                    counters_[i].add(written, n_written, coded_.stride(), n_columns(), measure);
                });
  });
  work_.moved += n;
  auto& summaries = parts[0];
  for (std::size_t i = 1; i < n_blocks; ++i) {
    for (std::size_t branch = 0; branch < summaries.size(); ++branch) summaries[branch] += parts[i][branch];
  }
  const auto middle = node.handle.begin + summaries[0].rows();
  children[0].handle = {node.handle.begin, middle};
  children[1].handle = {middle, last};
  if (at.has_third) children[2].handle = {last, node.handle.end};
  for (std::size_t i = 0; i < children.size(); ++i) children[i].facts = facts_of(summaries[i]);
  auto &small = children[counted], &large = children[1 - counted];
  large.handle.store = node.handle.store;
  if (counts) {
    small.handle.store = keep();
    auto &of_small = kept_.at(small.handle.store), &of_large = kept_.at(large.handle.store);
    collect_counts(n_blocks, of_small.counts);
    of_small.measure = of_large.measure;
    of_small.summary = summaries[counted];
    of_large.summary = summaries[1 - counted];
    for (std::size_t i = 0; i < of_large.counts.size(); ++i)
      of_large.counts[i] = of_large.counts[i] - of_small.counts[i];
    work_.scanned += small.facts.rows * static_cast<std::int64_t>(n_columns());
  } else {
    leave(std::exchange(large.handle.store, 0));
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    auto& child = children[i];
    const bool is_needed = is_counted(child.facts, child.depth);
    if (!is_needed) leave(std::exchange(child.handle.store, 0));
    // If another thread changed values meanwhile, the child taken for the smaller may be the larger one.
    const auto store = child.handle.store;
    if (is_needed && (store == 0 || !kept_.at(store).measure.suits(summaries[i]))) count(child, summaries[i]);
  }
}

template <class Kind>
std::span<const TableLists::Index> CountingEngine<Kind>::list_members(const OpenNode& node) {
  auto* members = shared_.lists.members() + node.handle.begin;
  const auto* record = records(node);
  for (std::uint32_t i = 0; i < node.handle.size(); ++i, record += coded_.stride())
    members[i] = coded_.slot(coded_.tag(record));
  return {members, node.handle.size()};
}

template <class Kind>
void CountingEngine<Kind>::settle_one(const OpenNode& node, LeafStore& leaves) {
  leave(node.handle.store);
  if constexpr (Kind::kIsExact) {
    Summary summary;
    const auto* end = records(node) + coded_.stride();
    for (std::uint32_t i = 0; i < node.handle.size(); ++i, end += coded_.stride())
      summary.add(end, growth_.target);
    summary.settle(leaves);
  } else {
    shared_.scan->settle(list_members(node), node.facts, leaves);
  }
}

template <class Kind>
void CountingEngine<Kind>::finish(std::span<const OpenNode> nodes, GrowingTree& growing) {
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

// Grow a node of `all`, the engine of the whole table, into its tree by this thread.
template <class Kind>
void CountingEngine<Kind>::grow_rest(CountingEngine& all, OpenNode node, GrowingTree& growing) {
  if (node.handle.store > 0) {
    auto& kept = all.kept_.at(node.handle.store);
    node.handle.store = keep();
    kept_.at(node.handle.store) = std::exchange(kept, {});
  }
  grower_.grow(*this, node, growing);
}

template <class Kind>
void CountingEngine<Kind>::grow_in_lists(const OpenNode& node, GrowingTree& growing) {
  list_members(node);
  work_.sorted += 2 * std::int64_t{node.handle.size()} * static_cast<std::int64_t>(n_columns());
  lists_.grow_rest(shared_.lists, *shared_.scan, node, growing);
}

}  // namespace treewright
