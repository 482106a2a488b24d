// The local engine on one block of slots, of whatever width.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "treewright/engine/bit_engine.hpp"       // for BitEngine
#include "treewright/engine/grower.hpp"           // for Grower, grow_subtrees
#include "treewright/engine/lists.hpp"            // for TableLists, NarrowLists, kNarrowRows
#include "treewright/engine/question_finder.hpp"  // for QuestionFinder
#include "treewright/interrupt.hpp"               // for heed_interrupts
#include "treewright/kernels/partition.hpp"       // for part, part_many
#include "treewright/search/scan.hpp"             // for Scan
#include "treewright/search/target.hpp"           // for Target

namespace treewright {

template <class Block>
class ListEngine final : public QuestionFinder<Block> {
  using Base = QuestionFinder<Block>;
  using Base::block_, Base::scan_, Base::recipe_, Base::pool_, Base::side_, Base::branch_;
  using Base::members, Base::mark_branches, Base::n_threads, Base::pays_for_threads;

 public:
  using Index = typename Block::Index;
  static constexpr bool kIsTop = std::is_same_v<Block, TableLists>;
  static constexpr bool kIsLast = std::is_same_v<Index, std::uint8_t>;
  static constexpr bool kMayHaveBits = std::is_same_v<Index, std::uint16_t>;

  // The whole table, whose target the scan has taken.
  ListEngine(Table& table, std::unique_ptr<Scan<Index>> scan, const Recipe& recipe, Pool& pool,
             Progress& watch)
    requires kIsTop
      : Base(Block(table), std::move(scan), recipe, &pool), watch_(watch), grower_(recipe, watch) {
    const auto share = table.n_slots / (4 * static_cast<std::uint32_t>(pool.n_threads()));
    finish_at_ = pool.n_threads() == 1 ? kNarrowRows : std::clamp<std::uint32_t>(share, 2048, kNarrowRows);
  }

  // An empty block, to be filled again and again.
  ListEngine(std::unique_ptr<Scan<Index>> scan, const Recipe& recipe, Progress& watch)
    requires(!kIsTop)
      : Base(Block(), std::move(scan), recipe, nullptr), watch_(watch), grower_(recipe, watch) {
    finish_at_ = kIsLast ? 0 : NarrowLists<std::uint8_t>::kCapacity;
  }

  // Grow a node of a wider block, here, into its tree.
  template <class WideBlock>
  void grow_rest(const WideBlock& wide, const AnyScan& wide_scan, const OpenNode& node,
                 GrowingTree& growing) {
    block_.take(wide, node.handle.begin, node.handle.end);
    this->work_.moved += std::int64_t{node.handle.size()} * static_cast<std::int64_t>(1 + this->n_columns());
    scan_->take(wide_scan, std::span<const typename WideBlock::Index>(wide.members() + node.handle.begin,
                                                                      wide.members() + node.handle.end));
    if constexpr (kMayHaveBits) takes_bits_ = scan_->two_classes() != nullptr && Bits::suits(block_, recipe_);
    auto start = node;
    start.handle.begin = 0;
    start.handle.end = node.handle.size();
    grower_.grow(*this, start, growing);
  }

  OpenNode root() override {
    OpenNode node{.handle = {0, block_.n_slots(), 0}};
    node.facts = scan_->facts(members(node), recipe_.limits.min_impurity > 0);
    return node;
  }

