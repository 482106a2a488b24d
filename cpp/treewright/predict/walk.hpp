// Many rows down a tree at once. A row waits for its next node to come from memory; several rows side by side
// wait together. Leaves lead to themselves, so that rows need not end at the same depth and nothing is
// guessed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "treewright/table/column.hpp"  // for Column, key_of

namespace treewright {

// A node that asks whether a number is above a cut, of two branches side by side.
struct NumberNode {
  double cut;
  std::uint16_t column;
  std::uint16_t gap;  // the branch of a row without a value
  std::uint32_t first_child;
};
static_assert(sizeof(NumberNode) == 16);

// A branch that says: ask the whole question.
inline constexpr std::uint16_t kAsk = 0xffff;

// The last column that a NumberNode can ask about.
inline constexpr std::int32_t kLastColumn = 0xffff;

// Keys of numbers rise as they do; this one stands for a gap.
inline constexpr std::int64_t kGapKey = std::numeric_limits<std::int64_t>::max();

inline std::int64_t signed_key(std::uint64_t key) {
  return std::bit_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
}

// Call `visit` with a function that gives the key of a row: of a number its order among all numbers, of a
// category its code.
template <class Visit>
auto with_keys(const Column& column, const Visit& visit) {
  switch (column.type()) {
    case ValueType::Float64:
      return visit([&](std::size_t row) { return signed_key(key_of(column.value<double>(row))); });
    case ValueType::Float32:
      return visit(
          [&](std::size_t row) { return signed_key(key_of(static_cast<double>(column.value<float>(row)))); });
    case ValueType::Int64:
      return visit([&](std::size_t row) { return signed_key(key_of(column.value<std::int64_t>(row))); });
    default:
      return visit([&](std::size_t row) { return static_cast<std::int64_t>(column.code(row)); });
  }
}

// A node that asks about numbers, whole numbers or categories, all told by their keys. `ways` tells where a
// row goes by category (`width` of them from `cut` on, and one for all others) and, for a number, where it
// goes without a value.
struct KeyNode {
  std::int64_t cut, cut_integer;  // where the column holds floats or categories, and whole numbers
  std::uint32_t column;           // among those asked about
  std::uint32_t first_child;
  std::uint32_t ways;
  std::uint32_t width;  // 0: not about categories

  std::uint32_t branch(std::int64_t key, bool is_integer, const std::uint16_t* all_ways) const {
    const auto own_cut = is_integer ? cut_integer : cut;
    const auto place = static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(own_cut);
    const std::uint32_t way = all_ways[ways + std::min<std::uint64_t>(place, width)];
    const std::uint32_t above = key > own_cut;
    const auto is_told = 0 - static_cast<std::uint32_t>((width != 0) | (key == kGapKey));
    return (way & is_told) | (above & ~is_told);
  }
};

// How the rows of a table of one type of floats lie in memory: those of a row side by side, ...
template <class Value>
struct RowMajor {
  const std::byte* first;
  std::ptrdiff_t stride;

  const std::byte* row(std::size_t number) const {
    return first + static_cast<std::ptrdiff_t>(number) * stride;
  }
  double value(const std::byte* row, std::uint32_t column) const {
    Value value;
    std::memcpy(&value, row + column * sizeof value, sizeof value);
    return value;
  }
};

// ... or anywhere, as long as rows are equally far apart in every column.
template <class Value>
struct ByColumn {
  const std::byte* const* first;  // of each column
  std::size_t begin;              // of the rows
  std::ptrdiff_t stride;

  std::ptrdiff_t row(std::size_t number) const {
    return static_cast<std::ptrdiff_t>(begin + number) * stride;
  }
  double value(std::ptrdiff_t row, std::uint32_t column) const {
    Value value;
    std::memcpy(&value, first[column] + row, sizeof value);
    return value;
  }
};

template <bool kHasGaps, class Rows>
struct NumberStep {
  const NumberNode* nodes;
  Rows rows;

  auto row(std::size_t number) const { return rows.row(number); }

  template <class Place>
  std::uint32_t branch(const NumberNode& node, Place row) const {
    const double value = rows.value(row, node.column);
    // A value that another thread made a gap after it was looked at is above nothing: a leaf still leads to
    // itself.
    const std::uint32_t above = value > node.cut;
    return kHasGaps && value != value ? node.gap : above;
  }
  static bool asks(std::uint32_t branch) { return kHasGaps && branch == kAsk; }
};

struct KeyStep {
  const KeyNode* nodes;
  const std::uint16_t* ways;
  const std::uint8_t* is_integer;  // by column asked about
  const std::int64_t* keys;        // row by row
  std::size_t n_asked;

  const std::int64_t* row(std::size_t number) const { return keys + number * n_asked; }

  std::uint32_t branch(const KeyNode& node, const std::int64_t* row) const {
    return node.branch(row[node.column], is_integer[node.column], ways);
  }
  static bool asks(std::uint32_t branch) { return branch == kAsk; }
};

// Rows that are walked at a time, and how many of them side by side.
inline constexpr std::size_t kBlock = 128, kLanes = 16;

// Send n rows, at most kBlock, down from the root; `ends[i]` is where row i ends up, after at most `depth`
// steps. `ask(node, row)` settles what a node of the walk cannot. Every few steps those that
// have arrived are let go, so that none waits for the deepest.
template <class Step, class Ask>
void walk(const Step& step, std::size_t n, std::uint32_t depth, const Ask& ask, std::uint32_t* ends) {
  constexpr std::uint32_t kFirstSteps = 8, kSteps = 4;
  std::array<std::uint8_t, kBlock> open;
  std::size_t n_open = n;
  std::iota(open.begin(), open.end(), std::uint8_t{0});
  std::fill_n(ends, n_open, 0);
  for (std::uint32_t done = 0; done < depth && n_open > 0;) {
    const auto n_steps = std::min(done == 0 ? kFirstSteps : kSteps, depth - done);
    std::size_t n_left = 0;
    for (std::size_t first = 0; first < n_open; first += kLanes) {
      const auto n_lanes = std::min(kLanes, n_open - first);
      std::array<decltype(step.row(0)), kLanes> row;
      std::array<std::uint32_t, kLanes> at, before;
      const auto row_of = [&](std::size_t lane) { return open[first + std::min(lane, n_lanes - 1)]; };
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        row[lane] = step.row(row_of(lane));
        at[lane] = ends[row_of(lane)];
      }
      for (std::uint32_t i = 0; i < n_steps; ++i) {
        before = at;
        bool asks = false;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const auto& node = step.nodes[at[lane]];
          const auto branch = step.branch(node, row[lane]);
          asks |= step.asks(branch);
          at[lane] = node.first_child + branch;
        }
        if (!asks) continue;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          // The value is read again, and another thread may have changed it.
          const auto& node = step.nodes[before[lane]];
          const auto branch = step.branch(node, row[lane]);
          at[lane] = step.asks(branch) ? ask(before[lane], row_of(lane)) : node.first_child + branch;
        }
      }
      for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        const auto number = open[first + lane];
        ends[number] = at[lane];
        open[n_left] = number;
        n_left += step.nodes[at[lane]].first_child != at[lane];
      }
    }
    n_open = n_left;
    done += n_steps;
  }
}

}  // namespace treewright
