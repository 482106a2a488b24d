// The rows of nodes if a row without a value goes down every branch with a share of its weight: it may then
// be in several nodes at once, so every node has lists and weights of its own.
#pragma once

#include "treewright/engine/engine.hpp"               // for OpenNode, Stores
#include "treewright/recipe/recipe.hpp"               // for Recipe
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

// Divides the weight of a row without a value among the branches of a split: into integers that sum to the
// weight, each about weight * size / (sum of sizes).
class Shares {
 public:
  struct Share {
    std::size_t branch;
    std::int64_t weight;
  };

  // `sizes`: by branch, the weight of the rows with a value; not all are 0.
  void enter(std::span<const std::int64_t> sizes) {
    reached_.clear();
    total_ = 0;
    for (std::size_t branch = 0; branch < sizes.size(); ++branch) {
      if (sizes[branch] == 0) continue;
      total_ += sizes[branch];
      reached_.push_back({branch, total_});
    }
    last_ = 0;
    shares_.clear();
  }

  // The shares that are not 0, with branches rising. Rows that follow each other often weigh the same.
  std::span<const Share> of(std::int64_t weight) {
    if (weight == last_) return shares_;
    last_ = weight;
    shares_.clear();
    std::int64_t given = 0;
    for (const auto& [branch, reached] : reached_) {
      // Adds half a unit, so that the shares of the first branches are rounded and not truncated.
      const auto half_up = 2 * static_cast<Int128>(weight) * reached + total_;
      const auto upto =
          reached == total_ ? weight : static_cast<std::int64_t>(half_up / (2 * Int128{total_}));
      const auto share = upto - std::exchange(given, upto);
      if (share != 0) shares_.push_back({branch, share});
    }
    return shares_;
  }

 private:
  std::vector<Share> reached_;  // branches that some row took; the weight of them and those before them
  std::int64_t total_ = 0, last_ = 0;
  std::vector<Share> shares_;  // of the last weight
};

// Rows are known by their positions among all rows, in an order that the engine chooses.
struct NodeRows {
  std::uint32_t n = 0;
  UninitializedBuffer<std::uint32_t> positions;  // one list after the other; the first one rises
  UninitializedBuffer<std::int64_t> weights;     // of the rows here, in the order of the first list

  const std::uint32_t* list(std::size_t at) const { return positions.data() + at * n; }
};

// `Node`: NodeRows, and whatever else an engine keeps of a node.
template <class Node>
class FractionalRows {
 public:
  // Handles: of all nodes without rows, and of the first node with rows.
  static constexpr std::uint32_t kNobody = 0, kRoot = 1;

  // A branch of the current split.
  struct Part {
    std::uint32_t n = 0, handle = kNobody;
    bool is_open = false;
    std::uint32_t* positions = nullptr;
    std::int64_t* weights = nullptr;

    // On a copy of this part: otherwise the compiler assumes that writing a row might change it.
    void append(std::uint32_t position, std::int64_t weight) {
      const auto here = *this;
      ++n;
      here.positions[here.n] = position;
      here.weights[here.n] = weight;
    }
  };

  FractionalRows(std::size_t n_rows, std::size_t n_lists)
      : n_lists_(n_lists), branch_(n_rows), branch_of_position_(n_lists > 1 ? n_rows : 0) {
    nodes_.add();
  }

  Node& at(std::uint32_t handle) { return nodes_.at(handle); }

  void leave(std::uint32_t handle) {
    if (at(handle).n > kKeptRows) at(handle) = {};
    nodes_.leave(handle);
  }

  // Record the branch of each row of the current node, in the order of its first list; -1: it has no value.
  template <class BranchOf>
  void mark(const Node& here, std::size_t n_branches, const BranchOf& branch_of) {
    heed_interrupts_before(here.n);
    n_of_branch_.assign(1 + n_branches, 0);
    auto* const branches = branch_.data();
    auto* const n_of_branch = n_of_branch_.data() + 1;
    for (std::uint32_t i = 0, n = here.n; i < n; ++i) {
      const std::int32_t branch = branch_of(i);
      branches[i] = branch;
      ++n_of_branch[branch];
    }
  }
  // The same by position, if the engine finds it there first; and the number of rows in each branch.
  std::vector<std::int32_t>& branch_of_position() { return branch_of_position_; }
  std::span<const std::uint32_t> n_of_branch() const { return std::span(n_of_branch_).subspan(1); }

  const std::int32_t* branches() const { return branch_.data(); }

