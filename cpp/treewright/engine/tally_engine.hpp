// The local engine where columns have few distinct values: a node has its rows counted by code, column by
// column, and there is one list to part. Nodes of few rows are counted again for each column if values are
// very few, and otherwise go on in lists.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "treewright/engine/best_cut_engine.hpp"  // for BestCutEngine
#include "treewright/engine/coded_rows.hpp"       // for CodedRows
#include "treewright/engine/grower.hpp"           // for Grower, grow_subtrees
#include "treewright/engine/list_growth.hpp"      // for SmallLists
#include "treewright/engine/value_counts.hpp"     // for kFewRows
#include "treewright/interrupt.hpp"               // for heed_interrupts
#include "treewright/pool.hpp"                    // for Pool
#include "treewright/search/scan.hpp"             // for Scan

namespace treewright {

// Of the whole table, or of at most kNarrowRows rows, whose counts take less room.
template <class WideCounts, bool kIsTop = true>
class TallyEngine final : public BestCutEngine {
  using Counts = std::conditional_t<kIsTop, WideCounts, typename WideCounts::Narrow>;
  using Cell = typename Counts::Cell;
  using Cells = std::vector<Cell>;
  using Index = CodedRows::Index;

 public:
  // The whole table, whose target the scan and the counts have taken.
  TallyEngine(const Table& table, WideCounts counts, int n_classes, std::unique_ptr<Scan<Index>> scan,
              const Recipe& recipe, Pool& pool, Progress& watch)
    requires kIsTop
      : BestCutEngine(recipe),
        scan_(std::move(scan)),
        counts_(std::move(counts)),
        watch_(watch),
        pool_(&pool),
        grower_(recipe, watch),
        spare_(static_cast<std::size_t>(pool.n_threads())) {
    block_.take(table);
    keep_above_ = rows_to_keep_counts(table, n_classes);
    begins_.push_back(0);
    for (std::size_t column = 0; column < n_columns(); ++column)
      begins_.push_back(begins_.back() + counts_.cells_of(block_.n_values(column)));
    counts_few_rows_ = Counts::kCountsFewRows && keep_above_ <= kFewRows && counts_few_rows(table);
    // A thread that is alone needs no other block where the table is small.
    const auto n_threads = static_cast<std::uint32_t>(pool.n_threads());
    auto share = n_threads > 1 ? std::min(table.n_slots / (4 * n_threads), kNarrowRows) : kNarrowRows;
    if (n_threads == 1 && table.n_slots <= kNarrowRows) share = 0;
    finish_at_ = std::max(counts_few_rows_ ? 0 : keep_above_, share);
  }

  // An empty block, to be filled again and again from that of another engine.
  explicit TallyEngine(const TallyEngine<WideCounts, true>* wide)
    requires(!kIsTop)
      : BestCutEngine(wide->recipe_),
        scan_(wide->scan_->make_wide()),
        watch_(wide->watch_),
        grower_(wide->recipe_, wide->watch_),
        keep_above_(wide->keep_above_),
        finish_at_(wide->counts_few_rows_ ? 0 : wide->keep_above_),
        counts_few_rows_(wide->counts_few_rows_),
        begins_(wide->begins_),
        spare_(1) {}

  std::size_t n_columns() const override { return block_.n_columns(); }

  OpenNode root() override {
    OpenNode node{.handle = {0, block_.n_slots(), 0}};
    node.facts = facts_of(node);
    count(node);
    return node;
  }

