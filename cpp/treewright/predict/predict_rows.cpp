// Predicts for tables, block by block: checking a block for missing values and infinities brings it into the
// nearest cache, and its rows then walk down the tree side by side.
#include <atomic>

#include "treewright/predict/predict.hpp"

namespace treewright {
namespace {

constexpr std::size_t kTask = 16384;  // rows per task
// Rows that are walked at a time, and how many of them side by side.
constexpr std::size_t kBlock = 128, kMostLanes = 16;

// Add what occurs among n adjacent values; if some are not finite, some may be missing. v - v is 0 if v is
// finite and NaN otherwise. Several sums are kept, so that additions overlap.
template <class Value>
TREEWRIGHT_INLINE void look_at(const std::byte* values, std::size_t n, NotFinite& seen) {
  constexpr std::size_t kSums = 128 / sizeof(Value);
  const auto value_of = [values](std::size_t i) { return load<Value>(values + i * sizeof(Value)); };
  std::array<Value, kSums> zeros{};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    // Prefetch the next block, which is loaded while the rows of this one walk.
    for (std::size_t line = 0; line < 2; ++line) prefetch(values + (n + i) * sizeof(Value) + 64 * line);
#pragma omp simd
    for (std::size_t j = 0; j < kSums; ++j) zeros[j] += value_of(i + j) - value_of(i + j);
  }
  for (; i < n; ++i) zeros[0] += value_of(i) - value_of(i);
  if (std::ranges::all_of(zeros, [](Value zero) { return zero == 0; })) return;
  Value top = 0;  // NaN is not above it
  TREEWRIGHT_SIMD_MAX(top)
  for (i = 0; i < n; ++i) top = std::abs(value_of(i)) > top ? std::abs(value_of(i)) : top;
  seen = {.infinities = seen.infinities || std::isinf(top), .missing = true};
}

// Rows in memory, with kApart bytes from value to value.
template <class Value, std::size_t kApart>
struct Rows {
  const std::byte* first;
  std::ptrdiff_t stride;

  const std::byte* row(std::size_t number) const {
    return first + static_cast<std::ptrdiff_t>(number) * stride;
  }
  Value value(const std::byte* row, std::uint32_t column) const { return load<Value>(row + column * kApart); }
};

// A block copied column by column, values as float64 or as keys.
template <class Value>
using CopiedRows = Rows<Value, kBlock * sizeof(Value)>;

template <bool kHasMissing, class NumberRows>
struct NumberStep {
  const NumberNode* nodes;
  NumberRows rows;

  std::uint32_t branch(const NumberNode& node, const std::byte* row) const {
    const double value = rows.value(row, node.column);
    // If another thread has made a checked value NaN since, it is above no cut: a leaf still leads to itself.
    const std::uint32_t above = value > node.cut;
    return kHasMissing && value != value ? node.missing_branch : above;
  }
  static bool asks(std::uint32_t branch) { return kHasMissing && branch == kAsk; }
};

struct KeyStep {
  const KeyNode* nodes;
  CopiedRows<std::int64_t> rows;
  const std::uint16_t* tables;
  const std::uint8_t* is_integer;  // by column

  std::uint32_t branch(const KeyNode& node, const std::byte* row) const {
    return node.branch(rows.value(row, node.column), is_integer[node.column], tables);
  }
  static bool asks(std::uint32_t branch) { return branch == kAsk; }
};

// Send n rows, at most kBlock, down from the root; `ends[i]` is where row i ends, after at most `depth`
// steps. Several rows go side by side and wait together for their next nodes from memory. Leaves lead to
// themselves, so that rows may end at different depths without a branch to mispredict; every few steps those
// that have arrived are dropped. `ask(node, row)` decides what a step cannot.
template <std::size_t kLanes, class Step, class Ask>
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
      std::array<const std::byte*, kLanes> row;
      std::array<std::uint32_t, kLanes> at, before;
      const auto row_of = [&](std::size_t lane) { return open[first + std::min(lane, n_lanes - 1)]; };
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        row[lane] = step.rows.row(row_of(lane));
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
          if (step.asks(at[lane] - step.nodes[before[lane]].first_child))
            at[lane] = ask(before[lane], row_of(lane));
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

// Copy n rows of a column through `change`; several at once if the compiler knows that values are adjacent.
template <class Value, class To, class Change>
void copy_values(const Column& column, std::size_t begin, std::size_t n, To* to, const Change& change) {
  const auto copy = [&](std::ptrdiff_t stride) {
    const auto* const from = column.data() + static_cast<std::ptrdiff_t>(begin) * stride;
    for (std::size_t i = 0; i < n; ++i)
      to[i] = change(load<Value>(from + static_cast<std::ptrdiff_t>(i) * stride));
  };
  column.stride() == sizeof(Value) ? copy(sizeof(Value)) : copy(column.stride());
}

void look_at_column(const Column& column, std::size_t begin, std::size_t n, NotFinite& seen) {
  with_type(column.type(), [&]<class Value>() {
    if constexpr (std::is_floating_point_v<Value>) {
      if (column.stride() == sizeof(Value))
        return Twins<look_at<Value>>::call(column.data() + begin * sizeof(Value), n, seen);
      std::array<Value, kBlock> values;
      copy_values<Value>(column, begin, n, values.data(), std::identity());
      Twins<look_at<Value>>::call(reinterpret_cast<const std::byte*>(values.data()), n, seen);
    }
  });
}

}  // namespace