  // Small nodes come in such numbers that waiting for the values beside each cut would take long.
  std::size_t batch() const override { return kIsLast ? 16 : 1; }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    const auto n = node.handle.size();
    reserve_spare(n);
    mark_branches(node, question);
    ends_.resize(
        static_cast<std::size_t>(question.n_routes()));  // rows that stop lie behind those that go on
    part_list(block_.members() + node.handle.begin, n, 0, ends_);
    this->work_.moved += n;
    bool is_any_open = false;
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      auto& child = children[branch];
      child.handle.begin = node.handle.begin + (branch == 0 ? 0 : ends_[branch - 1]);
      child.handle.end = node.handle.begin + ends_[branch];
      child.facts = scan_->facts(members(child), recipe_.limits.min_impurity > 0);
      is_any_open |= recipe_.why_closed(child.facts, child.depth) == Stop::None;
    }
    if (!is_any_open) return;
    this->work_.moved += std::int64_t{n} * static_cast<std::int64_t>(block_.n_columns());
    const auto route_list = [&](std::size_t column, std::size_t thread, std::vector<std::uint32_t>& ends) {
      heed_interrupts_before(n);
      part_list(block_.list(column) + node.handle.begin, n, thread, ends);
    };
    if (pays_for_threads(node)) {
      pool_->run(block_.n_columns(), [&](std::size_t column, int thread) {
        std::vector<std::uint32_t> ends(ends_.size());
        route_list(column, static_cast<std::size_t>(thread), ends);
      });
    } else {
      for (std::size_t column = 0; column < block_.n_columns(); ++column) route_list(column, 0, ends_);
    }
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    scan_->settle(members(node), node.facts, leaves);
  }

  bool finishes(const OpenNode& node) const override { return node.handle.size() <= finish_at_; }

  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override {
    if constexpr (kIsTop) {
      finish_in_threads(nodes, growing);
    } else if constexpr (!kIsLast) {
      for (const auto& node : nodes) finish_one(node, growing, 0);
    }
  }

 private:
  using Middle = ListEngine<NarrowLists<std::uint16_t>>;
  using Last = ListEngine<NarrowLists<std::uint8_t>>;
  using Bits = BitEngine<kMoreWords>;

  void part_list(Index* list, std::uint32_t n, std::size_t thread, std::vector<std::uint32_t>& ends) {
    auto* spare = spare_[thread].data();
    if (ends.size() == 2) {
      ends[0] = part(list, n, side_.data(), spare);
      ends[1] = n;
    } else {
      part_many(list, n, branch_.data(), std::span(ends), spare);
    }
  }

  void reserve_spare(std::uint32_t n) {
    spare_.resize(n_threads());
    for (auto& spare : spare_) {
      if (spare.size() < n + 8) spare.resize(n + 8);
    }
  }

  void finish_in_threads(std::span<const OpenNode> nodes, GrowingTree& growing) {
    middle_.resize(n_threads());
    last_.resize(n_threads());
    grow_subtrees(*pool_, recipe_.limits, nodes, growing, this->subtrees_,
                  [&](const OpenNode& node, GrowingTree& subtree, std::size_t thread) {
                    finish_one(node, subtree, thread);
                  });
  }

  void finish_one(const OpenNode& node, GrowingTree& growing, std::size_t thread) {
    if (node.handle.size() <= NarrowLists<std::uint8_t>::kCapacity) {
      if constexpr (kMayHaveBits) {
        if (takes_bits_) return finish_in_bits(node, growing);
      }
      if (last_.size() <= thread) last_.resize(thread + 1);
      if (!last_[thread]) last_[thread] = std::make_unique<Last>(scan_->make_short(), recipe_, watch_);
      last_[thread]->grow_rest(block_, *scan_, node, growing);
      return;
    }
    if constexpr (kIsTop) {
      if (!middle_[thread]) middle_[thread] = std::make_unique<Middle>(scan_->make_narrow(), recipe_, watch_);
      middle_[thread]->grow_rest(block_, *scan_, node, growing);
    }
  }

  void finish_in_bits(const OpenNode& node, GrowingTree& growing)
    requires kMayHaveBits
  {
    if (!bits_) bits_ = std::make_unique<Bits>(recipe_, watch_);
    bits_->grow_rest(block_, *scan_, node, growing);
  }

  Progress& watch_;
  Grower grower_;
  std::uint32_t finish_at_ = 0;
  bool takes_bits_ = false;                // small nodes become sets of bits
  std::vector<std::uint32_t> ends_;        // where the branches end
  std::vector<std::vector<Index>> spare_;  // one a thread
  std::vector<std::unique_ptr<Middle>> middle_;
  std::vector<std::unique_ptr<Last>> last_;
  std::unique_ptr<Bits> bits_;
};

}  // namespace treewright
