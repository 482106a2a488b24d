// What is counted of rows, by the kind of their target: how a record holds it, how it is added up while rows
// are few, and what is kept of the rows of a bin. All are whole numbers, so that a child's are its parent's
// less its sibling's, whatever the order of the rows.
#pragma once

#include "treewright/math/fixed_point.hpp"  // for NumberGrid
#include "treewright/search/target.hpp"     // for Target, LeafStore, settle_classes

namespace treewright {

// Records end in the number of their row, with a bit to spare; what else is said of the target stands in
// front.
inline constexpr std::uint32_t kSpareBit = std::uint32_t{1} << 31;

inline std::uint32_t tag_at(const std::uint8_t* end) {
  std::uint32_t tag;
  std::memcpy(&tag, end - sizeof tag, sizeof tag);
  return tag;
}

struct TwoClassCount {
  std::uint32_t rows = 0, ones = 0;  // ones: rows of class 1

  TwoClassCount operator+(const TwoClassCount& more) const { return {rows + more.rows, ones + more.ones}; }
  TwoClassCount operator-(const TwoClassCount& less) const { return {rows - less.rows, ones - less.ones}; }
  TwoClassCount& operator+=(const TwoClassCount& more) { return *this = *this + more; }
  bool operator==(const TwoClassCount&) const = default;
};

// Two classes: the spare bit is the class.
struct TwoClassRows {
  using Count = TwoClassCount;
  using Packed = std::uint32_t;  // rows, and 2^16 times those of class 1
  static constexpr std::size_t kWidth = 1, kTargetBytes = 0;
  static constexpr bool kIsExact = true;  // counts are what the judge asks for

  // What is known of all rows of a node before they are counted.
  struct Summary {
    Count all;

    Summary() = default;
    Summary(const Target& target, std::uint32_t begin, std::uint32_t end) : all{end - begin, 0} {
      for (auto row = begin; row < end; ++row) all.ones += target.classes[row] != 0;
    }
    Summary& operator+=(const Summary& more) {
      all += more.all;
      return *this;
    }
    void add(const std::uint8_t* end) { all += {1, tag_at(end) >> 31}; }
    std::uint32_t rows() const { return all.rows; }
    bool is_pure() const { return all.ones == 0 || all.ones == all.rows; }
    double impurity() const { return all.rows == 0 ? 1 : gini_of({all.ones, all.rows}); }
    void settle(LeafStore& leaves) const { settle_classes({all.ones, all.rows}, leaves); }
  };

  // What a node measures its target by.
  struct Measure {
    Measure() = default;
    Measure(const Target&, const Summary&) {}
    bool suits(const Summary&) const { return true; }
    static void ask_for(std::uint32_t) {}
    static std::size_t part(const std::uint8_t*) { return 0; }
    static Packed one(const std::uint8_t* end) { return 1 + (tag_at(end) >> 31 << 16); }
    static Count count(std::uint32_t tag) { return {1, tag >> 31}; }
  };
  static Count unpack(const Packed* packed) { return {*packed & 0xFFFF, *packed >> 16}; }
  static void add_classes(const Count& count, std::vector<std::int32_t>& rows) {
    rows.push_back(static_cast<std::int32_t>(count.rows - count.ones));
    rows.push_back(static_cast<std::int32_t>(count.ones));
  }
  static std::uint32_t write(const Target& target, std::uint32_t row, std::uint8_t*) {
    return target.classes[row] != 0 ? kSpareBit : 0;
  }
};

template <std::size_t kMost>
struct ManyClassCount {
  std::array<std::uint32_t, kMost> of{};  // rows of each class
  std::uint32_t rows = 0;

  ManyClassCount operator+(ManyClassCount more) const { return more += *this; }
  ManyClassCount operator-(const ManyClassCount& less) const {
    auto rest = *this;
    for (std::size_t k = 0; k < kMost; ++k) rest.of[k] -= less.of[k];
    rest.rows -= less.rows;
    return rest;
  }
  ManyClassCount& operator+=(const ManyClassCount& more) {
    for (std::size_t k = 0; k < kMost; ++k) of[k] += more.of[k];
    rows += more.rows;
    return *this;
  }
};

// Up to so many classes: a record has two bytes for the class.
template <std::size_t kMost>
struct ManyClassRows {
  using Count = ManyClassCount<kMost>;
  using Packed = std::uint16_t;  // rows of a class
  static constexpr std::size_t kWidth = kMost, kTargetBytes = sizeof(std::uint16_t);
  static constexpr bool kIsExact = true;

  struct Summary {
    Count all;

    Summary() = default;
    Summary(const Target& target, std::uint32_t begin, std::uint32_t end) {
      for (auto row = begin; row < end; ++row) add(target.classes[row]);
    }
    Summary& operator+=(const Summary& more) {
      all += more.all;
      return *this;
    }
    void add(const std::uint8_t* end) { add(class_at(end)); }
    std::uint32_t rows() const { return all.rows; }
    bool is_pure() const { return std::ranges::find(all.of, all.rows) != all.of.end(); }
    double impurity() const { return 1; }
    void settle(LeafStore& leaves) const {
      leaves.weights.insert(leaves.weights.end(), all.of.begin(), all.of.begin() + leaves.n_classes);
    }

   private:
    void add(std::uint16_t k) {
      ++all.of[k];
      ++all.rows;
    }
  };

  struct Measure {
    const std::uint16_t* classes = nullptr;  // by row