// Send a table down the tree. Calls take_block with rows [begin, end) and where each ended; stops at a value
// that is refused, and returns false.
bool Predictor::descend(std::span<const Column> columns, std::size_t n_rows, NotFinite refused, Pool& pool,
                        const auto& take_block) const {
  std::vector<std::uint8_t> is_integer(columns.size());  // by column, of those that splits use
  bool are_floats = !numbers_.empty();                   // whether all of those are floats
  for (const auto& [column, has_categories] : kinds_) {
    is_integer[index(column)] = columns[index(column)].type() == ValueType::Int64;
    are_floats &= !is_integer[index(column)];
  }
  const bool is_row_major = !columns.empty() && end_of_run(columns, 0, columns.size()) == columns.size();
  const auto is_unwanted = [&](const NotFinite& seen) {
    return (seen.missing && refused.missing) || (seen.infinities && refused.infinities);
  };
  const auto walk_steps = [&](const auto& step, std::size_t begin, std::size_t n, std::uint32_t* ends) {
    const auto ask = [&](std::uint32_t at, std::size_t row) {
      const auto branch = branch_of(at, columns, begin + row);
      return branch < 0 ? end_at(at) : nodes_[at].first_child + static_cast<std::uint32_t>(branch);
    };
    n == 1 ? walk<1>(step, n, depth_, ask, ends) : walk<kMostLanes>(step, n, depth_, ask, ends);
  };
  const auto walk_numbers = [&](auto rows, std::size_t begin, std::size_t n, NotFinite seen,
                                std::uint32_t* ends) {
    if (seen.missing) {
      walk_steps(NumberStep<true, decltype(rows)>{numbers_.data(), rows}, begin, n, ends);
    } else {
      walk_steps(NumberStep<false, decltype(rows)>{numbers_.data(), rows}, begin, n, ends);
    }
  };
  // Rows of adjacent floats, walked without a copy. Rows without gaps between them are checked as one.
  const auto walk_in_place = [&]<class Value>(Value, std::size_t begin, std::size_t n, std::uint32_t* ends) {
    const auto stride = columns.front().stride();
    const Rows<Value, sizeof(Value)> all{columns.front().data(), stride}, rows{all.row(begin), stride};
    const bool is_one = stride == static_cast<std::ptrdiff_t>(columns.size() * sizeof(Value));
    NotFinite seen;
    for (std::size_t row = 0, n_at_once = is_one ? n : 1; row < n; row += n_at_once)
      Twins<look_at<Value>>::call(rows.row(row), n_at_once * columns.size(), seen);
    if (is_unwanted(seen)) return false;
    walk_numbers(rows, begin, n, seen, ends);
    return true;
  };
  // Copies the columns that splits use: as float64 if all of them are floats, otherwise as keys.
  const auto walk_copies = [&](std::size_t begin, std::size_t n, std::vector<std::int64_t>& copies,
                               std::uint32_t* ends) {
    NotFinite seen;
    for (const auto& column : columns) look_at_column(column, begin, n, seen);
    if (is_unwanted(seen)) return false;
    copies.resize(n_columns() * kBlock);
    const auto copied = [are_floats](auto value) {
      return are_floats ? std::bit_cast<std::int64_t>(static_cast<double>(value)) : node_key(value);
    };
    for (const auto& [number, has_categories] : kinds_) {
      const auto at = index(number);
      with_type(columns[at].type(), [&]<class Value>() {
        copy_values<Value>(columns[at], begin, n, copies.data() + at * kBlock, copied);
      });
    }
    const auto* const first = reinterpret_cast<const std::byte*>(copies.data());
    const CopiedRows<std::int64_t> keys{first, sizeof(std::int64_t)};
    are_floats
        ? walk_numbers(CopiedRows<double>{first, sizeof(double)}, begin, n, seen, ends)
        : walk_steps(KeyStep{nodes_.data(), keys, branch_table_.data(), is_integer.data()}, begin, n, ends);
    return true;
  };
  const auto type = are_floats && is_row_major ? columns.front().type() : ValueType::Category;
  std::atomic<bool> goes_on = true;
  pool.run((n_rows + kTask - 1) / kTask, [&](std::size_t task, int) {
    const auto task_end = std::min(n_rows, (task + 1) * kTask);
    std::array<std::uint32_t, kBlock> ends;
    std::vector<std::int64_t> copies;
    for (auto begin = task * kTask; begin < task_end && goes_on; begin += kBlock) {
      if (spreads_) heed_interrupts();  // a row may come to every leaf
      const auto end = std::min(task_end, begin + kBlock), n = end - begin;
      const bool is_taken = type == ValueType::Float64   ? walk_in_place(double{}, begin, n, ends.data())
                            : type == ValueType::Float32 ? walk_in_place(float{}, begin, n, ends.data())
                                                         : walk_copies(begin, n, copies, ends.data());
      if (is_taken) take_block(begin, end, ends.data());
      if (!is_taken) goes_on = false;
    }
  });
  return goes_on;
}

