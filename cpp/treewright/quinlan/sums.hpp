// Class weights by value of the coded columns, of one node after the other: summed up over its rows, or what
// its parent has less what its siblings have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/pool.hpp"           // for Pool
#include "treewright/quinlan/codes.hpp"  // for CodeTable
#include "treewright/quinlan/rows.hpp"   // for QuinlanRows, QuinlanNodeRows

namespace treewright {

template <std::size_t kClasses>
class QuinlanSums {
 public:
  QuinlanSums(const CodeTable& codes, const std::vector<std::uint16_t>& classes, std::size_t n_classes,
              QuinlanRows& rows, const QuinlanThreads& threads)
      : rows_(rows), threads_(threads), n_classes_(n_classes), sums_(codes, classes, n_classes) {}

  // Sum up a node. What is found of a large one is kept for its children.
  void enter(QuinlanNodeRows& here) {
    if (here.sums.empty()) {
      if (pays_for_sums(here)) {
        sum_up(here);
      } else {
        sums_.sum_up_few(here.many_valued, here.turns.data(), here.weights.data(), here.n);
      }
    }
    here_ = here.sums.empty() ? nullptr : here.sums.data();
  }

  // Class weights at a place of the node entered.
  const std::int64_t* at(std::size_t place) const {
    return (here_ == nullptr ? sums_.few() : here_) + place * n_classes_;
  }

  // Hand over the class weights at all places of a column where there are any, rising; once.
  template <class Take>
  void each_place(std::size_t number, const Take& take) {
    here_ == nullptr ? sums_.each_place_of_few(number, take) : sums_.each_place(number, here_, take);
  }

  // Where not all columns of the node entered were handed over.
  void forget() {
    if (here_ != nullptr) return;
    for (std::size_t number = 0; number < sums_.n_columns(); ++number)
      sums_.each_place_of_few(number, [](std::uint32_t, const std::int64_t*) {});
  }

  // Weights are whole numbers, and what the children have of a row adds up to what their parent has: so the
  // largest of the children just parted need not be summed up.
  void hand_on(QuinlanNodeRows& here) {
    if (here.sums.empty()) return;
    QuinlanNodeRows* largest = nullptr;
    std::size_t n_more = 0;  // rows that would be gone through once more
    for (const auto& part : rows_.parts()) {
      auto& room = rows_.at(part.place);
      if (!part.is_open || !pays_for_sums(room)) {
        n_more += part.n;
      } else if (largest == nullptr || room.n > largest->n) {
        largest = &room;
      }
    }
    if (largest == nullptr || n_more >= largest->n) return;
    for (const auto& part : rows_.parts()) {
      auto& room = rows_.at(part.place);
      if (&room != largest) take_off(room, part.is_open, *largest, here.sums.data());
    }
    largest->sums = std::exchange(here.sums, {});
  }

 private:
  // Whether a node has so many rows that going through its sums is quicker.
  bool pays_for_sums(const QuinlanNodeRows& room) const {
    return room.n * room.many_valued.size() >= 2 * sums_.size_of(room.many_valued);
  }

  void sum_up(QuinlanNodeRows& room) {
    rows_.take_sums(room, sums_.size());
    const auto sum_up = [&](std::span<const std::uint16_t> numbers) {
      sums_.sum_up(numbers, room.turns.data(), room.weights.data(), room.n, room.sums.data());
    };
    const auto& numbers = room.many_valued;
    if (threads_.pays_for(room.n)) {
      threads_.pool.run(numbers.size(), [&](std::size_t i, int) { sum_up({&numbers[i], 1}); });
    } else {
      sum_up(numbers);
    }
  }

  // Take off what a sibling has; one that will be entered keeps it.
  void take_off(QuinlanNodeRows& room, bool is_open, const QuinlanNodeRows& largest, std::int64_t* sums) {
    if (is_open && pays_for_sums(room)) {
      sum_up(room);
      sums_.take_off(largest.many_valued, room.sums.data(), sums);
    } else {
      sums_.take_off(largest.many_valued, room.turns.data(), room.weights.data(), room.n, sums);
    }
  }

  QuinlanRows& rows_;
  QuinlanThreads threads_;
  std::size_t n_classes_;
  CodeSums<kClasses> sums_;
  const std::int64_t* here_ = nullptr;  // of the node entered; nullptr: it has few rows
};

}  // namespace treewright
