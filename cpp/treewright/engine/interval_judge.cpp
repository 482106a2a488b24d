#include "treewright/engine/interval_judge.hpp"

namespace treewright {
namespace {

constexpr std::uint32_t kRowsAtHand = 512;
constexpr double kNothing = -std::numeric_limits<double>::infinity();  // below the score of any cut

}  // namespace

template <class Kind>
void IntervalJudge<Kind>::judge(const Node& node, Intervals intervals, const OrderedValues& ordered,
                                double floor, std::vector<Candidate>& candidates) {
  n_scanned_ = 0;
  candidates.clear();
  list_finalists(node, intervals, ordered, floor);
  if (finalists_.empty()) return;
  NumberGrid grid;
  if constexpr (!Kind::kIsExact) grid = measure(node);
  for (std::size_t first = 0, last = 0; first < finalists_.size(); first = last) {
    for (last = first; last < finalists_.size() && finalists_[last].scored == finalists_[first].scored;)
      ++last;
    judge_column(node, first, last, grid, candidates);
  }
}

// All rows between two intervals form one cell, and so does each value inside an interval. So a cut behind
// any cell separates values.
template <class Kind>
void IntervalJudge<Kind>::list_cells(const Node& node, Intervals intervals, std::size_t first,
                                     std::size_t last, const OrderedValues& ordered) {
  const auto& scored = scored_.back().second;
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
  add_cell(scored.all - scored.missing - left, kNone);
}

template <class Kind>
void IntervalJudge<Kind>::add_cell(const Count& here, std::uint32_t row) {
  if (here.rows == 0) return;
  cells_.push_back(here);
  row_of_cell_.push_back(row);
}

// List the cuts that equal the best one known within rounding error.
template <class Kind>
void IntervalJudge<Kind>::list_finalists(const Node& node, Intervals intervals, const OrderedValues& ordered,
                                         double floor) {
  finalists_.clear();
  scored_.clear();
  for (std::size_t first = 0, last = 0; first < intervals.size(); first = last) {
    const auto column = intervals[first].column;
    for (last = first; last < intervals.size() && intervals[last].column == column;) ++last;
    scored_.emplace_back(column, node.score(column, rows_.bins(column).has_gaps(), bounds_));
    list_cells(node, intervals, first, last, ordered);
    list_cuts(floor);
  }
  double best = kNothing;
  for (const auto& each : finalists_) {
    const auto& all = scored_[each.scored].second.all;
    if (is_sure(each.left.weight(), all.weight())) best = std::max(best, each.score);
  }
  bounds_.enter(node.all, node.measure);
  floor = std::max(floor, bounds_.floor_below(best));
  std::erase_if(finalists_, [&](const Finalist& each) { return each.score < floor; });
}

// List the cuts of a column: lowest first; with missing values on the right before those with them left.
template <class Kind>
void IntervalJudge<Kind>::list_cuts(double floor) {
  const auto& scored = scored_.back().second;
  const auto begin = std::ssize(finalists_);
  Count known;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    known += cells_[cell];
    const bool is_last = cell + 1 == cells_.size();  // known values left, missing right
    const auto low = row_of_cell_[cell], high = is_last ? kNone : row_of_cell_[cell + 1];
    if (!is_last && (low == kNone || high == kNone)) continue;
    for (const bool missing_left : {false, true}) {
      if (missing_left && (is_last || scored.missing.rows == 0)) continue;
      const auto left = missing_left ? known + scored.missing : known;
      if (!scored.allows(left)) continue;
      const double score = bounds_.score(left) + scored.apart;
      if (!(score >= floor)) continue;
      finalists_.push_back({scored_.size() - 1, low, high, known.rows, missing_left, left, score});
      if (is_sure(left.weight(), scored.all.weight()))
        floor = std::max(floor, bounds_.floor_in_column(score - scored.apart) + scored.apart);
    }
  }
  const auto is_lower = [&](const Finalist& each) { return each.score < floor; };
  finalists_.erase(std::remove_if(finalists_.begin() + begin, finalists_.end(), is_lower), finalists_.end());
}

template <class Kind>
Cut IntervalJudge<Kind>::cut_of(const Finalist& of) const {
  return of.high == kNone ? kEveryKnownValue
                          : table_.columns[scored_[of.scored].first].between(of.low, of.high);
}

