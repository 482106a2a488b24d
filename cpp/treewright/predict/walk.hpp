// Many rows down a tree at once. A row waits for its next node to come from memory; several rows side by side
// wait together. Leaves lead to themselves, so that rows need not end at the same depth and nothing is
// guessed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "treewright/portable.hpp"  // for prefetch

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

// A node that asks about numbers, whole numbers or categories, all told by a key of 64 bits: of a number its
// order among all numbers, of a category its code. `ways` tells where a row goes by category (`width` of them
// from `cut` on, and one for all others) and, for a number, where it goes without a value.
struct KeyNode {
  std::int64_t cut;
  std::uint32_t column;  // among those asked about
  std::uint32_t first_child;
  std::uint32_t ways;
  std::uint32_t width;  // 0: not about categories
};

// Keys of numbers rise as they do; this one stands for a gap.
inline constexpr std::int64_t kGapKey = std::numeric_limits<std::int64_t>::max();

// How the rows of a table of one type of floats lie in memory: those of a row side by side, ...
template <class Value>
struct RowMajor {
  const std::byte* first;
  std::ptrdiff_t stride;
  std::size_t n_rows = 0, ahead = 0;  // rows that are walked `ahead` later are asked for, 0: none

  const std::byte* row(std::size_t number) const {
    return first + static_cast<std::ptrdiff_t>(number) * stride;
  }
  void fetch(std::size_t number, std::size_t n) const {
    if (ahead == 0 || number + ahead + n > n_rows) return;
    const auto size = static_cast<std::ptrdiff_t>(n) * stride;
    for (std::ptrdiff_t at = 0; at < size; at += 64) prefetch(row(number + ahead) + at);
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
  std::ptrdiff_t stride;

  static void fetch(std::size_t, std::size_t) {}  // columns are streams that the CPU follows by itself
  std::ptrdiff_t row(std::size_t number) const { return static_cast<std::ptrdiff_t>(number) * stride; }
  double value(std::ptrdiff_t row, std::uint32_t column) const {
    Value value;
    std::memcpy(&value, first[column] + row, sizeof value);
    return value;
  }
};

// What rows can do at the nodes of a walk that has no gaps, whose gaps have branches, whose gaps may have to
// be asked about.
enum class Gaps { None, Told, Asked };

template <Gaps kGaps, class Rows>
struct NumberStep {
  const NumberNode* nodes;
  Rows rows;

  auto row(std::size_t number) const { return rows.row(number); }
  void fetch(std::size_t number, std::size_t n) const { rows.fetch(number, n); }

  template <class Place>
  std::uint32_t branch(const NumberNode& node, Place row) const {
    const double value = rows.value(row, node.column);
    // A value that another thread made a gap after it was looked at is above nothing: a leaf still leads to
    // itself.
    const std::uint32_t above = value > node.cut;
    return kGaps != Gaps::None && value != value ? node.gap : above;
  }
  static bool asks(std::uint32_t branch) { return kGaps == Gaps::Asked && branch == kAsk; }
};

struct KeyStep {
  const KeyNode* nodes;
  const std::uint16_t* ways;
  const std::int64_t* keys;  // row by row
  std::size_t n_asked;

  static void fetch(std::size_t, std::size_t) {}
  const std::int64_t* row(std::size_t number) const { return keys + number * n_asked; }

  std::uint32_t branch(const KeyNode& node, const std::int64_t* row) const {
    const auto key = row[node.column];
    const auto place = static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(node.cut);
    const std::uint32_t way = ways[node.ways + std::min<std::uint64_t>(place, node.width)];
    const std::uint32_t above = key > node.cut;
    const auto is_told = 0 - static_cast<std::uint32_t>((node.width != 0) | (key == kGapKey));
    return (way & is_told) | (above & ~is_told);
  }
  static bool asks(std::uint32_t branch) { return branch == kAsk; }
};

// Rows that are walked at a time, and how many of them side by side.
inline constexpr std::size_t kBlock = 128, kLanes = 16;

// Send at most kBlock rows [begin, end) down from the root; `ends[i]` is where row begin + i ends up, after
// at most `depth` steps. `ask(node, row)` settles what a node of the walk cannot. Every few steps those that
// have arrived are let go, so that none waits for the deepest.
template <class Step, class Ask>
void walk(const Step& step, std::size_t begin, std::size_t end, std::uint32_t depth, const Ask& ask,
          std::uint32_t* ends) {
  constexpr std::uint32_t kFirstSteps = 8, kSteps = 4;
  std::array<std::uint8_t, kBlock> open;
  std::size_t n_open = end - begin;
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
        row[lane] = step.row(begin + row_of(lane));
        at[lane] = ends[row_of(lane)];
      }
      if (done == 0) step.fetch(begin + first, kLanes);
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
          at[lane] = step.asks(branch) ? ask(before[lane], begin + row_of(lane)) : node.first_child + branch;
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