  // Partition the rows of a node: first lists and weights of the children. Afterwards the branch of a row
  // without a value is -1 - i, and those it took are spread_[spread_begin_[i], spread_begin_[i + 1]).
  void part(const Node& here) {
    const auto n_spread = n_of_branch_[0];
    parts_.assign(n_of_branch().size(), {});
    for (std::size_t branch = 0; branch < parts_.size(); ++branch) {
      const auto n = n_of_branch()[branch] + std::size_t{n_spread};
      if (n_of_branch()[branch] == 0) continue;
      auto& part = parts_[branch];
      part.handle = nodes_.add();
      auto& child = at(part.handle);
      child.positions.make_room(n * n_lists_);
      child.weights.make_room(n);
      part.positions = child.positions.data();
      part.weights = child.weights.data();
    }
    if (n_spread > 0) {
      std::vector<std::int64_t> sizes(parts_.size());
      for (std::uint32_t i = 0; i < here.n; ++i) {
        if (branch_[i] >= 0) sizes[static_cast<std::size_t>(branch_[i])] += here.weights[i];
      }
      shares_.enter(sizes);
    }
    spread_.clear();
    spread_begin_.assign(1, 0);
    auto* const branch_of = branch_.data();
    auto* const parts = parts_.data();
    const auto* const positions = here.positions.data();
    const auto* const weights = here.weights.data();
    for (std::uint32_t i = 0, n = here.n; i < n; ++i) {
      if (branch_of[i] >= 0) {
        parts[branch_of[i]].append(positions[i], weights[i]);
        continue;
      }
      for (const auto& [branch, weight] : shares_.of(weights[i])) {
        parts[branch].append(positions[i], weight);
        spread_.push_back(static_cast<std::uint32_t>(branch));
      }
      branch_of[i] = -static_cast<std::int32_t>(spread_begin_.size());
      spread_begin_.push_back(spread_.size());
    }
    for (const auto& part : parts_) at(part.handle).n = part.n;
    if (n_lists_ == 1) return;
    for (std::uint32_t i = 0; i < here.n; ++i) branch_of_position_[here.positions[i]] = branch_[i];
  }

  std::span<Part> parts() { return parts_; }
  // Whether the current split spreads some row without a value.
  bool spread_any() const { return spread_begin_.size() > 1; }

  // Decide which of the children just made stay open; true: some do. `fill_in(handle, child)`.
  template <class FillIn>
  bool open(std::span<OpenNode> children, const Recipe& recipe, const FillIn& fill_in) {
    bool any_open = false;
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      auto& part = parts_[branch];
      fill_in(part.handle, children[branch]);
      part.is_open = recipe.why_closed(children[branch].facts, children[branch].depth) == Stop::None;
      any_open |= part.is_open;
    }
    return any_open;
  }

  // Partition another list among the children that stay open, in the order of the parent's.
  void part_list(const Node& here, std::size_t list) {
    heed_interrupts_before(here.n);
    std::vector<std::uint32_t*> ends(parts_.size());
    for (std::size_t branch = 0; branch < parts_.size(); ++branch) {
      if (!parts_[branch].is_open) continue;
      auto& child = at(parts_[branch].handle);
      ends[branch] = child.positions.data() + list * child.n;
    }
    const auto put = [&](std::size_t branch, std::uint32_t position) {
      if (ends[branch] != nullptr) *ends[branch]++ = position;
    };
    const auto* const positions = here.list(list);
    const auto* const branch_of = branch_of_position_.data();
    for (std::uint32_t j = 0; j < here.n; ++j) {
      const auto position = positions[j];
      if (branch_of[position] >= 0) {
        put(static_cast<std::size_t>(branch_of[position]), position);
        continue;
      }
      const auto i = static_cast<std::size_t>(-1 - branch_of[position]);
      for (auto k = spread_begin_[i]; k < spread_begin_[i + 1]; ++k) put(spread_[k], position);
    }
  }

 private:
  static constexpr std::uint32_t kKeptRows = 4096;  // the memory of larger nodes is freed

  std::size_t n_lists_;
  UninitializedBuffer<std::int32_t> branch_;
  std::vector<std::uint32_t> n_of_branch_;  // number of rows; first of those without a value
  std::vector<std::int32_t> branch_of_position_;
  Stores<Node> nodes_;  // by handle
  std::vector<Part> parts_;
  Shares shares_;
  std::vector<std::uint32_t> spread_;
  std::vector<std::size_t> spread_begin_;
};

}  // namespace treewright
