// Where the rows of C4.5's nodes are, where a row may be in several with a share of its weight in each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "treewright/interrupt.hpp"                   // for heed_interrupts
#include "treewright/math/shares.hpp"                 // for Shares
#include "treewright/pool.hpp"                        // for Pool
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

// Which nodes pay for threads.
struct QuinlanThreads {
  Pool& pool;
  std::size_t n_columns;

  bool pays_for(std::uint32_t n_rows) const {
    return pool.n_threads() > 1 && std::size_t{n_rows} * n_columns >= 20'000;
  }

  // Do `each(i)` for all i < n, of a node of so many rows.
  template <class Each>
  void run(std::uint32_t n_rows, std::size_t n, const Each& each) const {
    if (pays_for(n_rows)) {
      pool.run(n, [&](std::size_t i, int) { each(i); });
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        heed_interrupts_before(n_rows);
        each(i);
      }
    }
  }
};

// The rows of a node: turns, rising, and what each weighs there; then, where it may be split, the turns by
// value of every column that is listed but the first, those without a value last.
struct QuinlanNodeRows {
  std::uint32_t n = 0;
  bool is_after_unknown = false;  // Recipe::limits_once_unknown hold, for all of its columns
  UninitializedBuffer<std::uint32_t> turns;
  UninitializedBuffer<std::int64_t> weights;
  std::vector<std::int64_t> totals;        // of the classes
  std::vector<std::uint16_t> many_valued;  // coded columns that have more than one value here, or may have
  std::vector<std::int64_t> sums;          // by code, as `CodeSums` has them; empty: not known or not kept

  // Of a listed column.
  const std::uint32_t* list(std::size_t at) const { return turns.data() + at * n; }
};

class QuinlanRows {
 public:
  // A branch of the split under way.
  struct Part {
    std::uint32_t n = 0, place = kNobody;
    bool is_open = false;
  };

  // The place of all nodes without a row.
  static constexpr std::uint32_t kNobody = 0;

  // `classes` by turn.
  QuinlanRows(const std::vector<std::uint16_t>& classes, std::size_t n_classes, std::size_t n_listed)
      : classes_(classes),
        n_classes_(n_classes),
        n_lists_(std::max<std::size_t>(1, n_listed)),
        branch_(classes.size()),
        branch_of_turn_(n_lists_ > 1 ? classes.size() : 0),
        weight_of_turn_(n_lists_ > 1 ? classes.size() : 0),
        list_weights_(n_lists_) {
    rooms_.push_back(std::make_unique<QuinlanNodeRows>());
    rooms_[kNobody]->totals.resize(n_classes);
  }

  QuinlanNodeRows& at(std::uint32_t place) { return *rooms_[place]; }

  std::uint32_t take() {
    if (free_.empty()) {
      rooms_.push_back(std::make_unique<QuinlanNodeRows>());
      return static_cast<std::uint32_t>(rooms_.size()) - 1;
    }
    const auto place = free_.back();
    free_.pop_back();
    return place;
  }

  void leave(std::uint32_t place) {
    if (place == kNobody) return;
    drop_sums(*rooms_[place]);
    if (rooms_[place]->n > kKeptRows) *rooms_[place] = {};
    free_.push_back(place);
  }

  // Room for the sums of a node.
  void take_sums(QuinlanNodeRows& room, std::size_t size) {
    if (!spare_sums_.empty()) {
      room.sums = std::move(spare_sums_.back());
      spare_sums_.pop_back();
    }
    room.sums.resize(size);
  }
  void drop_sums(QuinlanNodeRows& room) {
    if (!room.sums.empty()) spare_sums_.push_back(std::exchange(room.sums, {}));
  }

  // Look at a node, to ask for the weights of its lists.
  void enter(const QuinlanNodeRows& here) {
    if (n_lists_ == 1) return;
    for (std::uint32_t i = 0; i < here.n; ++i) weight_of_turn_[here.turns[i]] = here.weights[i];
  }

  // What the rows of a list weigh. Lists may be asked for side by side.
  const std::int64_t* weights_in_order(const QuinlanNodeRows& here, std::size_t list) {
    if (list == 0) return here.weights.data();
    auto& weights = list_weights_[list];
    weights.make_room(here.n);
    const auto* const turns = here.list(list);
    for (std::uint32_t i = 0; i < here.n; ++i) weights[i] = weight_of_turn_[turns[i]];
    return weights.data();
  }

