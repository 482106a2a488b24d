// The local engine on one block of slots, of whatever width, with whatever criterion's scan.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "treewright/block.hpp"         // for TopBlock, NarrowBlock
#include "treewright/engine.hpp"        // for Engine, OpenNode
#include "treewright/grower.hpp"        // for Grower
#include "treewright/kernels.hpp"       // for part
#include "treewright/missing.hpp"       // for arrangements
#include "treewright/pool.hpp"          // for Pool
#include "treewright/random.hpp"        // for draw
#include "treewright/recipe.hpp"        // for Recipe
#include "treewright/two_sum_scan.hpp"  // for ListView

namespace treewright {

// Nodes of at most this many rows are grown by one thread, in a block of 16-bit numbers.
inline constexpr std::uint32_t kNarrowRows = 32768;

template <class Block, class Scan>
class BlockEngine final : public Engine {
 public:
  using Index = typename Block::Index;
  static constexpr bool kIsTop = std::is_same_v<Block, TopBlock>;
  static constexpr bool kIsLast = std::is_same_v<Index, std::uint8_t>;

  // The whole table.
  BlockEngine(Table& table, const Target& target, const Scan& scan, const Recipe& recipe, Pool& pool,
              Watch& watch)
    requires kIsTop
      : block_(table), scan_(scan), recipe_(recipe), pool_(&pool), watch_(watch), grower_(recipe, watch) {
    scan_.take(target);
    n_classes_ = target.n_classes;
    scratch_.resize(static_cast<std::size_t>(pool.n_threads()));
    const auto share = table.n_slots / (4 * static_cast<std::uint32_t>(pool.n_threads()));
    finish_at_ = pool.n_threads() == 1 ? kNarrowRows : std::clamp<std::uint32_t>(share, 2048, kNarrowRows);
  }

  // An empty block, to be filled again and again.
  BlockEngine(const Recipe& recipe, Watch& watch)
    requires(!kIsTop)
      : recipe_(recipe), watch_(watch), grower_(recipe, watch), scratch_(1) {
    finish_at_ = kIsLast ? 0 : NarrowBlock<std::uint8_t>::kCapacity;
  }

  // Grow a node of a wider block, here, into its sprout.
  template <class WideBlock>
  void grow_rest(const WideBlock& wide, const Scan& wide_scan, const OpenNode& node, Sprout& sprout) {
    block_.take(wide, node.begin, node.end);
    scan_.take(wide_scan, std::span<const typename WideBlock::Index>(wide.members() + node.begin,
                                                                     wide.members() + node.end));
    auto start = node;
    start.begin = 0;
    start.end = node.end - node.begin;
    grower_.grow(*this, start, sprout);
  }

  // Sprouts of the nodes that `finish` grew apart.
  std::vector<Sprout>& grafts() { return grafts_; }

  std::size_t n_columns() const override { return block_.n_columns(); }

  OpenNode root() override {
    OpenNode node{.begin = 0, .end = block_.n_slots()};
    node.facts = scan_.facts(members(node), recipe_.limits.min_impurity > 0);
    return node;
  }

  void propose(const OpenNode& node, std::span<Candidate> candidates) override {
    scan_.enter(members(node), node.facts);
    if (recipe_.max_columns >= 0 && recipe_.max_columns < static_cast<std::int64_t>(candidates.size())) {
      propose_drawn(node, candidates);
      return;
    }
    if (pays_for_threads(node)) {
      pool_->run(candidates.size(), [&](std::size_t column, int thread) {
        propose_column(node, column, candidates[column], scratch_[static_cast<std::size_t>(thread)]);
      });
      return;
    }
    const double enough = scan_.best_possible();
    bool found = false;
    for (std::size_t column = 0; column < candidates.size(); ++column) {
      auto& candidate = candidates[column];
      if (found) {
        candidate.verdict = Verdict::NotNeeded;
        continue;
      }
      propose_column(node, column, candidate, scratch_[0]);
      found = candidate.has_question() && candidate.score.worth >= enough;
    }
  }

  Cut cut_of(const OpenNode& node) override {
    const auto& winner = node.winner;
    if (winner.has_cut) return winner.cut;
    if (winner.n_left + winner.n_missing == node.end - node.begin) return kEveryKnownValue;
    const auto column = static_cast<std::size_t>(node.column);
    const Index* list = block_.list(column) + node.begin;
    return block_.table().columns[column].between(block_.row(list[winner.n_left - 1]),
                                                  block_.row(list[winner.n_left]));
  }