template <class Value>
bool Predictor::take(std::span<const Column> columns, std::size_t n_rows, NotFinite refused,
                     std::span<const Value> of_nodes, std::size_t width, std::span<Value> out,
                     Pool& pool) const {
  check_kinds(columns);
  if (width == 1 && !spreads_ && n_rows >= number_.size()) {
    // By where rows end, not by the number of that node: one look-up per row instead of two.
    std::vector<Value> of_ends(number_.size());
    for (std::size_t at = 0; at < number_.size(); ++at) of_ends[at] = of_nodes[index(number_[at])];
    return descend(columns, n_rows, refused, pool,
                   [&](std::size_t begin, std::size_t end, const std::uint32_t* ends) {
                     for (auto row = begin; row < end; ++row) out[row] = of_ends[ends[row - begin]];
                   });
  }
  const auto values_of = [&](std::int32_t leaf) { return of_nodes.subspan(index(leaf) * width, width); };
  return descend(columns, n_rows, refused, pool,
                 [&](std::size_t begin, std::size_t end, const std::uint32_t* ends) {
                   auto* to = out.data() + begin * width;
                   Parts parts;
                   Shares spread;
                   for (auto row = begin; row < end; ++row, to += width) {
                     const auto end_of_row = ends[row - begin];
                     auto leaf = number_[end_of_row];
                     if (spreads_ && end_of_row >= end_at(0)) {
                       spread.leaf.clear();
                       spread.share.clear();
                       spread_row(end_of_row - end_at(0), columns, row, parts, spread);
                       if (std::is_floating_point_v<Value> && spread.leaf.size() > 1) {
                         std::fill_n(to, width, Value{0});
                         for (std::size_t i = 0; i < spread.leaf.size(); ++i) {
                           const auto from = values_of(spread.leaf[i]);
                           for (std::size_t j = 0; j < width; ++j)
                             to[j] += static_cast<Value>(spread.share[i] * from[j]);
                         }
                         continue;
                       }
                       const auto heaviest = std::ranges::max_element(spread.share) - spread.share.begin();
                       leaf = spread.leaf[static_cast<std::size_t>(heaviest)];
                     }
                     const auto from = values_of(leaf);
                     for (std::size_t j = 0; j < width; ++j) to[j] = from[j];
                   }
                 });
}

void Predictor::apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row,
                      Pool& pool) const {
  std::vector<std::int32_t> numbers(n_nodes());
  std::iota(numbers.begin(), numbers.end(), 0);
  take<std::int32_t>(columns, leaf_of_row.size(), {}, numbers, 1, leaf_of_row, pool);
}

template bool Predictor::take(std::span<const Column>, std::size_t, NotFinite, std::span<const double>,
                              std::size_t, std::span<double>, Pool&) const;
template bool Predictor::take(std::span<const Column>, std::size_t, NotFinite, std::span<const std::int64_t>,
                              std::size_t, std::span<std::int64_t>, Pool&) const;

}  // namespace treewright