  // By place in the rows of the node that is split: the branch; -1 where the row has no value for it.
  std::int32_t* branches() { return branch_.data(); }
  std::span<Part> parts() { return parts_; }
  // Whether the split under way parts some row for want of a value.
  bool spread_any() const { return spread_begin_.size() > 1; }

  // Part the rows of a node by their branches: turns, weights and class weights of the children. Afterwards
  // the branch of a row without a value is -1 - i, and those it took are spread_[spread_begin_[i],
  // spread_begin_[i + 1]).
  void part(const QuinlanNodeRows& here, std::size_t n_branches) {
    parts_.assign(n_branches, {});
    const auto n_spread = count_branches(here);
    make_room(n_spread);
    spread_.clear();
    spread_begin_.assign(1, 0);
    if (n_spread > 0) weigh_branches(here);
    const bool is_in_two = n_spread == 0 && n_branches == 2 && parts_[0].n > 0 && parts_[1].n > 0;
    heed_interrupts_before(here.n);
    is_in_two ? part_in_two(here) : part_in_many(here);
    for (std::size_t branch = 0; branch < n_branches; ++branch) {
      if (parts_[branch].n == 0) continue;
      auto& room = at(parts_[branch].place);
      parts_[branch].n = room.n = cursors_[branch].n;
    }
    add_up_parts(here);
    if (n_lists_ == 1) return;
    for (std::uint32_t i = 0; i < here.n; ++i) branch_of_turn_[here.turns[i]] = branch_[i];
  }

  // Lists of those children that stay open, in the order of the parent's.
  void part_lists(const QuinlanNodeRows& here, const QuinlanThreads& threads) {
    threads.run(here.n, n_lists_ - 1, [&](std::size_t list) { part_list(here, list + 1); });
  }

  // Class weights of the rows of a room.
  void add_up(QuinlanNodeRows& room) const {
    room.totals.assign(n_classes_, 0);
    const auto* const classes = classes_.data();
    const auto* const turns = room.turns.data();
    const auto* const weights = room.weights.data();
    if (n_classes_ != 2) {
      for (std::uint32_t i = 0; i < room.n; ++i) room.totals[classes[turns[i]]] += weights[i];
      return;
    }
    std::int64_t all = 0, second = 0;  // in registers: what was just written to memory is slow to read again
    for (std::uint32_t i = 0; i < room.n; ++i) {
      all += weights[i];
      second += weights[i] & -std::int64_t{classes[turns[i]]};  // nothing to guess
    }
    room.totals[0] = all - second;
    room.totals[1] = second;
  }

 private:
  struct Cursor {
    std::uint32_t* turns = nullptr;
    std::int64_t* weights = nullptr;
    std::uint32_t n = 0;

    void write(std::uint32_t turn, std::int64_t weight) const {
      turns[n] = turn;
      weights[n] = weight;
    }
    // By a copy: what is written might be where it goes, for all the machine knows.
    void append(std::uint32_t turn, std::int64_t weight) {
      const auto here = *this;
      ++n;
      here.write(turn, weight);
    }
  };

  // Class weights of the children; what the others leave is the largest one's.
  void add_up_parts(const QuinlanNodeRows& here) {
    const auto largest = std::max_element(parts_.begin(), parts_.end(),
                                          [](const Part& a, const Part& b) { return a.n < b.n; });
    auto& left = at(largest->place).totals;
    left = here.totals;
    for (auto part = parts_.begin(); part < parts_.end(); ++part) {
      if (part == largest || part->n == 0) continue;
      auto& room = at(part->place);
      add_up(room);
      for (std::size_t k = 0; k < n_classes_; ++k) left[k] -= room.totals[k];
    }
  }

  static constexpr std::uint32_t kKeptRows = 4096;  // memory of rooms for more is given back

  // Tell the parts how many rows go down each branch; returns how many have no value.
  std::uint32_t count_branches(const QuinlanNodeRows& here) {
    const auto* const branch = branch_.data();
    std::uint32_t n_spread = 0;
    if (parts_.size() == 2) {
      std::uint32_t n_second = 0;
      for (std::uint32_t i = 0; i < here.n; ++i) {
        n_spread += branch[i] < 0;
        n_second += branch[i] > 0;
      }
      parts_[0].n = here.n - n_spread - n_second;
      parts_[1].n = n_second;
      return n_spread;
    }
    auto* const parts = parts_.data();
    for (std::uint32_t i = 0; i < here.n; ++i) {
      if (branch[i] < 0) {
        ++n_spread;
      } else {
        ++parts[branch[i]].n;
      }
    }
    return n_spread;
  }

