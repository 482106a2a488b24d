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
    for (std::ptrdiff_t at = 0; at < size; at += 64) __builtin_prefetch(row(number + ahead) + at);
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
    const std::uint32_t above = !(value <= node.cut);
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

// Send rows [begin, end) down from the root; `ends[i]` is where row begin + i ends up, after at most `depth`
// steps. `ask(node, row)` settles what a node of the walk cannot.
template <std::size_t kLanes, class Step, class Ask>
void walk(const Step& step, std::size_t begin, std::size_t end, std::uint32_t depth, const Ask& ask,
          std::uint32_t* ends) {
  constexpr std::uint32_t kSteps = 4;  // between two looks whether all have arrived
  for (auto first = begin; first < end; first += kLanes) {
    const auto row_of = [&](std::size_t lane) { return std::min(first + lane, end - 1); };
    std::array<decltype(step.row(0)), kLanes> row;
    std::array<std::uint32_t, kLanes> at{}, before;
    for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = step.row(row_of(lane));
    step.fetch(first, kLanes);
    for (std::uint32_t done = 0; done < depth;) {
      const auto until = std::min(depth, done + kSteps);
      for (; done < until; ++done) {
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
          if (step.asks(step.branch(step.nodes[before[lane]], row[lane]))) {
            at[lane] = ask(before[lane], row_of(lane));
          }
        }
      }
      if (at == before) break;
    }
    std::copy_n(at.begin(), std::min(kLanes, end - first), ends + (first - begin));
  }
}

}  // namespace treewright