template <class Kind>
void IntervalJudge<Kind>::judge_column(const Node& node, std::size_t first, std::size_t last,
                                       const NumberGrid& grid, std::vector<Candidate>& candidates) {
  const auto& [column, scored] = scored_[finalists_[first].scored];
  const auto tally_of = [&](const Count& count, std::size_t at) {
    if constexpr (Kind::kIsExact) {
      return Kind::tally(count);
    } else {
      return std::array{sums_[0][at], count.weight()};
    }
  };
  const auto left_out = tally_of(scored.left_out, finalists_.size() + finalists_[first].scored);
  auto all = tally_of(node.all, finalists_.size() + scored_.size());
  Candidate apart, best{.column = static_cast<std::int32_t>(column)};
  if (scored.left_out.rows > 0) {
    judge_.enter_tally(all, grid);
    if (node.recipe.missing == Missing::OwnBranch)
      judge_.offer_tally(left_out, scored.left_out.rows, true, apart);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] -= left_out[i];
  }
  judge_.enter_tally(all, grid);
  for (auto i = first; i < last; ++i) {
    const auto& each = finalists_[i];
    judge_.offer_tally(tally_of(each.left, i), each.n_left, each.missing_left, best);
  }
  best.n_missing = scored.n_missing();
  if (scored.left_out.rows > 0 && node.recipe.missing == Missing::OwnBranch)
    best.add_worth({apart.score.worth, apart.decrease});
  if (!best.has_question()) return;
  const auto is_best = [&](const Finalist& each) {
    return each.n_left == best.n_left && each.missing_left == best.missing_left;
  };
  const auto& winner =
      *std::find_if(finalists_.begin() + static_cast<std::ptrdiff_t>(first), finalists_.end(), is_best);
  best.has_cut = true;
  best.cut = cut_of(winner);
  // Missing values that are not scored go with most of the others.
  if (arrangements(node.recipe.missing).known_only)
    best.missing_left = 2 * winner.left.weight() > scored.all.weight();
  best.score.gain = judge_.gain(best.decrease);
  candidates.push_back(best);
}

// The judge measures a node's numbers on a grid of its own. All rows are read once more, to sum them up on
// the left of the few cuts that may be the best.
template <class Kind>
NumberGrid IntervalJudge<Kind>::measure(const Node& node) {
  using Place = typename CodedRows<Kind>::Place;
  static constexpr Cut kNoKnownValue{kNothing, kMissingInteger};
  std::vector<Place> places;
  for (const auto& each : finalists_)
    places.emplace_back(rows_, scored_[each.scored].first, cut_of(each), each.missing_left ? 0 : 1);
  for (const auto& [column, scored] : scored_) places.emplace_back(rows_, column, kNoKnownValue, 0);
  const auto stride = rows_.stride();
  const auto n_blocks = n_row_blocks(pool_, node.all.rows);
  const double low = node.summary.origin();
  double most = node.summary.high - low;
  if constexpr (Kind::kWeighted) {
    std::vector<double> most_of(n_blocks);
    for_row_blocks(pool_, node.all.rows, [&](std::size_t block, std::uint32_t begin, std::uint32_t end) {
      for (auto i = begin; i < end; ++i)
        most_of[block] = std::max(most_of[block], Kind::row_at(node.records + (i + 1) * stride).height(low));
    });
    most = std::ranges::max(most_of);
  }
  const NumberGrid grid(low, most, node.all.rows);
  sums_.resize(n_blocks);
  for_row_blocks(pool_, node.all.rows, [&](std::size_t block, std::uint32_t begin, std::uint32_t end) {
    auto& sums = sums_[block];
    sums.assign(places.size() + 1, 0);
    std::array<std::int64_t, kRowsAtHand> amounts;
    for (auto first = begin; first < end; first += kRowsAtHand) {
      heed_interrupts_at(first - begin, 32 * kRowsAtHand);
      const auto n = std::min(kRowsAtHand, end - first);
      const auto* const records = node.records + first * stride;
      for (std::uint32_t i = 0; i < n; ++i) {
        const double height = Kind::row_at(records + (i + 1) * stride).height(low);
        sums.back() += amounts[i] = Kind::Criterion::whole(height * grid.scale);
      }
      for (std::size_t at = 0; at < places.size(); ++at) {
        const bool leaves_out = at >= finalists_.size();
        if (leaves_out && scored_[at - finalists_.size()].second.left_out.rows == 0) continue;
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < n; ++i)
          sum += amounts[i] & (std::int64_t{rows_.goes_right(places[at], records + i * stride)} - 1);
        sums[at] += sum;
      }
    }
  });
  n_scanned_ += std::int64_t{node.all.rows} * std::ssize(finalists_);
  for (std::size_t block = 1; block < n_blocks; ++block) {
    for (std::size_t at = 0; at <= places.size(); ++at) sums_[0][at] += sums_[block][at];
  }
  return grid;
}

// Only this function: of a whole class, Clang 14 would instantiate functions constrained to other kinds, too.
#define TREEWRIGHT_JUDGE_OF(...)                                                                        \
  template void IntervalJudge<__VA_ARGS__>::judge(const Node&, Intervals, const OrderedValues&, double, \
                                                  std::vector<Candidate>&)
TREEWRIGHT_FOR_KINDS(TREEWRIGHT_JUDGE_OF);

}  // namespace treewright