  void weigh_branches(const QuinlanNodeRows& here) {
    sizes_.assign(parts_.size(), 0);
    for (std::uint32_t i = 0; i < here.n; ++i) {
      if (branch_[i] >= 0) sizes_[static_cast<std::size_t>(branch_[i])] += here.weights[i];
    }
    shares_.enter(sizes_);
  }

  void make_room(std::uint32_t n_spread) {
    cursors_.assign(parts_.size(), {});
    for (std::size_t branch = 0; branch < parts_.size(); ++branch) {
      auto& part = parts_[branch];
      if (part.n == 0) continue;
      part.place = take();
      auto& room = at(part.place);
      const auto n = std::size_t{part.n + n_spread};
      // And one beyond, see `part_in_two`.
      room.turns.make_room(n * n_lists_ + 1);
      room.weights.make_room(n + 1);
      cursors_[branch] = {room.turns.data(), room.weights.data(), 0};
    }
  }

  // A row is written to both sides, and counts on one: there is nothing to guess for the machine.
  void part_in_two(const QuinlanNodeRows& here) {
    const auto* const branch_of = branch_.data();
    const auto* const turns = here.turns.data();
    const auto* const weights = here.weights.data();
    auto left = cursors_[0], right = cursors_[1];
    for (std::uint32_t i = 0, n = here.n; i < n; ++i) {
      const auto turn = turns[i];
      const auto weight = weights[i];
      left.write(turn, weight);
      right.write(turn, weight);
      const bool goes_right = branch_of[i] > 0;
      left.n += !goes_right;
      right.n += goes_right;
    }
    cursors_[0].n = left.n;
    cursors_[1].n = right.n;
  }

  void part_in_many(const QuinlanNodeRows& here) {
    auto* const branch_of = branch_.data();
    auto* const cursors = cursors_.data();
    const auto* const turns = here.turns.data();
    const auto* const weights = here.weights.data();
    for (std::uint32_t i = 0, n = here.n; i < n; ++i) {
      if (branch_of[i] >= 0) {
        cursors[branch_of[i]].append(turns[i], weights[i]);
        continue;
      }
      for (const auto& [branch, weight] : shares_.of(weights[i])) {
        cursors[branch].append(turns[i], weight);
        spread_.push_back(static_cast<std::uint32_t>(branch));
      }
      branch_of[i] = -static_cast<std::int32_t>(spread_begin_.size());
      spread_begin_.push_back(spread_.size());
    }
  }

  void part_list(const QuinlanNodeRows& here, std::size_t list) {
    std::vector<std::uint32_t*> ends(parts_.size());
    for (std::size_t branch = 0; branch < parts_.size(); ++branch) {
      if (!parts_[branch].is_open) continue;
      auto& room = at(parts_[branch].place);
      ends[branch] = room.turns.data() + list * room.n;
    }
    const auto put = [&](std::size_t branch, std::uint32_t turn) {
      if (ends[branch] != nullptr) *ends[branch]++ = turn;
    };
    const auto* const turns = here.list(list);
    const auto* const branch_of = branch_of_turn_.data();
    for (std::uint32_t j = 0; j < here.n; ++j) {
      const auto turn = turns[j];
      if (branch_of[turn] >= 0) {
        put(static_cast<std::size_t>(branch_of[turn]), turn);
        continue;
      }
      const auto i = static_cast<std::size_t>(-1 - branch_of[turn]);
      for (auto k = spread_begin_[i]; k < spread_begin_[i + 1]; ++k) put(spread_[k], turn);
    }
  }

  const std::vector<std::uint16_t>& classes_;
  std::size_t n_classes_, n_lists_;
  UninitializedBuffer<std::int32_t> branch_, branch_of_turn_;
  UninitializedBuffer<std::int64_t> weight_of_turn_;             // in the node looked at
  std::vector<UninitializedBuffer<std::int64_t>> list_weights_;  // the same in the order of each list
  std::vector<std::unique_ptr<QuinlanNodeRows>> rooms_;
  std::vector<std::uint32_t> free_;
  std::vector<std::vector<std::int64_t>> spare_sums_;
  std::vector<Part> parts_;
  std::vector<Cursor> cursors_;      // where the next row of a branch goes
  std::vector<std::int64_t> sizes_;  // of the branches
  Shares shares_;
  std::vector<std::uint32_t> spread_;
  std::vector<std::size_t> spread_begin_;
};

}  // namespace treewright
