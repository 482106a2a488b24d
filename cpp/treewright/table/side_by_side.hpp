// Columns that lie side by side in one row-major array: best read together, a cache line at a time.
#pragma once

#include <cstddef>
#include <span>

#include "treewright/table/column.hpp"  // for Column

namespace treewright {

inline std::ptrdiff_t size_of(ValueType type) {
  return type == ValueType::Float32 || type == ValueType::Category ? 4 : 8;
}

inline bool side_by_side(const Column& a, const Column& b) {
  const auto size = size_of(a.type());
  return a.type() == b.type() && a.stride() == b.stride() && b.data() == a.data() + size && a.stride() > size;
}

// Where the columns end that lie side by side with the one at `begin`; at most `most` of them.
inline std::size_t end_of_run(std::span<const Column> columns, std::size_t begin, std::size_t most) {
  auto end = begin + 1;
  while (end < columns.size() && end - begin < most && side_by_side(columns[end - 1], columns[end])) ++end;
  return end;
}

}  // namespace treewright
