// A numeric column as the caller holds it: read in place, never copied whole.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace treewright {

// A cut in the column's own type: `integer` counts where the column holds int64, `number` elsewhere.
// `value <= cut` goes to branch 0.
struct Cut {
  double number = std::numeric_limits<double>::quiet_NaN();
  std::int64_t integer = 0;
};

// "Every known value": the question that parts known from missing.
inline constexpr Cut kEveryKnownValue{std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<std::int64_t>::max()};

// Category: the int32 code of a category, negative where it is missing.
enum class ValueType : std::uint8_t { Float64, Float32, Int64, Category };

// int64 has no NaN; its least value is given up to stand for a missing cell (as NaT does in NumPy).
inline constexpr std::int64_t kMissingInteger = std::numeric_limits<std::int64_t>::min();

// Keys order as the values do; a missing value comes last.
inline constexpr std::uint64_t kMissingKey = ~std::uint64_t{0};

inline std::uint64_t key_of(double value) {
  if (std::isnan(value)) return kMissingKey;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0.0 becomes +0.0
  const auto sign = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> 63);
  return bits ^ (sign | (std::uint64_t{1} << 63));
}

inline std::uint64_t key_of(std::int32_t code) {
  return code < 0 ? kMissingKey : static_cast<std::uint64_t>(code);
}

inline std::uint64_t key_of(std::int64_t value) {
  if (value == kMissingInteger) return kMissingKey;
  return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

// The middle of two neighbouring values, low < high; low itself where the middle rounds up to high.
inline double middle(double low, double high) {
  const double mid = low / 2 + high / 2;
  return mid < high ? mid : low;
}

inline std::int64_t middle(std::int64_t low, std::int64_t high) {
  const auto gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + gap / 2);
}

class Column {
 public:
  Column(const void* data, std::ptrdiff_t stride_bytes, ValueType type)
      : data_(static_cast<const std::byte*>(data)), stride_(stride_bytes), type_(type) {}

  ValueType type() const { return type_; }
  const std::byte* data() const { return data_; }
  std::ptrdiff_t stride() const { return stride_; }

  template <class Value>
  Value value(std::size_t row) const {
    Value value;
    std::memcpy(&value, data_ + static_cast<std::ptrdiff_t>(row) * stride_, sizeof value);
    return value;
  }

  std::int32_t code(std::size_t row) const { return value<std::int32_t>(row); }

  double number(std::size_t row) const {
    return type_ == ValueType::Float64 ? value<double>(row) : static_cast<double>(value<float>(row));
  }

  std::uint64_t key(std::size_t row) const {
    if (type_ == ValueType::Category) return key_of(code(row));
    return type_ == ValueType::Int64 ? key_of(value<std::int64_t>(row)) : key_of(number(row));
  }

  Cut between(std::size_t low_row, std::size_t high_row) const {
    if (type_ == ValueType::Int64) {
      const auto cut = middle(value<std::int64_t>(low_row), value<std::int64_t>(high_row));
      return {static_cast<double>(cut), cut};
    }
    return {middle(number(low_row), number(high_row)), 0};
  }

  // A cut at `share` (0 <= share < 1) of the way from the value of one row to that of another.
  Cut part_way(std::size_t low_row, std::size_t high_row, double share) const {
    if (type_ == ValueType::Int64) {
      const auto low = value<std::int64_t>(low_row), high = value<std::int64_t>(high_row);
      const auto gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
      auto step = static_cast<std::uint64_t>(share * static_cast<double>(gap));
      if (step >= gap) step = gap - 1;
      const auto cut = static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step);
      return {static_cast<double>(cut), cut};
    }
    const double low = number(low_row), high = number(high_row);
    const double cut = low * (1 - share) + high * share;  // no overflow, whatever the range
    return {cut >= low && cut < high ? cut : low, 0};
  }

  // A cut at the value of a row. Of the two zeros, which are equal, it is always the positive one.
  Cut at(std::size_t row) const {
    if (type_ == ValueType::Int64) {
      const auto integer = value<std::int64_t>(row);
      return {static_cast<double>(integer), integer};
    }
    return {number(row) + 0.0, 0};
  }

  // Whether the value of one row is more than `gap` below that of another.
  bool is_below(std::size_t low_row, std::size_t high_row, double gap) const {
    if (type_ == ValueType::Int64) return value<std::int64_t>(low_row) < value<std::int64_t>(high_row);
    return number(low_row) + gap < number(high_row);
  }

  bool at_most(std::size_t row, const Cut& cut) const {
    return type_ == ValueType::Int64 ? value<std::int64_t>(row) <= cut.integer : number(row) <= cut.number;
  }

 private:
  const std::byte* data_;
  std::ptrdiff_t stride_;
  ValueType type_;
};

}  // namespace treewright