  // Columns in order, each to beat the best of those before.
  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& candidates = proposal.candidates;
    candidates.resize(n_columns());
    const auto n = node.handle.size();
    const bool is_kept = node.handle.store > 0;
    work_.look_into_node<Index>();
    if (is_kept) {
      counts_.enter(cells_of(node).data(), block_.n_values(0));
    } else if constexpr (Counts::kCountsFewRows) {
      read_labels(node);
      counts_.enter_rows(labels_.data(), n);
    }
    const double enough = counts_.best_possible();
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t column = 0; column < candidates.size(); ++column) {
      auto& candidate = candidates[column] = {.column = static_cast<std::int32_t>(column)};
      if (best >= enough) continue;
      heed_interrupts_before(n);
      candidate.score.worth = best;
      if (is_kept) {
        counts_.offer_best(cells_of(node, column), block_.n_values(column), recipe_.limits, candidate);
      } else if constexpr (Counts::kCountsFewRows) {
        counts_.offer_best_of_rows(block_.members() + node.handle.begin, labels_.data(), block_.codes(column),
                                   n, recipe_.limits, candidate);
        work_.scanned += n;
      }
      if (!candidate.has_question()) continue;
      candidate.score.gain = counts_.gain(candidate.decrease);
      best = std::max(best, candidate.score.worth);
    }
  }

  Question ask_one(const OpenNode& node) override {
    const auto column = node.column();
    const auto [low, high] = codes_beside_cut(node);
    auto question = threshold(node, block_.table().columns[column].between(block_.row_of_code(column, low),
                                                                           block_.row_of_code(column, high)));
    question.last_code = low;
    return question;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    const auto middle = node.handle.begin + part_members(node, question.last_code);
    children[0].handle.begin = node.handle.begin;
    children[0].handle.end = children[1].handle.begin = middle;
    children[1].handle.end = node.handle.end;
    work_.moved += node.handle.size();
    std::array<bool, 2> is_kept;
    for (std::size_t branch = 0; branch < 2; ++branch) {
      children[branch].facts = facts_of(children[branch]);
      is_kept[branch] = children[branch].facts.rows > keep_above_ &&
                        recipe_.why_closed(children[branch].facts, children[branch].depth) == Stop::None;
    }
    const std::size_t small = children[0].facts.rows <= children[1].facts.rows ? 0 : 1, large = 1 - small;
    if (!is_kept[large]) {
      free_place(node);
      if (is_kept[small]) count(children[small]);
      return;
    }
    // What the larger one has is what its sibling has not.
    children[large].handle.store = node.handle.store;
    const auto& of_small = count(children[small]);
    auto& of_large = cells_of(node);
    for (std::size_t i = 0; i < of_large.size(); ++i) of_large[i] -= of_small[i];
    if (!is_kept[small]) free_.push_back(std::exchange(children[small].handle.store, 0));
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    free_place(node);
    scan_->settle(members(node), node.facts, leaves);
  }

  bool finishes(const OpenNode& node) const override { return node.facts.rows <= finish_at_; }

  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override {
    if constexpr (!kIsTop) {
      for (const auto& node : nodes) finish_in_lists(*this, node, growing);
    } else if (pool_->n_threads() > 1) {
      finish_in_threads(nodes, growing);
    } else {
      for (const auto& node : nodes) finish_one(node, growing, 0);
    }
  }

 private:
  template <class OtherCounts, bool kOtherIsTop>
  friend class TallyEngine;
  using Rest = TallyEngine<WideCounts, false>;

  std::span<const Index> members(const OpenNode& node) const {
    return {block_.members() + node.handle.begin, block_.members() + node.handle.end};
  }
  NodeStatistics facts_of(const OpenNode& node) const {
    return scan_->facts(members(node), recipe_.limits.min_impurity > 0);
  }

  // Grow a node of another engine, here, into its tree.
  void grow_rest(TallyEngine<WideCounts, true>& from, OpenNode node, GrowingTree& growing) {
    block_.take(from.block_, node.handle.begin, node.handle.end);
    scan_->take(*from.scan_, from.members(node));
    counts_.take(from.counts_, from.members(node));
    work_.moved += node.facts.rows * static_cast<std::int64_t>(1 + n_columns());
    if (node.handle.store > 0) {
      auto& counted = from.cells_of(node);
      node.handle.store = take_place();
      Counts::take(counted, cells_of(node));
    }
    node.handle.end -= std::exchange(node.handle.begin, 0);
    grower_.grow(*this, node, growing);
  }

  // Where the counts of a node are kept, from 1 on.
  std::uint32_t take_place() {
    if (free_.empty()) {
      cells_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(cells_.size()));
    }
    const auto place = free_.back();
    free_.pop_back();
    return place;
  }
  void free_place(const OpenNode& node) {
    if (node.handle.store > 0) free_.push_back(node.handle.store);
  }
  Cells& cells_of(const OpenNode& node) { return cells_[node.handle.store - 1]; }
  const Cell* cells_of(const OpenNode& node, std::size_t column) {
    return cells_of(node).data() + begins_[column];
  }

  void read_labels(const OpenNode& node) {
    const auto slots = members(node);
    labels_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) labels_[i] = counts_.labels()[slots[i]];
  }

  const Cells& count(OpenNode& node) {
    node.handle.store = take_place();
    auto& cells = cells_of(node);
    cells.assign(begins_.back(), 0);
    read_labels(node);
    const auto n = node.handle.size();
    const auto count_column = [&](std::size_t column, int thread) {
      heed_interrupts_before(n);
      counts_.add(block_.members() + node.handle.begin, labels_.data(), block_.codes(column), n,
                  block_.n_values(column), cells.data() + begins_[column],
                  spare_[static_cast<std::size_t>(thread)]);
    };
    work_.scanned += std::int64_t{n} * static_cast<std::int64_t>(n_columns());
    if (pool_ != nullptr && std::size_t{n} * n_columns() >= kPaysForThreads) {
      pool_->run(n_columns(), count_column);
    } else {
      for (std::size_t column = 0; column < n_columns(); ++column) count_column(column, 0);
    }
    return cells;
  }

  // The last code that goes left with the winner's cut, and the first of the others that a row has.
  std::pair<std::uint32_t, std::uint32_t> codes_beside_cut(const OpenNode& node) {
    const auto column = node.column();
    rows_of_code_.assign(block_.n_values(column), 0);
    if (node.handle.store > 0) {
      for (std::uint32_t code = 0; code < rows_of_code_.size(); ++code)
        rows_of_code_[code] = counts_.rows(cells_of(node, column) + counts_.cells_of(code));
    } else {
      for (const auto slot : members(node)) ++rows_of_code_[block_.codes(column)[slot]];
    }
    std::uint32_t low = 0;
    for (auto rows = rows_of_code_[0]; rows < node.winner.n_left;) rows += rows_of_code_[++low];
    auto high = low + 1;
    while (rows_of_code_[high] == 0) ++high;
    return {low, high};
  }

  // Rows that go left first, all in their old order; returns how many do. Both writes happen, one of them
  // counts.
  std::uint32_t part_members(const OpenNode& node, std::uint32_t last_code) {
    const auto n = node.handle.size();
    const auto* codes = block_.codes(node.column());
    Index* slots = block_.members() + node.handle.begin;
    if (right_.size() < n) right_.resize(n);
    std::uint32_t n_left = 0, n_right = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto slot = slots[i];
      const std::uint32_t goes_right = codes[slot] > last_code;
      slots[n_left] = slot;
      right_[n_right] = slot;
      n_left += 1 - goes_right;
      n_right += goes_right;
    }
    std::copy_n(right_.begin(), n_right, slots + n_left);
    return n_left;
  }

  void finish_in_threads(std::span<const OpenNode> nodes, GrowingTree& growing) {
    rest_.resize(spare_.size());
    grow_subtrees(*pool_, recipe_.limits, nodes, growing, subtrees_,
                  [&](const OpenNode& node, GrowingTree& subtree, std::size_t thread) {
                    finish_one(node, subtree, thread);
                  });
  }

  void finish_one(const OpenNode& node, GrowingTree& growing, std::size_t thread) {
    rest_.resize(std::max(rest_.size(), spare_.size()));
    auto& rest = rest_[thread];
    if (!rest) rest = std::make_unique<Rest>(this);
    if (node.handle.store > 0 || counts_few_rows_) {
      rest->grow_rest(*this, node, growing);
    } else {
      rest->finish_in_lists(*this, node, growing);
    }
  }

  template <class From>
  void finish_in_lists(const From& from, const OpenNode& node, GrowingTree& growing) {
    if (!lists_) lists_ = std::make_unique<SmallLists>(recipe_, watch_);
    lists_->grow_rest(from.block_, *from.scan_, node, growing);
  }

  static constexpr std::size_t kPaysForThreads = 100'000;  // rows times columns to count

  CodedRows block_;
  std::unique_ptr<Scan<Index>> scan_;
  Counts counts_;
  Progress& watch_;
  Pool* pool_ = nullptr;  // the whole table's
  Grower grower_;
  std::uint32_t keep_above_ = 0;  // counts of nodes of more rows are kept
  std::uint32_t finish_at_ = 0;
  bool counts_few_rows_ = false;
  std::vector<std::size_t> begins_;             // by column: its first cell
  std::vector<Cells> cells_;                    // by place
  std::vector<std::uint32_t> free_;             // places
  std::vector<typename Counts::Label> labels_;  // of the rows that are counted
  std::vector<std::int64_t> rows_of_code_;      // at work
  std::vector<Cells> spare_;                    // one a thread
  std::vector<Index> right_;                    // at work: rows that go right
  std::vector<std::unique_ptr<Rest>> rest_;     // the whole table's
  std::unique_ptr<SmallLists> lists_;
};

}  // namespace treewright
