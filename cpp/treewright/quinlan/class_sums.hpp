// Class weights of a node's rows, in total and by value of a column. In coded columns, sums by value are
// added up over the rows, or are the parent's sums minus those of the siblings.
#pragma once

#include "treewright/engine/fractional_rows.hpp"      // for FractionalRows, NodeRows
#include "treewright/pool.hpp"                        // for Pool
#include "treewright/quinlan/columns.hpp"             // for QuinlanColumns
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

struct QuinlanRows : NodeRows {
  std::vector<std::int64_t> totals;  // class weights
  std::vector<std::int64_t> sums;    // class weights by cell; empty: not computed
  bool is_after_unknown = false;     // Recipe::limits_once_unknown apply to all of its columns
};

// The number of classes. kClasses: the same at compile time; 0: it is known only at run time.
template <std::size_t kClasses>
struct ClassCount {
  std::size_t given;
  operator std::size_t() const { return kClasses > 0 ? kClasses : given; }
};

// Class weights, all 0 at first.
template <std::size_t kClasses>
struct ClassWeights
    : std::conditional_t<(kClasses > 0), std::array<std::int64_t, kClasses>, std::vector<std::int64_t>> {
  explicit ClassWeights(std::size_t n_classes) {
    if constexpr (kClasses == 0) this->resize(n_classes);
    std::ranges::fill(*this, 0);
  }

  void add(std::size_t k, std::int64_t weight) {
    if constexpr (kClasses == 2) {  // in registers, without a branch to predict
      const auto of_second = weight & -static_cast<std::int64_t>(k);
      (*this)[0] += weight - of_second;
      (*this)[1] += of_second;
    } else {
      (*this)[k] += weight;
    }
  }
};

// The values of a column at a node, rising, with the class weights of the rows below each of them. The engine
// identifies the rows of a value by two marks, its first and its last.
template <std::size_t kClasses>
class ValueSums {
  struct Marks {
    std::uint32_t first, last;
  };

 public:
  explicit ValueSums(std::size_t n_classes) : n_classes_{n_classes} {}

  std::size_t size() const { return n_; }
  std::uint32_t first(std::size_t value) const { return marks_[value].first; }
  std::uint32_t last(std::size_t value) const { return marks_[value].last; }

  // Class weights of the rows below a value; below(size()): of all rows with a value.
  const std::int64_t* below(std::size_t value) const { return below_.data() + value * n_classes_; }
  std::int64_t weight(std::size_t value, std::size_t k) const {
    return below(value + 1)[k] - below(value)[k];
  }

  // Takes one mark at a time; after each, the caller adds its class weights to `sums`. Everything is written
  // whether or not a mark starts a new value: a branch would be hard to predict.
  struct Filling {
    ClassWeights<kClasses> sums;
    std::int64_t* below;
    Marks* marks;
    std::size_t n = 0;

    void add(bool starts, std::uint32_t mark) {
      for (std::size_t k = 0; k < sums.size(); ++k) below[n * sums.size() + k] = sums[k];
      marks[n].first = mark;
      n += starts;
      marks[n - 1].last = mark;
    }
  };

  // Discard all values and start a filling with up to `most` marks.
  Filling fill(std::size_t most) {
    below_.make_room((most + 1) * n_classes_);
    marks_.make_room(most + 1);
    return {ClassWeights<kClasses>(n_classes_), below_.data(), marks_.data()};
  }
  void finish(const Filling& filling) {
    n_ = filling.n;
    std::ranges::copy(filling.sums, below_.data() + n_ * n_classes_);
  }

 private:
  std::size_t n_ = 0;
  ClassCount<kClasses> n_classes_;
  UninitializedBuffer<std::int64_t> below_;  // n_classes_ per value
  UninitializedBuffer<Marks> marks_;
};

template <std::size_t kClasses>
class ClassSums {
 public:
  ClassSums(const QuinlanColumns& columns, std::size_t n_classes, FractionalRows<QuinlanRows>& rows,
            Pool& pool)
      : columns_(columns),
        n_classes_{n_classes},
        rows_(rows),
        pool_(pool),
        few_(columns.n_cells() * n_classes),
        is_marked_(columns.n_cells()),
        weight_of_position_(columns.n_listed() > 1 ? columns.n_rows() : 0) {
    rows.at(rows.kNobody).totals.resize(n_classes);
  }

  void add_up(QuinlanRows& node) const {
    ClassWeights<kClasses> totals(n_classes_);
    for (std::uint32_t i = 0; i < node.n; ++i)
      totals.add(columns_.classes[node.positions[i]], node.weights[i]);
    node.totals.assign(totals.begin(), totals.end());
  }

