#include "treewright/engine/interval_judge.hpp"

namespace treewright {
namespace {

constexpr std::uint32_t kRowsAtHand = 512;
constexpr double kNothing = -std::numeric_limits<double>::infinity();  // what no cut is worth

// Do each(column, first interval, last interval).
template <class Intervals, class Do>
void for_columns(const Intervals& intervals, const Do& each) {
  for (std::size_t first = 0, last = 0; first < intervals.size(); first = last) {
    for (last = first; last < intervals.size() && intervals[last].column == intervals[first].column;) ++last;
    each(intervals[first].column, first, last);
  }
}

}  // namespace

template <class Kind>
void IntervalJudge<Kind>::judge(const Node& node, Intervals intervals, const OrderedValues& ordered,
                                double floor, std::vector<Candidate>& candidates) {
  n_scanned_ = 0;
  candidates.clear();
  if constexpr (Kind::kIsExact) {
    judge_cells(node, intervals, ordered, candidates);
  } else {
    list_finalists(node, intervals, ordered, floor);
    judge_finalists(node, candidates);
  }
}

// Rows between intervals are one cell, and so is each value in an interval: a cut behind any cell parts
// values.
template <class Kind>
void IntervalJudge<Kind>::list_cells(const Node& node, Intervals intervals, std::size_t first,
                                     std::size_t last, const OrderedValues& ordered) {
  cells_.clear();
  row_of_cell_.clear();
  Count left;
  for (auto i = first; i < last; ++i) {
    const auto& interval = intervals[i];
    add_cell(interval.before - left, kNone);
    left = interval.before + interval.here;
    if (interval.has_one_value) add_cell(interval.here, rows_.bins(interval.column).row_of(interval.bin));
    for (auto begin = ordered.begins[i], end = begin; begin < ordered.begins[i + 1]; begin = end) {
      Count here;
      for (; end < ordered.begins[i + 1] && ordered.values[end].key == ordered.values[begin].key; ++end)
        here += node.measure.count(ordered.values[end].tag);
      add_cell(here, rows_.row(ordered.values[begin].tag));
    }
  }
  add_cell(node.all - left, kNone);
}

template <class Kind>
void IntervalJudge<Kind>::add_cell(const Count& here, std::uint32_t row) {
  if (here.rows == 0) return;
  cells_.push_back(here);
  row_of_cell_.push_back(row);
}

// Columns in turn, each to beat the best of those before.
template <class Kind>
void IntervalJudge<Kind>::judge_cells(const Node& node, Intervals intervals, const OrderedValues& ordered,
                                      std::vector<Candidate>& candidates)
  requires Kind::kIsExact
{
  totals_.clear();
  Kind::add_classes(node.all, totals_);
  judge_.enter_counts(totals_);
  double best = kNothing;
  for_columns(intervals, [&](std::uint32_t column, std::size_t first, std::size_t last) {
    if (!(best < judge_.best_possible())) return;
    Candidate candidate{.column = static_cast<std::int32_t>(column)};
    candidate.score.worth = best;
    list_cells(node, intervals, first, last, ordered);
    judge_column(node, column, candidate);
    if (!candidate.has_question()) return;
    best = candidate.score.worth;
    candidates.push_back(candidate);
  });
}

template <class Kind>
void IntervalJudge<Kind>::judge_column(const Node& node, std::uint32_t column, Candidate& out)
  requires Kind::kIsExact
{
  classes_.clear();
  for (const auto& cell : cells_) Kind::add_classes(cell, classes_);
  while (codes_.size() < cells_.size()) codes_.push_back(static_cast<std::uint32_t>(codes_.size()));
  judge_.best_counted_cut({classes_.data(), totals_, std::span(codes_).first(cells_.size())}, node.allowed,
                          out);
  if (!out.has_question()) return;
  std::size_t cell = 0;
  for (std::int64_t n = 0; n < out.n_left; ++cell) n += cells_[cell].rows;
  const auto low = row_of_cell_[cell - 1], high = row_of_cell_[cell];
  if (low == kNone || high == kNone) {  // at the end of an interval that was struck out: it cannot win
    out = {.column = out.column};
    return;
  }
  out.score.gain = judge_.gain(out.decrease);
  out.has_cut = true;
  out.cut = table_.columns[column].between(low, high);
}

// The judge measures the numbers of a node anew. All rows are read once more, for the sums on the left of the
// few cuts that may be the best.
template <class Kind>
void IntervalJudge<Kind>::judge_finalists(const Node& node, std::vector<Candidate>& candidates)
  requires(!Kind::kIsExact)
{
  if (finalists_.empty()) return;
  const auto grid = node.summary.grid();
  const auto sum = measure_finalists(node, grid);
  judge_.enter_sums(grid, sum, node.all.rows);
  double best = kNothing;
  for (std::size_t i = 0, next = 0; i < finalists_.size(); i = next) {
    Candidate candidate{.column = static_cast<std::int32_t>(finalists_[i].column)};
    candidate.score.worth = best;
    for (next = i; next < finalists_.size() && finalists_[next].column == finalists_[i].column; ++next) {
      const auto& each = finalists_[next];
      judge_.offer_sums(sums_[0][next], each.n_left, candidate);
      if (!candidate.has_question() || candidate.n_left != each.n_left) continue;
      candidate.cut = table_.columns[each.column].between(each.low, each.high);
    }
    if (!candidate.has_question()) continue;
    best = candidate.score.worth;
    candidate.has_cut = true;
    candidate.score.gain = judge_.gain(candidate.decrease);
    candidates.push_back(candidate);
  }
}

template <class Kind>
void IntervalJudge<Kind>::list_finalists(const Node& node, Intervals intervals, const OrderedValues& ordered,
                                         double floor)
  requires(!Kind::kIsExact)
{
  finalists_.clear();
  for_columns(intervals, [&](std::uint32_t column, std::size_t first, std::size_t last) {
    list_cells(node, intervals, first, last, ordered);
    Count left;
    for (std::size_t cell = 0; cell + 1 < cells_.size(); ++cell) {
      left += cells_[cell];
      const auto low = row_of_cell_[cell], high = row_of_cell_[cell + 1];
      if (low == kNone || high == kNone || !node.allowed.holds(left.rows)) continue;
      const double score = bounds_.score(left);
      floor = std::max(floor, bounds_.floor_below(score));
      if (score >= floor) finalists_.push_back({column, low, high, left.rows, score});
    }
  });
  std::erase_if(finalists_, [&](const Finalist& each) { return each.score < floor; });
}

// Writes the sums on the left of finalists; returns that of all rows.
template <class Kind>
std::int64_t IntervalJudge<Kind>::measure_finalists(const Node& node, const NumberGrid& grid)
  requires(!Kind::kIsExact)
{
  struct Place {
    std::uint32_t column;
    std::uint8_t bin;
    Cut cut;
  };
  std::vector<Place> places;
  for (const auto& each : finalists_) {
    const auto& values = table_.columns[each.column];
    const auto cut = values.at(each.low);
    const auto number = values.type() == ValueType::Int64 ? static_cast<double>(cut.integer) : cut.number;
    places.push_back({each.column, rows_.bins(each.column).bin_of(number), cut});
  }
  const auto stride = rows_.stride();
  sums_.resize(n_row_blocks(pool_, node.all.rows));
  for_row_blocks(pool_, node.all.rows, [&](std::size_t block, std::uint32_t begin, std::uint32_t end) {
    auto& sums = sums_[block];
    sums.assign(places.size() + 1, 0);
    std::array<std::int64_t, kRowsAtHand> amounts;
    for (auto first = begin; first < end; first += kRowsAtHand) {
      heed_interrupts_at(first - begin, 32 * kRowsAtHand);
      const auto n = std::min(kRowsAtHand, end - first);
      const auto* const records = node.records + first * stride;
      for (std::uint32_t i = 0; i < n; ++i)
        sums.back() += amounts[i] = grid.whole(Kind::number_at(records + (i + 1) * stride));
      for (std::size_t at = 0; at < places.size(); ++at) {
        const auto& [column, bin, cut] = places[at];
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < n; ++i) {
          const auto* record = records + i * stride;
          const auto here = record[column];
          std::int64_t is_left = here < bin;
          if (here == bin) [[unlikely]]
            is_left = table_.columns[column].at_most(rows_.row(rows_.tag(record)), cut);
          sum += amounts[i] & -is_left;
        }
        sums[at] += sum;
      }
    }
  });
  n_scanned_ += std::int64_t{node.all.rows} * static_cast<std::int64_t>(places.size());
  for (std::size_t block = 1; block < sums_.size(); ++block) {
    for (std::size_t at = 0; at <= places.size(); ++at) sums_[0][at] += sums_[block][at];
  }
  return sums_[0].back();
}

// Function by function: of a class Clang 14 would instantiate those whose kind is not theirs, too.
template void IntervalJudge<TwoClassRows>::judge(const CountedNode<TwoClassRows>&, IntervalsOf<TwoClassRows>,
                                                 const OrderedValues&, double, std::vector<Candidate>&);
template void IntervalJudge<FewClassRows>::judge(const CountedNode<FewClassRows>&, IntervalsOf<FewClassRows>,
                                                 const OrderedValues&, double, std::vector<Candidate>&);
template void IntervalJudge<MoreClassRows>::judge(const CountedNode<MoreClassRows>&,
                                                  IntervalsOf<MoreClassRows>, const OrderedValues&, double,
                                                  std::vector<Candidate>&);
template void IntervalJudge<NumberRows>::judge(const CountedNode<NumberRows>&, IntervalsOf<NumberRows>,
                                               const OrderedValues&, double, std::vector<Candidate>&);

}  // namespace treewright