  void route(const OpenNode& node, std::span<OpenNode> children,
             const std::function<bool(const OpenNode&)>& closes) override {
    mark_sides(node);
    const auto n = node.end - node.begin;
    reserve_spare(n);
    const auto middle = node.begin + part(block_.members() + node.begin, n, side_.data(), spare_[0].data());
    children[0].begin = node.begin;
    children[0].end = children[1].begin = middle;
    children[1].end = node.end;
    bool both_close = true;
    for (auto& child : children) {
      child.facts = scan_.facts(members(child), recipe_.limits.min_impurity > 0);
      both_close &= closes(child);
    }
    if (both_close) return;
    const auto part_list = [&](std::size_t column, int thread) {
      part(block_.list(column) + node.begin, n, side_.data(),
           spare_[static_cast<std::size_t>(thread)].data());
    };
    if (pays_for_threads(node)) {
      pool_->run(block_.n_columns(), part_list);
    } else {
      for (std::size_t column = 0; column < block_.n_columns(); ++column) part_list(column, 0);
    }
  }

  void settle(const OpenNode& node, LeafStore& leaves) override {
    scan_.settle(members(node), node.facts, leaves);
  }

  bool settles_inner() const override { return scan_.settles_inner(); }

  bool finishes(const OpenNode& node) const override { return node.end - node.begin <= finish_at_; }

  void finish(std::span<const OpenNode> nodes, Sprout& sprout) override {
    if constexpr (kIsTop) {
      finish_in_threads(nodes, sprout);
    } else if constexpr (!kIsLast) {
      for (const auto& node : nodes) finish_one(node, sprout, 0);
    }
  }

 private:
  using Scratch = typename Scan::Scratch;
  using Middle = BlockEngine<NarrowBlock<std::uint16_t>, Scan>;
  using Last = BlockEngine<NarrowBlock<std::uint8_t>, Scan>;

  std::span<const Index> members(const OpenNode& node) const {
    return {block_.members() + node.begin, block_.members() + node.end};
  }

  // Only a large node pays for waking threads, in rows x columns.
  bool pays_for_threads(const OpenNode& node) const {
    return pool_ != nullptr && pool_->n_threads() > 1 &&
           std::size_t{node.end - node.begin} * block_.n_columns() >= 20'000;
  }

  // Columns in an order drawn for this node, until enough were looked at and one of them has a question.
  void propose_drawn(const OpenNode& node, std::span<Candidate> candidates) {
    std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
    for (std::size_t column = 0; column < candidates.size(); ++column) {
      drawn.emplace_back(draw(recipe_.seed, node.path, column, 1), column);
      candidates[column].verdict = Verdict::NotDrawn;
    }
    std::sort(drawn.begin(), drawn.end());
    bool found = false;
    for (std::size_t i = 0;
         i < drawn.size() && !(found && i >= static_cast<std::size_t>(recipe_.max_columns)); ++i) {
      auto& candidate = candidates[drawn[i].second];
      propose_column(node, drawn[i].second, candidate, scratch_[0]);
      found |= candidate.has_question();
    }
  }

  void propose_column(const OpenNode& node, std::size_t column, Candidate& out, Scratch& scratch) const {
    out.verdict = Verdict::Constant;
    const Index* slots = block_.list(column) + node.begin;
    const auto n = node.end - node.begin;
    ListView<Index> list{slots, n, n};
    if (block_.has_missing(column)) {
      const auto is_known = [&](Index slot) { return !block_.is_missing(column, slot); };
      list.n_known = static_cast<std::uint32_t>(std::partition_point(slots, slots + n, is_known) - slots);
    }
    out.n_missing = n - list.n_known;
    if (list.n_known == 0) return;
    const bool has_ties = block_.has_ties(column);
    const bool one_value =
        list.n_known == 1 || (has_ties && block_.same_value(column, slots[0], slots[list.n_known - 1]));
    if (one_value && out.n_missing == 0) return;
    out.verdict = Verdict::TooFewOnEverySide;
    const auto ways = arrangements(recipe_.missing);
    if (recipe_.choice == Choice::Random) {
      propose_drawn_cut(node, column, list, one_value, out, scratch);
    } else if (has_ties) {
      const auto parts = [&](std::uint32_t i) { return !block_.same_value(column, slots[i - 1], slots[i]); };
      scan_.scan(list, parts, ways, recipe_.limits, scratch, out);
    } else {
      scan_.scan(list, [](std::uint32_t) { return true; }, ways, recipe_.limits, scratch, out);
    }
    if (out.has_question()) out.score.gain = scan_.gain(out.score.worth);
  }

