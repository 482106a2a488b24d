// A numeric column as the caller holds it: read in place, never copied whole.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

// A cut in the column's own type: `integer` for int64, otherwise `number`. `value <= cut` goes to branch 0.
struct Cut {
  double number = std::numeric_limits<double>::quiet_NaN();
  std::int64_t integer = 0;
};

// The cut above every known value: it splits known from missing values.
inline constexpr Cut kEveryKnownValue{kInfinity, std::numeric_limits<std::int64_t>::max()};

// Category: the int32 code of a category, negative where it is missing.
enum class ValueType : std::uint8_t { Float64, Float32, Int64, Category };

// int64 has no NaN; its least value stands for a missing one (as NaT does in NumPy).
inline constexpr std::int64_t kMissingInteger = std::numeric_limits<std::int64_t>::min();

template <class Value>
bool is_missing(Value value) {
  if constexpr (std::is_floating_point_v<Value>) return std::isnan(value);
  return sizeof(Value) == sizeof(std::int64_t) ? value == static_cast<Value>(kMissingInteger) : value < 0;
}

// Keys are in the order of the values; a missing value comes last.
inline constexpr std::uint64_t kMissingKey = ~std::uint64_t{0};

template <class Value>
std::uint64_t key_of(Value value) {
  if (is_missing(value)) return kMissingKey;
  using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
  constexpr int kSign = 8 * sizeof(Bits) - 1;
  const auto bits = std::bit_cast<Bits>(value + Value{0});  // -0.0 becomes +0.0
  // Floats have a sign and a magnitude: a negative number of larger magnitude is smaller.
  const auto flipped = std::is_floating_point_v<Value> ? Bits{0} - (bits >> kSign) : Bits{0};
  return bits ^ (flipped | Bits{1} << kSign);
}

// The inverse of key_of, for keys of known values.
template <class Value>
Value value_of_key(std::uint64_t key) {
  using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
  constexpr int kSign = 8 * sizeof(Bits) - 1;
  const auto bits = static_cast<Bits>(key);
  const auto flipped = std::is_floating_point_v<Value> ? (bits >> kSign) - Bits{1} : Bits{0};
  return std::bit_cast<Value>(bits ^ (flipped | Bits{1} << kSign));
}

// Call work with the type of a column's values as its type argument.
template <class Work>
auto with_type(ValueType type, const Work& work) {
  if (type == ValueType::Float64) return work.template operator()<double>();
  if (type == ValueType::Float32) return work.template operator()<float>();
  if (type == ValueType::Int64) return work.template operator()<std::int64_t>();
  return work.template operator()<std::int32_t>();
}

// The point a share (0 <= share < 1) of the way from `low` to `high`, low <= high. It is below `high` unless
// the two are equal, whatever rounding does. A zero is always the positive one.
inline double part_way(double low, double high, double share) {
  const double at = low * (1 - share) + high * share;  // no overflow, whatever the range
  return (at >= low && at < high ? at : low) + 0.0;
}

inline std::int64_t part_way(std::int64_t low, std::int64_t high, double share) {
  const auto gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const auto step = share == 0.5 ? gap / 2 : static_cast<std::uint64_t>(share * static_cast<double>(gap));
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + std::min(step, gap - 1));
}

template <class Value>
TREEWRIGHT_INLINE Value load(const std::byte* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
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
    return load<Value>(data_ + static_cast<std::ptrdiff_t>(row) * stride_);
  }

  std::int32_t code(std::size_t row) const { return value<std::int32_t>(row); }

  double number(std::size_t row) const {
    return type_ == ValueType::Float64 ? value<double>(row) : static_cast<double>(value<float>(row));
  }

  // As a double, whatever the type.
  TREEWRIGHT_INLINE double real(std::size_t row) const {
    if (type_ == ValueType::Int64) return static_cast<double>(value<std::int64_t>(row));
    return number(row);
  }

  std::uint64_t key(std::size_t row) const {
    return with_type(type_, [&]<class Value>() { return key_of(value<Value>(row)); });
  }

  // Half-way between two neighbouring values.
  Cut between(std::size_t low_row, std::size_t high_row) const { return part_way(low_row, high_row, 0.5); }
  Cut at(std::size_t row) const { return part_way(row, row, 0); }
  Cut part_way(std::size_t low_row, std::size_t high_row, double share) const {
    if (type_ != ValueType::Int64) return {treewright::part_way(number(low_row), number(high_row), share), 0};
    const auto cut = treewright::part_way(value<std::int64_t>(low_row), value<std::int64_t>(high_row), share);
    return {static_cast<double>(cut), cut};
  }

  // Whether the value of one row is more than `gap` below that of another.
  bool is_below(std::size_t low_row, std::size_t high_row, double gap) const {
    if (type_ == ValueType::Int64) return value<std::int64_t>(low_row) < value<std::int64_t>(high_row);
    return number(low_row) + gap < number(high_row);
  }

  bool at_most(std::size_t row, const Cut& cut) const {
    return type_ == ValueType::Int64 ? value<std::int64_t>(row) <= cut.integer : number(row) <= cut.number;
  }

  // Whether another column lies beside this one in a row-major array: they share cache lines.
  bool is_beside(const Column& next) const {
    const auto size = with_type(type_, []<class Value>() { return std::ptrdiff_t{sizeof(Value)}; });
    return type_ == next.type_ && stride_ == next.stride_ && stride_ > size && next.data_ == data_ + size;
  }

 private:
  const std::byte* data_;
  std::ptrdiff_t stride_;
  ValueType type_;
};

// The end of the run of columns, at most `most`, that lie side by side from `begin` on.
inline std::size_t end_of_run(std::span<const Column> columns, std::size_t begin, std::size_t most) {
  auto end = begin + 1;
  while (end < columns.size() && end - begin < most && columns[end - 1].is_beside(columns[end])) ++end;
  return end;
}

}  // namespace treewright
