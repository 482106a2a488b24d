// What is counted of rows with numeric targets; and the list of all kinds of targets that are counted.
#pragma once

#include "treewright/math/fixed_point.hpp"   // for NumberGrid
#include "treewright/search/row_counts.hpp"  // for Rows, TwoClassRows, ClassRows

namespace treewright {

// Targets in steps of a grid, times the weights of their rows: their sum; and the sum of squared distances to
// the middle of the grid, each divided by the row's weight, rounded up, in wide steps.
template <bool kWeighted>
struct NumberCount : Rows<kWeighted> {
  std::int64_t sum = 0, squares = 0;

  void add(const NumberCount& more) {
    Rows<kWeighted>::add(more);
    sum += more.sum;
    squares += more.squares;
  }
  void take(const NumberCount& less) {
    Rows<kWeighted>::take(less);
    sum -= less.sum;
    squares -= less.squares;
  }
};

// `Of`: the criterion, which defines the origin from which numbers are measured.
template <class Of, bool kIsWeighted>
struct NumberRows {
  using Criterion = Of;
  using Count = NumberCount<kIsWeighted>;
  struct PackedSums {
    std::int64_t sum = 0;
    std::uint64_t squares_rows = 0;  // rows + 2^16 * squares
    PackedSums& operator+=(const PackedSums& more) {
      sum += more.sum;
      squares_rows += more.squares_rows;
      return *this;
    }
  };
  using Packed = std::conditional_t<kIsWeighted, Count, PackedSums>;
  static constexpr bool kWeighted = kIsWeighted, kIsExact = false;  // the judge measures every node anew
  static constexpr std::size_t kWidth = 1, kTargetBytes = sizeof(double) * (1 + kWeighted);
  static constexpr int kBitsOfSquares = 15;

  // A row as stored in its record.
  struct Row {
    double number, given = 1;  // the weight as the caller gave it

    double height(double low) const { return kWeighted ? given * (number - low) : number - low; }
    std::int64_t weight(const Target& target) const {
      return kWeighted ? std::max<std::int64_t>(1, std::llrint(given / target.weights.unit)) : 1;
    }
  };
  static Row row_at(const std::uint8_t* end) {
    end -= sizeof(std::uint32_t);
    if constexpr (kWeighted) return {value_before<double>(end - sizeof(double)), value_before<double>(end)};
    return {value_before<double>(end)};
  }
  static Row row_of(const Target& target, std::uint32_t slot) {
    return {target.numbers[slot], kWeighted ? target.weights.given[slot] : 1};
  }
  static std::uint32_t write(const Target& target, std::uint32_t slot, std::uint8_t* end) {
    end -= sizeof(std::uint32_t);
    if constexpr (kWeighted) end = write_before(end, target.weights.given[slot]);
    write_before(end, target.numbers[slot]);
    return 0;
  }

  struct Summary {
    Rows<kWeighted> n;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double heaviest = kWeighted ? 0 : 1;  // as given
    std::int64_t lightest = kWeighted ? std::numeric_limits<std::int64_t>::max() : 1;

    Summary() = default;
    Summary(const Target& target, std::uint32_t begin, std::uint32_t end) {
      for (auto slot = begin; slot < end; ++slot) add(row_of(target, slot), target);
    }
    Summary& operator+=(const Summary& more) {
      n.add(more.n);
      low = std::min(low, more.low);
      high = std::max(high, more.high);
      heaviest = std::max(heaviest, more.heaviest);
      lightest = std::min(lightest, more.lightest);
      return *this;
    }
    void add(const std::uint8_t* end, const Target& target) { add(row_at(end), target); }
    std::uint32_t rows() const { return n.rows; }
    std::int64_t weight() const { return n.weight(); }
    bool is_pure() const { return low == high; }
    double impurity() const { return 1; }
    double origin() const { return Criterion::origin(low); }

   private:
    void add(const Row& row, const Target& target) {
      const auto weight = row.weight(target);
      n.add(Rows<kWeighted>::one(weight));
      lightest = std::min(lightest, weight);
      low = std::min(low, row.number);
      high = std::max(high, row.number);
      if constexpr (kWeighted) heaviest = std::max(heaviest, row.given);
    }
  };