  // The same for the children of a split; the largest gets the parent's totals minus those of the others.
  void add_up_parts(const QuinlanRows& here) {
    const auto parts = rows_.parts();
    const auto largest = std::ranges::max_element(parts, {}, [](const auto& part) { return part.n; });
    auto& left = rows_.at(largest->handle).totals;
    left = here.totals;
    for (const auto& part : parts) {
      if (&part == &*largest || part.n == 0) continue;
      auto& child = rows_.at(part.handle);
      add_up(child);
      for (std::size_t k = 0; k < n_classes_; ++k) left[k] -= child.totals[k];
    }
  }

  // Prepare to gather the columns of this node. The sums of a large node are kept for its children.
  void enter(QuinlanRows& here) {
    if (here.sums.empty() && pays_for_sums(here)) sum_up(here);
    here_ = &here;
    sums_here_ = here.sums.empty() ? few_.data() : here.sums.data();
    if (here.sums.empty())
      add(1, here, 0, columns_.n_coded(), few_.data(),
          [is_marked = is_marked_.data()](std::size_t cell) { is_marked[cell] = 1; });
    if (columns_.n_listed() < 2) return;
    for (std::uint32_t i = 0; i < here.n; ++i) weight_of_position_[here.positions[i]] = here.weights[i];
  }

  // Whether all values of a column are missing here.
  bool is_unknown(std::size_t column) const {
    if (!columns_.is_coded(column)) return columns_.ranks(column)[list(column)[0]] == columns_.kNoValue;
    return std::ranges::equal(here_->totals, std::span(at(columns_.missing(column)), n_classes_));
  }

  // Sum class weights by value of a column; once, because this clears the sums of small nodes. False: there
  // are fewer than two values. A mark is a cell, or an index into the column's list.
  bool gather(std::size_t column, ValueSums<kClasses>& values) {
    return columns_.is_coded(column) ? gather_cells(column, values) : gather_list(column, values);
  }

  // Clear the sums of columns that were not gathered.
  void forget() {
    for (std::size_t number = 0; number < columns_.n_coded(); ++number)
      each_cell(number, [](std::uint32_t) {});
  }

  // Weights are integers, and a row's weights in the children add up to its weight in the parent. So the
  // largest child gets the parent's sums minus those of the others, without a pass over its rows.
  void hand_on(QuinlanRows& here) {
    if (here.sums.empty()) return;
    QuinlanRows* largest = nullptr;
    std::size_t n_more = 0;  // rows that would be read once more for this
    for (const auto& part : rows_.parts()) {
      auto& child = rows_.at(part.handle);
      if (!part.is_open || !pays_for_sums(child)) {
        n_more += part.n;
      } else if (largest == nullptr || child.n > largest->n) {
        largest = &child;
      }
    }
    if (largest == nullptr || n_more >= largest->n) return;
    for (const auto& part : rows_.parts()) {
      auto& child = rows_.at(part.handle);
      if (&child != largest) take_off(child, part.is_open, here.sums);
    }
    largest->sums = std::move(here.sums);
  }

 private:
  static constexpr auto kNoMark = [](std::size_t) {};

  // Whether a node has so many rows that reading all of its sums is faster than marking cells.
  bool pays_for_sums(const QuinlanRows& node) const { return node.n * columns_.n_coded() >= 2 * few_.size(); }

  void sum_up(QuinlanRows& node) {
    node.sums.resize(few_.size());
    const auto all = columns_.n_coded(), n_steps = node.n * columns_.size();
    const auto n_tasks = pool_.pays_for(n_steps) ? all : 1;
    pool_.run_if_it_pays(n_steps, n_tasks, [&](std::size_t i, int) {
      add(1, node, i * all / n_tasks, (i + 1) * all / n_tasks, node.sums.data(), kNoMark);
    });
  }

  // Add (sign 1) or subtract (-1) a node's rows in sums of columns [begin, end); `mark(cell)` for each cell.
  template <class Mark>
  void add(int sign, const QuinlanRows& node, std::size_t begin, std::size_t end, std::int64_t* all_sums,
           const Mark& mark) const {
    constexpr std::size_t kAtOnce = 4;  // columns
    const auto n_coded = columns_.n_coded();
    const auto* const all_cells = columns_.cells(0);
    const auto* const classes = columns_.classes.data();
    const auto* const positions = node.positions.data();
    const auto* const weights = node.weights.data();
    for (std::uint32_t i = 0, n = node.n; i < n; ++i) {
      heed_interrupts_at(i);
      const auto* const cells = all_cells + positions[i] * n_coded;
      auto* const sums = all_sums + classes[positions[i]];
      const auto weight = sign * weights[i];
      const auto add_to = [&](std::size_t cell) {
        sums[cell * n_classes_] += weight;
        mark(cell);
      };
      auto number = begin;
      for (; number + kAtOnce <= end; number += kAtOnce)
        for (std::size_t k = 0; k < kAtOnce; ++k) add_to(cells[number + k]);
      for (; number < end; ++number) add_to(cells[number]);
    }
  }

