// Rows of a node counted by code, and the best cut that the counts of a column tell. Counts are whole
// numbers: those of a child are those of its parent less those of its sibling, exactly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "treewright/criteria/classes.hpp"   // for GiniOfClasses
#include "treewright/criteria/impurity.hpp"  // for Sides, best_of_classes
#include "treewright/criteria/two_sums.hpp"  // for Sums, SquaredDistance
#include "treewright/engine/coded_rows.hpp"  // for kVeryFewValues
#include "treewright/kernels/partition.hpp"  // for sum_squares, sum_short_squares
#include "treewright/recipe/candidate.hpp"   // for Candidate
#include "treewright/recipe/limits.hpp"      // for NodeStatistics, Limits
#include "treewright/search/target.hpp"      // for Target, TwoClasses

namespace treewright {

// More rows than this are not counted on the spot: squares of their number are judged in whole numbers.
inline constexpr std::uint32_t kFewRows = 8192;

// How many of n rows may go left, as the limits on leaves have it.
struct LeftRows {
  LeftRows(const Limits& limits, std::int64_t n)
      : first(std::max<std::int64_t>({1, limits.min_rows_leaf, limits.min_weight_leaf})), last(n - first) {}
  std::int64_t first, last;
};

// Gini of two classes: rows in the lower half of a word, those of class 1 in the upper.
template <class Word>
class TwoClassCounts {
 public:
  using Cell = Word;
  using Label = std::uint8_t;
  using Narrow = TwoClassCounts<std::uint32_t>;  // of few rows

  static constexpr bool kCountsFewRows = false;  // those go on in lists

  void take(const Target& target) {
    labels_.assign(target.classes.begin(), target.classes.end());
    gain_factor_ = 2 / static_cast<double>(target.weights.total);
  }
  template <class Wide>
  void take(const TwoClassCounts<Wide>& from, std::span<const std::uint32_t> slots) {
    gather(labels_, from.labels_, slots);
    gain_factor_ = from.gain_factor_;
  }
  // Counts of a node that were kept in wider words.
  template <class Wide>
  static void take(std::vector<Wide>& wide, std::vector<Cell>& cells) {
    cells.resize(wide.size());
    for (std::size_t i = 0; i < wide.size(); ++i) {
      const auto sums = TwoClassCounts<Wide>::sums(wide[i]);
      cells[i] = static_cast<Cell>(static_cast<Cell>(sums.amount) << kHalf | static_cast<Cell>(sums.weight));
    }
    wide = {};
  }

  static std::size_t cells_of(std::uint32_t n_values) { return n_values; }
  std::span<const Label> labels() const { return labels_; }

  // Two rows at a time, in counts of their own: neighbours often share a code, and would wait for each other.
  static void add(const std::uint32_t* slots, const Label* labels, const std::uint16_t* codes,
                  std::uint32_t n, std::uint32_t n_values, Cell* cells, std::vector<Cell>& spare) {
    spare.assign(n_values, 0);
    std::uint32_t i = 0;
    for (; i + 2 <= n; i += 2) {
      cells[codes[slots[i]]] += Cell{labels[i]} << kHalf | 1;
      spare[codes[slots[i + 1]]] += Cell{labels[i + 1]} << kHalf | 1;
    }
    if (i < n) cells[codes[slots[i]]] += Cell{labels[i]} << kHalf | 1;
    for (std::uint32_t code = 0; code < n_values; ++code) cells[code] += spare[code];
  }

  static std::int64_t rows(const Cell* cell) { return sums(*cell).weight; }

  // Any column's counts tell what the node has.
  void enter(const Cell* cells, std::uint32_t n_values) {
    all_ = {};
    for (std::uint32_t code = 0; code < n_values; ++code) all_ = all_ + sums(cells[code]);
  }

  double best_possible() const { return SquaredDistance(all_).judge({all_.amount, all_.amount}); }
  double gain(double decrease) const { return decrease * gain_factor_; }

