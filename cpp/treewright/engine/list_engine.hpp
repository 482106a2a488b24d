// The local engine on one block of slots, of any width.
#pragma once

#include "treewright/engine/bit_engine.hpp"    // for BitEngine
#include "treewright/engine/split_finder.hpp"  // for SplitFinder

namespace treewright {

template <class Block>
class ListEngine final : public SplitFinder<Block> {
  using Base = SplitFinder<Block>;
  using Base::block_, Base::scan_, Base::recipe_, Base::pool_, Base::side_, Base::branch_;
  using Base::members, Base::n_threads, Base::for_columns;

 public:
  using Index = typename Block::Index;
  static constexpr bool kIsTop = std::is_same_v<Block, TableLists>;
  static constexpr bool kIsLast = std::is_same_v<Index, std::uint8_t>;
  static constexpr bool kMayHaveBits = std::is_same_v<Index, std::uint16_t>;
  using Wide = std::conditional_t<kMayHaveBits, TableLists, NarrowLists<std::uint16_t>>;
  using Narrow = ListEngine<NarrowLists<NarrowIndex<Index>>>;

  // The whole table, with a pool, if the scan has read its target; or an empty block, filled for each node.
  ListEngine(std::unique_ptr<Scan<Index>> scan, const Recipe& recipe, Progress& watch, Pool* pool = nullptr,
             Block block = Block())
      : Base(std::move(block), std::move(scan), recipe, pool), watch_(watch), grower_(recipe, watch) {
    if (kIsTop && n_threads() > 1)
      finish_at_ = std::clamp<std::uint32_t>(block_.n_slots() / static_cast<std::uint32_t>(4 * n_threads()),
                                             2048, kNarrowRows);
  }

  // Grow a node of a wider block in this one, into its tree.
  void grow_rest(const Wide& wide, const Scan<typename Wide::Index>& wide_scan, const OpenNode& node,
                 GrowingTree& growing) {
    block_.take(wide, node.handle.begin, node.handle.end);
    this->work_.moved += std::int64_t{node.handle.size()} * static_cast<std::int64_t>(1 + this->n_columns());
    scan_->take(wide_scan, {wide.members() + node.handle.begin, wide.members() + node.handle.end});
    auto start = node;
    start.handle = {0, node.handle.size(), 0};
    grower_.grow(*this, start, growing);
  }

  OpenNode root() override {
    OpenNode node{.handle = {0, block_.n_slots(), 0}};
    node.facts = scan_->facts(members(node), recipe_.limits.min_impurity > 0);
    return node;
  }

  // There are many small nodes, and it would take long to wait for the values beside each cut in turn.
  std::size_t batch() const override { return kIsLast ? 16 : 1; }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    const auto n = node.handle.size();
    spare_.resize(n_threads());
    for (auto& [entries, ends] : spare_) {
      if (entries.size() < n + kReadPadding) entries.resize(n + kReadPadding);
      ends.resize(
          static_cast<std::size_t>(question.n_routes()));  // rows that stop lie behind those that go on
    }
    question.n_routes() == 2 ? route_rows(block_, node, question, side_)  // branches in bytes
                             : route_rows(block_, node, question, branch_);
    const auto& ends = part_list(block_.members() + node.handle.begin, n, 0);
    this->work_.moved += n;
    std::size_t n_lists = 0;  // that an open child needs
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      auto& child = children[branch];
      child.handle.begin = node.handle.begin + (branch == 0 ? 0 : ends[branch - 1]);
      child.handle.end = node.handle.begin + ends[branch];
      child.facts = scan_->facts(members(child), recipe_.limits.min_impurity > 0);
      if (recipe_.why_closed(child.facts, child.depth) != Stop::None) continue;
      n_lists = std::max(n_lists, this->n_columns_of(child));
    }
    if (n_lists == 0) return;
    this->work_.moved += std::int64_t{n} * static_cast<std::int64_t>(n_lists);
    for_columns(node, [&](std::size_t column, std::size_t thread) {
      if (column >= n_lists) return;
      heed_interrupts_before(n);
      part_list(block_.list(column) + node.handle.begin, n, thread);
    });
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    scan_->settle(members(node), node.facts, leaves);
  }

  bool finishes(const OpenNode& node) const override { return node.handle.size() <= finish_at_; }

  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override {
    if constexpr (kIsTop) {
      grow_subtrees(*pool_, nodes, growing, this->subtrees_,
                    [&](const OpenNode& node, GrowingTree& subtree, std::size_t thread) {
                      grow_narrow(node, subtree, thread);
                    });
    } else if constexpr (kMayHaveBits) {
      const bool takes_bits = scan_->two_classes() != nullptr && Bits::suits(block_, recipe_);
      if (takes_bits && !bits_) bits_ = std::make_unique<Bits>(recipe_, watch_);
      for (const auto& node : nodes) {
        takes_bits ? bits_->grow_rest(block_, *scan_, node, growing) : grow_narrow(node, growing, 0);
      }
    }
  }

 private:
  using Bits = BitEngine<kMoreWords>;

  struct Spare {
    std::vector<Index> entries;
    std::vector<std::uint32_t> ends;
  };

  // Engines on narrower lists are made on first use, and filled again and again.
  void grow_narrow(const OpenNode& node, GrowingTree& growing, std::size_t thread) {
    auto& rest = rest_[thread];
    if (!rest) rest = std::make_unique<Narrow>(scan_->make_narrow(), recipe_, watch_);
    rest->grow_rest(block_, *scan_, node, growing);
  }

  // Partition a list by branch; returns where every branch ends.
  const std::vector<std::uint32_t>& part_list(Index* list, std::uint32_t n, std::size_t thread) {
    auto& [entries, ends] = spare_[thread];
    if (ends.size() == 2) {
      ends[0] = part(list, n, side_.data(), entries.data());
      ends[1] = n;
    } else {
      part_many(list, n, branch_.data(), std::span(ends), entries.data());
    }
    return ends;
  }

  Progress& watch_;
  Grower grower_;
  std::uint32_t finish_at_ = kIsTop ? kNarrowRows : kIsLast ? 0 : NarrowLists<std::uint8_t>::kCapacity;
  std::vector<Spare> spare_;                                // one per thread
  std::vector<std::unique_ptr<Narrow>> rest_{n_threads()};  // one per thread
  std::unique_ptr<Bits> bits_;                              // for small nodes, if values are few
};

}  // namespace treewright