  // Read and clear the marks of kApart cells: one byte each, the first cell lowest.
  std::uint64_t marks_from(std::uint32_t first) {
    std::uint64_t marks;
    static_assert(sizeof marks == QuinlanColumns::kApart);
    std::memcpy(&marks, is_marked_.data() + first, sizeof marks);
    if (marks == 0) return 0;
    std::memset(is_marked_.data() + first, 0, sizeof marks);
    return std::endian::native == std::endian::little ? marks : swap_bytes(marks);
  }

  // Class weights in a cell of the node entered.
  const std::int64_t* at(std::size_t cell) const { return sums_here_ + cell * n_classes_; }
  const std::uint32_t* list(std::size_t column) const { return here_->list(columns_.number(column)); }

  // Call `take(cell)` for each cell of a column that has rows, rising. In a small node only marked cells are
  // visited; their marks and sums are cleared.
  template <class Take>
  void each_cell(std::size_t number, const Take& take) {
    const auto end = columns_.begin(number + 1);
    if (!here_->sums.empty()) {
      for (auto cell = columns_.begin(number); cell < end; ++cell) {
        std::int64_t any = 0;
        for (std::size_t k = 0; k < n_classes_; ++k) any |= at(cell)[k];
        if (any != 0) take(cell);
      }
      return;
    }
    for (auto first = columns_.begin(number); first < end; first += QuinlanColumns::kApart) {
      for (auto marks = marks_from(first); marks != 0; marks &= marks - 1) {
        const auto cell = first + static_cast<std::uint32_t>(std::countr_zero(marks)) / 8;
        take(cell);
        std::fill_n(few_.data() + cell * n_classes_, n_classes_, 0);
      }
    }
  }

  bool gather_cells(std::size_t column, ValueSums<kClasses>& values) {
    const auto number = columns_.number(column);
    const auto missing = columns_.missing(column);
    auto filling = values.fill(missing - columns_.begin(number));
    std::uint32_t n_distinct = 0, before = 0;
    const bool are_apart = columns_.are_apart(column);
    each_cell(number, [&](std::uint32_t cell) {
      if (cell == missing) return;
      filling.add(n_distinct++ == 0 || are_apart ||
                      columns_.is_below(column, columns_.row_of_cell(before), columns_.row_of_cell(cell)),
                  cell);
      before = cell;
      for (std::size_t k = 0; k < n_classes_; ++k) filling.sums[k] += at(cell)[k];
    });
    values.finish(filling);
    return n_distinct > 1;
  }

  bool gather_list(std::size_t column, ValueSums<kClasses>& values) {
    const auto* const positions = list(column);
    const bool is_first = columns_.number(column) == 0;
    const auto* const weights = is_first ? here_->weights.data() : weight_of_position_.data();
    const auto* const classes = columns_.classes.data();
    const auto* const ranks = columns_.ranks(column);
    auto n_known = here_->n;
    while (n_known > 0 && ranks[positions[n_known - 1]] == columns_.kNoValue) --n_known;
    auto filling = values.fill(n_known);
    const auto go_through = [&](auto starts_at) {
      for (std::uint32_t i = 0; i < n_known; ++i) {
        const auto here = positions[i];
        filling.add(starts_at(i), i);
        filling.sums.add(classes[here], weights[is_first ? i : here]);
      }
    };
    if (columns_.are_apart(column)) {
      go_through([=, before = QuinlanColumns::kNoValue](std::uint32_t i) mutable {
        const auto rank = ranks[positions[i]];
        return std::exchange(before, rank) != rank;
      });
    } else {
      go_through([&](std::uint32_t i) {
        return i == 0 ||
               columns_.is_below(column, columns_.row(positions[i - 1]), columns_.row(positions[i]));
      });
    }
    values.finish(filling);
    return n_known > 1 && ranks[positions[0]] != ranks[positions[n_known - 1]];
  }

  // Subtract the sums of a sibling; a large sibling that is still open keeps a copy.
  void take_off(QuinlanRows& node, bool is_open, std::vector<std::int64_t>& sums) {
    if (!is_open || !pays_for_sums(node)) return add(-1, node, 0, columns_.n_coded(), sums.data(), kNoMark);
    sum_up(node);
    std::ranges::transform(sums, node.sums, sums.begin(), std::minus());
  }

  const QuinlanColumns& columns_;
  ClassCount<kClasses> n_classes_;
  FractionalRows<QuinlanRows>& rows_;
  Pool& pool_;
  std::vector<std::int64_t> few_;                         // sums of a small node, by cell
  std::vector<std::uint8_t> is_marked_;                   // by cell of few_: it has rows
  UninitializedBuffer<std::int64_t> weight_of_position_;  // in the node entered
  const QuinlanRows* here_ = nullptr;                     // the node entered
  const std::int64_t* sums_here_ = nullptr;
};

}  // namespace treewright