  void offer_best(const Cell* cells, std::uint32_t n_values, const Limits& limits, Candidate& out) const {
    Offers offers(all_, limits, out);
    Cell sum = 0;
    for (std::uint32_t code = 0; code < n_values; ++code) {
      sum += cells[code];
      offers.look_at(sum, cells[code]);
    }
  }

 private:
  template <class Other>
  friend class TwoClassCounts;
  static constexpr int kHalf = 4 * sizeof(Cell);  // bits

  static Sums sums(Cell cell) {
    return {static_cast<std::int64_t>(cell >> kHalf),
            static_cast<std::int64_t>(cell & ((Cell{1} << kHalf) - 1))};
  }

  // Cuts of a column, lowest first.
  class Offers {
   public:
    Offers(const Sums& all, const Limits& limits, Candidate& out)
        : allowed_(limits, all.weight),
          criterion_(all),
          n_(static_cast<double>(all.weight)),
          mean_(static_cast<double>(all.amount) / n_),
          slack_(static_cast<double>(all.amount) * 0x1p-50),
          bar_(bar_over(criterion_, out)),
          out_(out) {}

    // The cut above some code, whose own rows are `here`; above codes without rows there is none.
    void look_at(Cell sum, Cell here) {
      const auto side = sums(sum);
      const auto left = static_cast<double>(side.weight), amount = static_cast<double>(side.amount);
      const double away = std::abs(amount - left * mean_) + slack_;
      if (!(away * away >= bar_ * (left * (n_ - left)))) return;
      if (here == 0 || side.weight < allowed_.first || side.weight > allowed_.last) return;
      if (out_.offer(criterion_.judge(side), static_cast<std::uint32_t>(side.weight), false))
        bar_ = criterion_.bar(out_.score.worth);
    }

   private:
    LeftRows allowed_;
    SquaredDistance criterion_;
    double n_, mean_, slack_, bar_;
    Candidate& out_;
  };

  std::vector<Label> labels_;  // by slot
  double gain_factor_ = 0;
  Sums all_;  // of the node entered
};

// Any number of classes: a count for each.
template <class Impurity>
class ClassCounts {
 public:
  using Cell = std::int32_t;
  using Label = std::uint16_t;
  using Narrow = ClassCounts;
  static constexpr bool kIsGini = std::is_same_v<Impurity, GiniOfClasses<false>>;
  static constexpr bool kCountsFewRows = kIsGini;

  void take(const Target& target, const Impurity& impurity) {
    labels_ = target.classes;
    total_ = static_cast<double>(target.weights.total);
    prepare(impurity, static_cast<std::size_t>(target.n_classes));
  }
  static void take(std::vector<Cell>& wide, std::vector<Cell>& cells) { cells.swap(wide); }
  void take(const ClassCounts& from, std::span<const std::uint32_t> slots) {
    gather(labels_, from.labels_, slots);
    total_ = from.total_;
    if (n_classes_ != from.n_classes_) prepare(from.impurity_, from.n_classes_);
  }

  std::size_t cells_of(std::uint32_t n_values) const { return n_values * n_classes_; }
  std::span<const Label> labels() const { return labels_; }

  void add(const std::uint32_t* slots, const Label* labels, const std::uint16_t* codes, std::uint32_t n,
           std::uint32_t, Cell* cells, std::vector<Cell>&) const {
    for (std::uint32_t i = 0; i < n; ++i) ++cells[codes[slots[i]] * n_classes_ + labels[i]];
  }

  std::int64_t rows(const Cell* cell) const {
    std::int64_t rows = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) rows += cell[k];
    return rows;
  }

  void enter(const Cell* cells, std::uint32_t n_values) {
    std::fill(totals_.begin(), totals_.end(), 0);
    for (std::uint32_t code = 0; code < n_values; ++code) {
      for (std::size_t k = 0; k < n_classes_; ++k) totals_[k] += cells[code * n_classes_ + k];
    }
    n_ = 0;
    present_.clear();
    for (std::size_t k = 0; k < n_classes_; ++k) {
      n_ += totals_[k];
      if (totals_[k] > 0) present_.push_back(static_cast<std::uint16_t>(k));
    }
    impurity_.enter(sides_.start(totals_, present_));
    real_totals_.assign(totals_.begin(), totals_.end());
  }

