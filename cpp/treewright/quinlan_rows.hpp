// Where the rows of C4.5's nodes are, where a row may be in several with a share of its weight in each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "treewright/pool.hpp"          // for Pool
#include "treewright/shared_block.hpp"  // for share_out

namespace treewright {

// The rows of a node: slots, rising, and what each weighs there; then, where it may be split, the slots by
// value of every column that is listed, those without a value last.
struct QuinlanRoom {
  std::uint32_t n = 0;
  std::vector<std::uint32_t> slots;
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> totals;        // of the classes
  std::vector<std::uint16_t> many_valued;  // coded columns that have more than one value here, or may have

  const std::uint32_t* list(std::size_t at) const { return slots.data() + (1 + at) * n; }
};

class QuinlanRows {
 public:
  // A branch of the split under way.
  struct Part {
    std::uint32_t n = 0, place = kNobody;
    std::int64_t weight = 0;  // of the rows with a value
    bool is_open = false;
  };

  // The place of all nodes without a row.
  static constexpr std::uint32_t kNobody = 0;

  QuinlanRows(const std::vector<std::uint16_t>& classes, std::size_t n_classes, std::size_t n_listed)
      : classes_(classes), n_classes_(n_classes), n_listed_(n_listed), branch_(classes.size()) {
    rooms_.push_back(std::make_unique<QuinlanRoom>());
    rooms_[kNobody]->totals.resize(n_classes);
  }

  QuinlanRoom& at(std::uint32_t place) { return *rooms_[place]; }

  std::uint32_t take() {
    if (free_.empty()) {
      rooms_.push_back(std::make_unique<QuinlanRoom>());
      return static_cast<std::uint32_t>(rooms_.size()) - 1;
    }
    const auto place = free_.back();
    free_.pop_back();
    return place;
  }

  void leave(std::uint32_t place) {
    if (place == kNobody) return;
    if (rooms_[place]->n > kKeptRows) *rooms_[place] = {};
    free_.push_back(place);
  }

  // By slot: the branch of the split under way; -1 where the row has no value for it.
  std::int32_t* branches() { return branch_.data(); }
  std::span<Part> parts() { return parts_; }

  // Part the rows of a node by their branches: slots, weights and class weights of the children. Afterwards
  // the branch of a row without a value is -1 - i, and those it took are spread_[spread_begin_[i],
  // spread_begin_[i + 1]).
  void part(const QuinlanRoom& here, std::size_t n_branches) {
    parts_.assign(n_branches, {});
    make_room(weigh_branches(here));
    const auto* const classes = classes_.data();
    auto* const branch_of = branch_.data();
    auto* const cursors = cursors_.data();
    const auto put = [&](std::size_t branch, std::uint32_t slot, std::int64_t weight) {
      auto& cursor = cursors[branch];
      const auto at = cursor.n++;
      cursor.slots[at] = slot;
      cursor.weights[at] = weight;
      cursor.totals[classes[slot]] += weight;
    };
    spread_.clear();
    spread_begin_.assign(1, 0);
    const auto* const slots = here.slots.data();
    const auto* const weights = here.weights.data();
    for (std::uint32_t i = 0; i < here.n; ++i) {
      const auto slot = slots[i];
      if (branch_of[slot] >= 0) {
        put(static_cast<std::size_t>(branch_of[slot]), slot, weights[i]);
        continue;
      }
      share_out(weights[i], sizes_, shares_);
      for (std::size_t branch = 0; branch < n_branches; ++branch) {
        if (shares_[branch] == 0) continue;
        put(branch, slot, shares_[branch]);
        spread_.push_back(static_cast<std::uint32_t>(branch));
      }
      branch_of[slot] = -static_cast<std::int32_t>(spread_begin_.size());
      spread_begin_.push_back(spread_.size());
    }
    for (std::size_t branch = 0; branch < n_branches; ++branch) {
      if (parts_[branch].n > 0) at(parts_[branch].place).n = cursors[branch].n;
    }
  }

