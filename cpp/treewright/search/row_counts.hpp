// What is counted of rows, by kind of target: its form in a record, its packed form while few rows are added
// up, and its full count per bin. All are integers, so a child's counts are exactly its parent's minus its
// sibling's, whatever the order of the rows.
#pragma once

#include "treewright/search/target.hpp"  // for Target, LeafStore, settle_classes

namespace treewright {

// A record ends in the number of its row, with a spare bit. Before it is the row's weight, unless all weights
// are equal, and before that the rest of the target.
inline constexpr std::uint32_t kSpareBit = std::uint32_t{1} << 31;

template <class Value>
Value value_before(const std::uint8_t* end) {
  Value value;
  std::memcpy(&value, end - sizeof value, sizeof value);
  return value;
}
template <class Value>
std::uint8_t* write_before(std::uint8_t* end, Value value) {
  std::memcpy(end - sizeof value, &value, sizeof value);
  return end - sizeof value;
}
inline std::uint32_t tag_at(const std::uint8_t* end) { return value_before<std::uint32_t>(end); }

// A number of rows, and their total weight.
template <bool kWeighted>
struct Rows {
  std::uint32_t rows = 0;

  std::int64_t weight() const { return rows; }
  void add(const Rows& more) { rows += more.rows; }
  void take(const Rows& less) { rows -= less.rows; }
  static Rows one(std::int64_t) { return {1}; }
};
template <>
struct Rows<true> {
  std::uint32_t rows = 0;
  std::int64_t total = 0;

  std::int64_t weight() const { return total; }
  void add(const Rows& more) {
    rows += more.rows;
    total += more.total;
  }
  void take(const Rows& less) {
    rows -= less.rows;
    total -= less.total;
  }
  static Rows one(std::int64_t weight) { return {1, weight}; }
};

template <class Count>
concept IsCount = requires(Count& count, const Count& other) {
  count.add(other);
  count.take(other);
  count.rows;
};
template <IsCount Count>
Count& operator+=(Count& count, const Count& more) {
  count.add(more);
  return count;
}
template <IsCount Count>
Count operator+(Count count, const Count& more) {
  count.add(more);
  return count;
}
template <IsCount Count>
Count operator-(Count count, const Count& less) {
  count.take(less);
  return count;
}

// What is known of all rows of a node before they are counted, if the target is a class.
template <class Kind>
struct ClassSummary {
  typename Kind::Count all;

  ClassSummary() = default;
  ClassSummary(const Target& target, std::uint32_t begin, std::uint32_t end) {
    for (auto slot = begin; slot < end; ++slot) all += Kind::count_of(target, slot);
  }
  ClassSummary& operator+=(const ClassSummary& more) {
    all += more.all;
    return *this;
  }
  void add(const std::uint8_t* end, const Target&) { Kind::add_record(all, end); }
  std::uint32_t rows() const { return all.rows; }
  std::int64_t weight() const { return all.weight(); }
  bool is_pure() const {
    const auto tally = Kind::tally(all);
    return std::ranges::find(tally, all.weight()) != tally.end();
  }
  double impurity() const {
    const auto tally = Kind::tally(all);
    return rows() == 0 ? 1 : gini_of({tally[1], all.weight()});
  }
  void settle(LeafStore& leaves) const {
    const auto tally = Kind::tally(all);
    leaves.weights.insert(leaves.weights.end(), tally.begin(), tally.begin() + leaves.n_classes);
  }
};

struct TwoClassCount : Rows<false> {
  std::uint32_t ones = 0;  // rows of class 1

  void add(const TwoClassCount& more) {
    rows += more.rows;
    ones += more.ones;
  }
  void take(const TwoClassCount& less) {
    rows -= less.rows;
    ones -= less.ones;
  }
  bool operator==(const TwoClassCount& other) const { return rows == other.rows && ones == other.ones; }
};

// Two classes, rows of equal weight: the spare bit is the class.
struct TwoClassRows {
  using Count = TwoClassCount;
  using Packed = std::uint32_t;  // rows + 2^16 * rows of class 1
  using Summary = ClassSummary<TwoClassRows>;
  static constexpr std::size_t kMost = 2, kWidth = 1, kTargetBytes = 0;
  static constexpr bool kWeighted = false, kIsExact = true;  // the judge takes these counts as they are