  double best_possible() const { return best_of_classes(impurity_, totals_, present_); }
  double gain(double decrease) const { return decrease / total_; }

  // The rows of a node of few, whose classes are numbered anew.
  void enter_rows(const Label* labels, std::uint32_t n) {
    for (const auto k : present_) totals_[k] = 0;
    present_.clear();
    places_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto k = labels[i];
      if (totals_[k]++ == 0) {
        place_of_class_[k] = static_cast<std::uint16_t>(present_.size());
        present_.push_back(k);
      }
      places_[i] = place_of_class_[k];
    }
    n_ = n;
    impurity_.enter(sides_.start(totals_, present_));
    width_ = (present_.size() + kClassesAtOnce - 1) / kClassesAtOnce * kClassesAtOnce;
    if (very_few_.size() < kVeryFewValues * width_) very_few_.resize(kVeryFewValues * width_);
    short_totals_.assign(width_, 0);
    for (std::size_t at = 0; at < present_.size(); ++at)
      short_totals_[at] = static_cast<std::int16_t>(totals_[present_[at]]);
  }

  void offer_best_of_rows(const std::uint32_t* slots, const Label*, const std::uint16_t* codes,
                          std::uint32_t n, const Limits& limits, Candidate& out)
    requires kIsGini
  {
    std::uint64_t present = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto code = codes[slots[i]];
      present |= std::uint64_t{1} << code;
      ++very_few_[code * width_ + places_[i]];
    }
    if (std::has_single_bit(present)) {  // one value, and no cut
      std::fill_n(very_few_.begin() + codes[slots[0]] * static_cast<std::ptrdiff_t>(width_), width_, 0);
      return;
    }
    short_lefts_.assign(width_, 0);
    std::array<ShortSquares, kVeryFewValues> by_code;
    const auto n_codes = sum_short_squares(very_few_.data(), present, width_, short_totals_.data(),
                                           short_lefts_.data(), by_code.data());
    const LeftRows allowed(limits, n_);
    const auto of_all = static_cast<std::int64_t>(impurity_.squares());
    double bar = bar_over(impurity_, out);
    for (std::size_t i = 0; i < n_codes; ++i) {
      const auto& at = by_code[i];
      if (at.rows < allowed.first || at.rows > allowed.last) continue;
      const auto left = static_cast<double>(at.rows), right = static_cast<double>(n_ - at.rows);
      const auto of_right = of_all + at.squares - 2 * std::int64_t{at.products};
      const double bound =
          (static_cast<double>(at.squares) * right + static_cast<double>(of_right) * left) / (left * right);
      if (!(bound >= bar)) continue;
      const double worth = Impurity::judge_squares(n_, at.rows, at.squares, of_right, of_all);
      if (out.offer(worth, static_cast<std::uint32_t>(at.rows), false)) bar = impurity_.bar(worth);
    }
  }

  void offer_best(const Cell* cells, std::uint32_t n_values, const Limits& limits, Candidate& out) {
    if constexpr (kIsGini) {
      if (n_ <= kExactInReals) return offer_best_of_bounds(cells, n_values, limits, out);
    }
    offer_one_by_one(cells, n_values, limits, out);
  }

 private:
  // Squares of no more rows are whole numbers in doubles.
  static constexpr std::int64_t kExactInReals = std::int64_t{1} << 26;

  void offer_one_by_one(const Cell* cells, std::uint32_t n_values, const Limits& limits, Candidate& out) {
    const LeftRows allowed(limits, n_);
    start();
    auto running = impurity_.start(sides_);
    double bar = bar_over(impurity_, out);
    for (std::uint32_t code = 0; code < n_values && sides_.left_weight < allowed.last; ++code) {
      const auto before = sides_.left_weight;
      for (const auto k : present_) {
        const std::int64_t n_moved = cells[code * n_classes_ + k];
        if (n_moved == 0) continue;
        impurity_.move(running, sides_, k, n_moved);
        move(k, n_moved);
      }
      const auto left = sides_.left_weight;
      if (left == before || left < allowed.first || left > allowed.last) continue;
      const double bound = impurity_.bound(running, sides_, bar);
      const auto uneven = unevenness_of<Impurity>(left, n_ - left);
      if (!(bound >= bar) || (kPrefersEvenSides<Impurity> && !out.takes(bound, uneven))) continue;
      const Merit merit = impurity_.judge(sides_);
      if (out.offer(merit, static_cast<std::uint32_t>(left), false, uneven)) bar = bar_over(impurity_, out);
    }
  }

  // All bounds first; then only what is as good as the best of them, but for rounding, is judged.
  void offer_best_of_bounds(const Cell* cells, std::uint32_t n_values, const Limits& limits, Candidate& out) {
    const LeftRows allowed(limits, n_);
    lefts_.assign(n_classes_, 0);
    by_code_.resize(n_values);
    sum_squares(cells, n_values, n_classes_, real_totals_.data(), lefts_.data(), by_code_.data());
    const auto n = static_cast<double>(n_), of_all = impurity_.squares();
    double top = -std::numeric_limits<double>::infinity(), before = 0;
    for (auto& at : by_code_) {
      const double left = at.rows, right = n - left;
      const bool may_be = left > before && left >= static_cast<double>(allowed.first) &&
                          left <= static_cast<double>(allowed.last);
      before = left;
      at.bound = may_be
                     ? (at.squares * right + (of_all + at.squares - 2 * at.products) * left) / (left * right)
                     : -std::numeric_limits<double>::infinity();
      top = std::max(top, at.bound);
    }
    double bar = std::max(bar_over(impurity_, out), impurity_.floor_of_bound(top));
    if (!(top >= bar)) return;
    start();
    std::uint32_t moved = 0;
    for (std::uint32_t code = 0; code < n_values; ++code) {
      if (!(by_code_[code].bound >= bar) || by_code_[code].bound < 0) continue;
      for (; moved <= code; ++moved) {
        for (const auto k : present_) move(k, cells[moved * n_classes_ + k]);
      }
      const Merit merit = impurity_.judge(sides_);
      if (out.offer(merit, static_cast<std::uint32_t>(sides_.left_weight), false))
        bar = std::max(bar, impurity_.bar(merit.worth));
    }
  }

  void prepare(const Impurity& impurity, std::size_t n_classes) {
    impurity_ = impurity;
    n_classes_ = n_classes;
    totals_.resize(n_classes);
    place_of_class_.resize(n_classes);
    sides_.start(totals_, {});
  }

  // Everything on the right.
  void start() {
    sides_.left_weight = 0;
    sides_.right_weight = n_;
    sides_.present = present_;
    for (std::size_t k = 0; k < n_classes_; ++k) {
      sides_.left[k] = 0;
      sides_.right[k] = totals_[k];
    }
  }

  void move(std::uint16_t k, std::int64_t n_moved) {
    sides_.left[k] += n_moved;
    sides_.right[k] -= n_moved;
    sides_.left_weight += n_moved;
    sides_.right_weight -= n_moved;
  }

  Impurity impurity_;
  std::vector<Label> labels_;  // by slot
  std::size_t n_classes_ = 0;
  double total_ = 0;
  std::int64_t n_ = 0;  // rows of the node entered
  std::vector<std::int64_t> totals_;
  std::vector<double> real_totals_, lefts_;
  std::vector<std::uint16_t> present_;
  std::vector<CodeSquares> by_code_;  // of the column at work
  Sides sides_;
  // Of a node of few rows: the classes present, numbered anew; counts by code and class, nothing between two
  // columns.
  std::vector<std::uint16_t> place_of_class_, places_;
  std::size_t width_ = 0;
  std::vector<std::int16_t> very_few_, short_totals_, short_lefts_;
};

}  // namespace treewright