  // Lists of those children that stay open, in the order of the parent's.
  void part_lists(const QuinlanRoom& here, Pool* pool) {
    if (pool != nullptr) {
      pool->run(n_listed_, [&](std::size_t list, int) { part_list(here, list); });
    } else {
      for (std::size_t list = 0; list < n_listed_; ++list) part_list(here, list);
    }
  }

 private:
  struct Cursor {
    std::uint32_t* slots = nullptr;
    std::int64_t *weights = nullptr, *totals = nullptr;
    std::uint32_t n = 0;
  };

  static constexpr std::uint32_t kKeptRows = 4096;  // memory of rooms for more is given back

  // Tell the parts what goes down each branch; returns how many rows have no value.
  std::uint32_t weigh_branches(const QuinlanRoom& here) {
    const auto* const branch_of = branch_.data();
    const auto* const slots = here.slots.data();
    const auto* const weights = here.weights.data();
    auto* const parts = parts_.data();
    std::uint32_t n_spread = 0;
    for (std::uint32_t i = 0; i < here.n; ++i) {
      const auto branch = branch_of[slots[i]];
      if (branch < 0) {
        ++n_spread;
        continue;
      }
      ++parts[branch].n;
      parts[branch].weight += weights[i];
    }
    return n_spread;
  }

  void make_room(std::uint32_t n_spread) {
    sizes_.assign(parts_.size(), 0);
    shares_.assign(parts_.size(), 0);
    cursors_.assign(parts_.size(), {});
    for (std::size_t branch = 0; branch < parts_.size(); ++branch) {
      auto& part = parts_[branch];
      sizes_[branch] = part.weight;
      if (part.n == 0) continue;
      part.place = take();
      auto& room = at(part.place);
      const auto n = std::size_t{part.n + n_spread};
      if (room.slots.size() < n * (1 + n_listed_)) room.slots.resize(n * (1 + n_listed_));
      if (room.weights.size() < n) room.weights.resize(n);
      room.totals.assign(n_classes_, 0);
      cursors_[branch] = {room.slots.data(), room.weights.data(), room.totals.data(), 0};
    }
  }

  void part_list(const QuinlanRoom& here, std::size_t list) {
    std::vector<std::uint32_t*> ends(parts_.size());
    for (std::size_t branch = 0; branch < parts_.size(); ++branch) {
      if (!parts_[branch].is_open) continue;
      auto& room = at(parts_[branch].place);
      ends[branch] = room.slots.data() + (1 + list) * room.n;
    }
    const auto put = [&](std::size_t branch, std::uint32_t slot) {
      if (ends[branch] != nullptr) *ends[branch]++ = slot;
    };
    const auto* const slots = here.list(list);
    const auto* const branch_of = branch_.data();
    for (std::uint32_t j = 0; j < here.n; ++j) {
      const auto slot = slots[j];
      if (branch_of[slot] >= 0) {
        put(static_cast<std::size_t>(branch_of[slot]), slot);
        continue;
      }
      const auto i = static_cast<std::size_t>(-1 - branch_of[slot]);
      for (auto k = spread_begin_[i]; k < spread_begin_[i + 1]; ++k) put(spread_[k], slot);
    }
  }

  const std::vector<std::uint16_t>& classes_;
  std::size_t n_classes_, n_listed_;
  std::vector<std::int32_t> branch_;
  std::vector<std::unique_ptr<QuinlanRoom>> rooms_;
  std::vector<std::uint32_t> free_;
  std::vector<Part> parts_;
  std::vector<Cursor> cursors_;               // where the next row of a branch goes
  std::vector<std::int64_t> sizes_, shares_;  // by branch
  std::vector<std::uint32_t> spread_;
  std::vector<std::size_t> spread_begin_;
};

}  // namespace treewright