  // A node may use the measure of an ancestor, so that its counts can be subtracted from those. Once its
  // range is much narrower, its rows are counted anew, in finer steps.
  struct Measure {
    const Target* target = nullptr;
    NumberGrid grid;
    double range = 0;
    double middle = 0, wide = 1;  // middle of the range in steps, for weight 1; step of squares
    double off = 2, sum_off = 0;  // steps by which a row, and all rows, may differ from the judge's measure
    double root_off = 0;          // ... and the root of a cut's score

    Measure() = default;
    Measure(const Target& of, const Summary& summary)
        : target(&of),
          grid(summary.origin(), (summary.high - summary.origin()) * summary.heaviest, summary.rows()),
          range(summary.high - summary.origin()) {
      if constexpr (kWeighted) {
        const double steps = range * grid.scale,
                     unit = of.weights.unit;  // the given weight of integer weight 1
        middle = steps * unit / 2;
        const double most = summary.heaviest / unit * (middle + 1) * (middle + 1);
        wide = std::ldexp(1.0, std::ilogb(most) + 2 + static_cast<int>(std::bit_width(summary.rows())) - 61);
        off = 3 + of.weights.rounded * steps;
      } else {
        middle = std::ldexp(1.0, grid.bits - 1);
        wide = std::ldexp(1.0, 2 * wide_bits());
      }
      sum_off = off * summary.rows();
      root_off = 2 * off * std::sqrt(summary.rows() / static_cast<double>(summary.lightest));
    }
    bool suits(const Summary& summary) const { return summary.high - summary.origin() >= range / 64; }
    void ask_for(std::uint32_t tag) const { prefetch(target->numbers.data() + tag); }

    static std::size_t part(const std::uint8_t*) { return 0; }
    TREEWRIGHT_INLINE Packed one(const std::uint8_t* end) const { return pack(row_at(end)); }
    Count count(std::uint32_t tag) const {
      const auto packed = pack(row_of(*target, tag));
      return unpack(&packed);
    }

   private:
    int wide_bits() const { return std::max(0, grid.bits - 1 - kBitsOfSquares); }
    TREEWRIGHT_INLINE Packed pack(const Row& row) const {
      const auto steps = Criterion::whole(row.height(grid.low) * grid.scale);
      if constexpr (kWeighted) {
        const auto weight = row.weight(*target);
        const double real = static_cast<double>(weight), away = static_cast<double>(steps) - real * middle;
        return {Rows<true>::one(weight), steps, static_cast<std::int64_t>(away * away / real / wide) + 1};
      } else {
        const auto middle_step = std::int64_t{1} << (grid.bits - 1);
        const auto away = static_cast<std::uint64_t>((std::abs(steps - middle_step) >> wide_bits()) + 1);
        return {steps, 1 + (away * away << 16)};
      }
    }
  };
  static Count unpack(const Packed* packed) {
    if constexpr (kWeighted) {
      return *packed;
    } else {
      return {{static_cast<std::uint32_t>(packed->squares_rows & 0xFFFF)},
              packed->sum,
              static_cast<std::int64_t>(packed->squares_rows >> 16)};
    }
  }
};

// Expands `work` for every kind.
#define TREEWRIGHT_FOR_CLASS_KINDS(work) \
  work(TwoClassRows);                    \
  work(ClassRows<8, false>);             \
  work(ClassRows<32, false>);            \
  work(ClassRows<2, true>);              \
  work(ClassRows<8, true>);              \
  work(ClassRows<32, true>)
#define TREEWRIGHT_FOR_NUMBER_KINDS(work)   \
  work(NumberRows<SquaredDistance, false>); \
  work(NumberRows<SquaredDistance, true>);  \
  work(NumberRows<PoissonDeviance, false>); \
  work(NumberRows<PoissonDeviance, true>)
#define TREEWRIGHT_FOR_KINDS(work)  \
  TREEWRIGHT_FOR_CLASS_KINDS(work); \
  TREEWRIGHT_FOR_NUMBER_KINDS(work)

}  // namespace treewright