  // A cut drawn uniformly between the least and the largest value.
  void propose_drawn_cut(const OpenNode& node, std::size_t column, const ListView<Index>& list,
                         bool one_value, Candidate& out, Scratch& scratch) const {
    const auto ways = arrangements(recipe_.missing);
    out.has_cut = true;
    if (one_value) {
      out.cut = kEveryKnownValue;
      scan_.scan_at(list, list.n_known, ways, recipe_.limits, scratch, out);
      return;
    }
    const auto& values = block_.table().columns[column];
    const double share = share_of(draw(recipe_.seed, node.path, column, 0));
    out.cut = values.part_way(block_.row(list.slot[0]), block_.row(list.slot[list.n_known - 1]), share);
    const auto at_most = [&](Index slot) { return values.at_most(block_.row(slot), out.cut); };
    const auto n_left = std::partition_point(list.slot, list.slot + list.n_known, at_most) - list.slot;
    scan_.scan_at(list, static_cast<std::uint32_t>(n_left), ways, recipe_.limits, scratch, out);
  }

  void mark_sides(const OpenNode& node) {
    if (side_.size() < block_.n_slots()) side_.resize(block_.n_slots());
    const Index* list = block_.list(static_cast<std::size_t>(node.column)) + node.begin;
    const auto n = node.end - node.begin, n_known = n - node.winner.n_missing;
    for (std::uint32_t i = 0; i < node.winner.n_left; ++i) side_[list[i]] = 0;
    for (std::uint32_t i = node.winner.n_left; i < n_known; ++i) side_[list[i]] = 1;
    for (std::uint32_t i = n_known; i < n; ++i) side_[list[i]] = node.winner.missing_left ? 0 : 1;
  }

  void reserve_spare(std::uint32_t n) {
    spare_.resize(scratch_.size());
    for (auto& spare : spare_) {
      if (spare.size() < n + 8) spare.resize(n + 8);
    }
  }

  // The largest first, so that no thread is left with a long one at the end.
  void finish_in_threads(std::span<const OpenNode> nodes, Sprout& sprout) {
    std::vector<std::size_t> by_size(nodes.size());
    std::iota(by_size.begin(), by_size.end(), 0);
    std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
      return nodes[a].end - nodes[a].begin > nodes[b].end - nodes[b].begin;
    });
    middle_.resize(scratch_.size());
    last_.resize(scratch_.size());
    grafts_.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      sprout.nodes[static_cast<std::size_t>(nodes[i].id)].graft = static_cast<std::int32_t>(i) + 1;
    }
    pool_->run(nodes.size(), [&](std::size_t task, int thread) {
      auto node = nodes[by_size[task]];
      auto& graft = grafts_[by_size[task]];
      graft.leaves.n_classes = n_classes_;
      node.id = graft.add(node.facts.rows, node.facts.weight);
      finish_one(node, graft, static_cast<std::size_t>(thread));
    });
  }

  void finish_one(const OpenNode& node, Sprout& sprout, std::size_t thread) {
    if (node.end - node.begin <= NarrowBlock<std::uint8_t>::kCapacity) {
      if (last_.size() <= thread) last_.resize(thread + 1);
      if (!last_[thread]) last_[thread] = std::make_unique<Last>(recipe_, watch_);
      last_[thread]->grow_rest(block_, scan_, node, sprout);
      return;
    }
    if constexpr (kIsTop) {
      if (!middle_[thread]) middle_[thread] = std::make_unique<Middle>(recipe_, watch_);
      middle_[thread]->grow_rest(block_, scan_, node, sprout);
    }
  }

  Block block_;
  Scan scan_;
  const Recipe& recipe_;
  Pool* pool_ = nullptr;
  Watch& watch_;
  Grower grower_;
  int n_classes_ = 0;
  std::uint32_t finish_at_ = 0;
  std::vector<Scratch> scratch_;           // one a thread
  std::vector<std::uint8_t> side_;         // by slot: branch of the split under way
  std::vector<std::vector<Index>> spare_;  // one a thread
  std::vector<std::unique_ptr<Middle>> middle_;
  std::vector<std::unique_ptr<Last>> last_;
  std::vector<Sprout> grafts_;
};

}  // namespace treewright