  // How a node measures its target.
  struct Measure {
    Measure() = default;
    Measure(const Target&, const Summary&) {}
    bool suits(const Summary&) const { return true; }
    static void ask_for(std::uint32_t) {}
    static std::size_t part(const std::uint8_t*) { return 0; }
    static Packed one(const std::uint8_t* end) { return 1 + (tag_at(end) >> 31 << 16); }
    static Count count(std::uint32_t tag) { return {{1}, tag >> 31}; }
  };
  static Count unpack(const Packed* packed) { return {{*packed & 0xFFFF}, *packed >> 16}; }
  static Count count_of(const Target& target, std::uint32_t slot) {
    return {{1}, std::uint32_t{target.classes[slot] != 0}};
  }
  static void add_record(Count& all, const std::uint8_t* end) { all.add({{1}, tag_at(end) >> 31}); }
  static std::array<std::int64_t, kMost> tally(const Count& count) {
    return {std::int64_t{count.rows} - count.ones, count.ones};
  }
  static std::uint32_t write(const Target& target, std::uint32_t slot, std::uint8_t*) {
    return target.classes[slot] != 0 ? kSpareBit : 0;
  }
};

template <std::size_t kMost, bool kWeighted>
struct ClassCount : Rows<kWeighted> {
  using Weight = std::conditional_t<kWeighted, std::int64_t, std::uint32_t>;
  std::array<Weight, kMost> of{};  // weight of each class

  void add(const ClassCount& more) {
    Rows<kWeighted>::add(more);
    for (std::size_t k = 0; k < kMost; ++k) of[k] += more.of[k];
  }
  void take(const ClassCount& less) {
    Rows<kWeighted>::take(less);
    for (std::size_t k = 0; k < kMost; ++k) of[k] -= less.of[k];
  }
  void add_row(std::size_t k, std::int64_t weight) {
    Rows<kWeighted>::add(Rows<kWeighted>::one(weight));
    of[k] += static_cast<Weight>(weight);
  }
};

// Up to kMostClasses classes: a record has two bytes for the class.
template <std::size_t kMostClasses, bool kIsWeighted>
struct ClassRows {
  static constexpr std::size_t kMost = kMostClasses, kWidth = kMost;
  static constexpr bool kWeighted = kIsWeighted, kIsExact = true;
  static constexpr std::size_t kTargetBytes = sizeof(std::uint16_t) + kWeighted * sizeof(std::int64_t);
  using Count = ClassCount<kMost, kWeighted>;
  using Summary = ClassSummary<ClassRows>;
  // The rows of one class.
  struct WeighedRows {
    std::int64_t weight = 0, rows = 0;
    WeighedRows& operator+=(const WeighedRows& more) {
      weight += more.weight;
      rows += more.rows;
      return *this;
    }
  };
  using Packed = std::conditional_t<kWeighted, WeighedRows, std::uint16_t>;

  struct Measure {
    const Target* target = nullptr;

    Measure() = default;
    Measure(const Target& of, const Summary&) : target(&of) {}
    bool suits(const Summary&) const { return true; }
    void ask_for(std::uint32_t tag) const { prefetch(target->classes.data() + tag); }
    static std::size_t part(const std::uint8_t* end) { return class_at(end); }
    static Packed one(const std::uint8_t* end) {
      if constexpr (kWeighted) {
        return {weight_at(end), 1};
      } else {
        return 1;
      }
    }
    Count count(std::uint32_t tag) const { return count_of(*target, tag); }
  };
  static Count unpack(const Packed* packed) {
    Count count;
    for (std::size_t k = 0; k < kMost; ++k) {
      if constexpr (kWeighted) {
        count.of[k] = packed[k].weight;
        count.total += packed[k].weight;
        count.rows += static_cast<std::uint32_t>(packed[k].rows);
      } else {
        count.of[k] = packed[k];
        count.rows += packed[k];
      }
    }
    return count;
  }
  static Count count_of(const Target& target, std::uint32_t slot) {
    Count count;
    count.add_row(target.classes[slot], kWeighted ? target.weights.of_slot[slot] : 1);
    return count;
  }
  static void add_record(Count& all, const std::uint8_t* end) { all.add_row(class_at(end), weight_at(end)); }
  static std::array<std::int64_t, kMost> tally(const Count& count) {
    std::array<std::int64_t, kMost> tally;
    std::ranges::copy(count.of, tally.begin());
    return tally;
  }
  static std::int64_t weight_at(const std::uint8_t* end) {
    if constexpr (kWeighted) return value_before<std::int64_t>(end - sizeof(std::uint32_t));
    return 1;
  }
  static std::uint16_t class_at(const std::uint8_t* end) {
    return value_before<std::uint16_t>(end - sizeof(std::uint32_t) - kTargetBytes + sizeof(std::uint16_t));
  }
  static std::uint32_t write(const Target& target, std::uint32_t slot, std::uint8_t* end) {
    end -= sizeof(std::uint32_t);
    if constexpr (kWeighted) end = write_before(end, target.weights.of_slot[slot]);
    write_before(end, target.classes[slot]);
    return 0;
  }
};

}  // namespace treewright
