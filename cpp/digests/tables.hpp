// Tables from whole-number arithmetic alone: the same bytes on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "treewright/recipe/random.hpp"  // for mix
#include "treewright/table/column.hpp"   // for Column, ValueType

namespace treewright::digests {

constexpr std::size_t kColumns = 6;

// The values of a table: numbers, with so many distinct values; numbers and categories; the same with missing
// values; numbers of several types.
enum class Kind : std::uint8_t { Numbers, Categories, Gaps, Types };

// A whole number in [0, below).
inline std::uint64_t draw_below(std::uint64_t below, std::uint64_t seed, std::size_t i) {
  return mix((seed << 32) + i) % below;
}

struct DrawnColumn {
  ValueType type = ValueType::Float64;
  std::uint32_t n_categories = 0;  // 0: numbers
  std::vector<std::byte> bytes;

  std::ptrdiff_t size_of_value() const {
    return type == ValueType::Float32 || type == ValueType::Category ? 4 : 8;
  }
  template <class Value>
  void push(Value value) {
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  }
  void push(std::uint64_t drawn, bool is_missing) {
    if (type == ValueType::Float64) {
      push(is_missing ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(drawn) / 64);
    } else if (type == ValueType::Float32) {
      push(static_cast<float>(drawn >> 40));
    } else if (type == ValueType::Category) {
      push(is_missing ? -1 : static_cast<std::int32_t>(drawn % n_categories));
    } else {
      push(static_cast<std::int64_t>(drawn) - (std::int64_t{1} << 59));
    }
  }
};

struct DrawnTable {
  std::string name;
  bool has_gaps = false;
  std::vector<DrawnColumn> drawn;
  int n_classes = 0;
  std::vector<std::uint16_t> classes;
  std::vector<double> numbers;

  std::uint32_t n_rows() const { return static_cast<std::uint32_t>(classes.size()); }
  std::vector<std::uint32_t> n_categories() const {
    std::vector<std::uint32_t> out;
    for (const auto& column : drawn) out.push_back(column.n_categories);
    return out;
  }
  std::vector<Column> columns() const {
    std::vector<Column> out;
    for (const auto& column : drawn)
      out.emplace_back(column.bytes.data(), column.size_of_value(), column.type);
    return out;
  }
};

// The target depends on the first three columns, with noise. `n_values`: distinct values of a numeric column.
inline DrawnTable draw_table(std::string name, Kind kind, std::uint64_t n_values, std::size_t n_rows,
                             int n_classes) {
  static std::uint64_t seed = 0;
  seed += 20;
  DrawnTable table{.name = std::move(name), .has_gaps = kind == Kind::Gaps, .n_classes = n_classes};
  table.drawn.resize(kColumns);
  if (kind == Kind::Categories || kind == Kind::Gaps) {
    table.drawn[1] = {ValueType::Category, 9, {}};
    table.drawn[3] = {ValueType::Category, 20, {}};
  } else if (kind == Kind::Types) {
    table.drawn[1].type = table.drawn[2].type = ValueType::Int64;
    table.drawn[3].type = ValueType::Float32;
  }
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::uint64_t part[kColumns];  // an eighth of the values, or a category of nine
    for (std::size_t j = 0; j < kColumns; ++j) {
      const auto value = draw_below(n_values, seed + j, row);
      part[j] = table.drawn[j].n_categories == 9 ? value % 9 : value / (n_values / 8 + 1);
      table.drawn[j].push(value, table.has_gaps && draw_below(10, seed + kColumns + j, row) == 0);
    }
    const auto score = 3 * part[0] + part[1] * (part[2] / 2) + 2 * draw_below(4, seed + 2 * kColumns, row);
    constexpr std::uint64_t kBeyond = 52;  // above every score
    table.classes.push_back(
        static_cast<std::uint16_t>(score * static_cast<std::uint64_t>(n_classes) / kBeyond));
    table.numbers.push_back(static_cast<double>(score * 16 + draw_below(16, seed + 2 * kColumns + 1, row)) /
                            48);
  }
  return table;
}

}  // namespace treewright::digests