    Measure() = default;
    Measure(const Target& target, const Summary&) : classes(target.classes.data()) {}
    bool suits(const Summary&) const { return true; }
    void ask_for(std::uint32_t tag) const { prefetch(classes + tag); }
    static std::size_t part(const std::uint8_t* end) { return class_at(end); }
    static Packed one(const std::uint8_t*) { return 1; }
    Count count(std::uint32_t tag) const {
      Count count{.rows = 1};
      count.of[classes[tag]] = 1;
      return count;
    }
  };
  static Count unpack(const Packed* packed) {
    Count count;
    std::copy_n(packed, kMost, count.of.begin());
    count.rows = std::accumulate(count.of.begin(), count.of.end(), 0U);
    return count;
  }
  static void add_classes(const Count& count, std::vector<std::int32_t>& rows) {
    rows.insert(rows.end(), count.of.begin(), count.of.end());
  }
  static std::uint16_t class_at(const std::uint8_t* end) {
    std::uint16_t k;
    std::memcpy(&k, end - sizeof(std::uint32_t) - sizeof k, sizeof k);
    return k;
  }
  static std::uint32_t write(const Target& target, std::uint32_t row, std::uint8_t* end) {
    std::memcpy(end - sizeof(std::uint32_t) - kTargetBytes, &target.classes[row], kTargetBytes);
    return 0;
  }
};
using FewClassRows = ManyClassRows<8>;
using MoreClassRows = ManyClassRows<32>;

// Numbers in steps of a grid: their sum, and how far they are at most from its middle, squared and in wide
// steps.
struct NumberCount {
  std::int64_t sum = 0, squares = 0;
  std::uint32_t rows = 0;

  NumberCount operator+(const NumberCount& more) const {
    return {sum + more.sum, squares + more.squares, rows + more.rows};
  }
  NumberCount operator-(const NumberCount& less) const {
    return {sum - less.sum, squares - less.squares, rows - less.rows};
  }
  NumberCount& operator+=(const NumberCount& more) { return *this = *this + more; }
};

struct NumberRows {
  using Count = NumberCount;
  struct Packed {
    std::int64_t sum = 0;
    std::uint64_t squares_rows = 0;  // rows, and 2^16 times the squares
    Packed& operator+=(const Packed& more) {
      sum += more.sum;
      squares_rows += more.squares_rows;
      return *this;
    }
  };
  static constexpr std::size_t kWidth = 1, kTargetBytes = sizeof(double);
  static constexpr bool kIsExact = false;  // the judge measures every node anew
  static constexpr int kBitsOfSquares = 15;

  struct Summary {
    std::uint32_t n = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;

    Summary() = default;
    Summary(const Target& target, std::uint32_t begin, std::uint32_t end) {
      for (auto row = begin; row < end; ++row) add(target.numbers[row]);
    }
    Summary& operator+=(const Summary& more) {
      n += more.n;
      low = std::min(low, more.low);
      high = std::max(high, more.high);
      return *this;
    }
    void add(const std::uint8_t* end) { add(number_at(end)); }
    std::uint32_t rows() const { return n; }
    bool is_pure() const { return low == high; }
    double impurity() const { return 1; }
    NumberGrid grid() const { return {low, high - low, n}; }

   private:
    void add(double number) {
      ++n;
      low = std::min(low, number);
      high = std::max(high, number);
    }
  };

  // A node may measure as a node above it does, whose counts it can then be told from. Once its numbers lie
  // much closer together, it is counted anew, in finer steps.
  struct Measure {
    NumberGrid grid;
    double range = 0;
    const double* numbers = nullptr;  // by row

    Measure() = default;
    Measure(const Target& target, const Summary& summary)
        : grid(summary.grid()), range(summary.high - summary.low), numbers(target.numbers.data()) {}
    bool suits(const Summary& summary) const { return summary.high - summary.low >= range / 64; }
    void ask_for(std::uint32_t tag) const { prefetch(numbers + tag); }

    std::int64_t middle() const { return std::int64_t{1} << (grid.bits - 1); }
    int wide_step() const { return std::max(0, grid.bits - 1 - kBitsOfSquares); }  // as a power of two

    static std::size_t part(const std::uint8_t*) { return 0; }
    TREEWRIGHT_INLINE Packed one(const std::uint8_t* end) const { return pack(number_at(end)); }
    Count count(std::uint32_t tag) const {
      const auto packed = pack(numbers[tag]);
      return unpack(&packed);
    }

   private:
    TREEWRIGHT_INLINE Packed pack(double number) const {
      const auto steps = grid.whole(number);
      const auto away = static_cast<std::uint64_t>((std::abs(steps - middle()) >> wide_step()) + 1);
      return {steps, 1 + (away * away << 16)};
    }
  };
  static Count unpack(const Packed* packed) {
    return {packed->sum, static_cast<std::int64_t>(packed->squares_rows >> 16),
            static_cast<std::uint32_t>(packed->squares_rows & 0xFFFF)};
  }
  static double number_at(const std::uint8_t* end) {
    double number;
    std::memcpy(&number, end - sizeof(std::uint32_t) - sizeof number, sizeof number);
    return number;
  }
  static std::uint32_t write(const Target& target, std::uint32_t row, std::uint8_t* end) {
    std::memcpy(end - sizeof(std::uint32_t) - sizeof(double), &target.numbers[row], sizeof(double));
    return 0;
  }
};

}  // namespace treewright
