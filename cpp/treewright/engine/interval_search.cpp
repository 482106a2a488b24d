#include "treewright/engine/interval_search.hpp"

namespace treewright {
namespace {

constexpr std::size_t kBins = ValueBins::kBins;
constexpr double kNothing = -std::numeric_limits<double>::infinity();  // below the score of any cut
constexpr std::size_t kPartsOfBin = 16;                                // each of adjacent places
constexpr std::uint32_t kRowsToSplit = 8192, kEntriesToSplit = 2048;
constexpr std::uint64_t kTimesToWrite = 4;     // places needed per row for writing all of them down to pay
constexpr std::uint32_t kRowsPacked = 63'488;  // fewer than 2^16, for counts of 16 bits
constexpr std::uint32_t kRowsAtHand = 1024;
constexpr std::uint32_t kAhead = 16;  // places are prefetched this many rows ahead

}  // namespace

template <class Kind>
void IntervalSearch<Kind>::find(const Node& node, std::vector<Candidate>& candidates) {
  n_scanned_ = 0;
  n_alone_ = 0;
  keep_bins(node);
  index_bins();
  interval_of_part_.clear();
  std::uint64_t n_alive = 0;
  for (const auto& each : intervals_) n_alive += each.has_one_value ? 0 : each.here.rows;
  if (n_alive > node.all.rows && node.all.rows > kRowsToSplit) {
    const bool is_root = node.all.rows == rows_.n_rows();
    if (is_root && n_alive > kTimesToWrite * node.all.rows) rows_.write_places(*pool_);
    split_bins(node);
  }
  split_by_entries(node);
  order_entries();
  last_.judge(node, intervals_, {begins_, values_}, floor_, candidates);
  n_scanned_ += last_.n_scanned();
}

// Bound the cuts of adjacent intervals, with `before` on the left of the first, for missing values on either
// side. Raises `best` to the best score of a cut between intervals.
template <class Kind>
void IntervalSearch<Kind>::bound(const Scored& scored, std::span<const Count> intervals, const Count& before,
                                 double* scores, double* inside, double& best) const {
  const auto bound_from = [&](const Count& from, double* of_cuts, double* of_insides) {
    bounds_->bound(intervals, from, of_cuts, of_insides);
    Rows<Kind::kWeighted> left = from;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      left.add(intervals[i]);
      if (of_cuts[i] + scored.apart > best && scored.allows(left) &&
          is_sure(left.weight(), scored.all.weight()))
        best = of_cuts[i] + scored.apart;
    }
  };
  bound_from(before, scores, inside);
  if (scored.missing.rows > 0) {
    std::array<double, kBins> others, insides;
    bound_from(before + scored.missing, others.data(), insides.data());
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      scores[i] = std::max(scores[i], others[i]);
      inside[i] = std::max(inside[i], insides[i]);
    }
  }
  for (std::size_t i = 0; scored.apart != 0 && i < intervals.size(); ++i) {
    scores[i] += scored.apart;
    inside[i] += scored.apart;
  }
}

template <class Kind>
double IntervalSearch<Kind>::score(const Scored& scored, const Count& left) const {
  if (left.rows == 0) return kNothing;
  const double score = bounds_->score(left);
  return scored.apart +
         (scored.missing.rows == 0 ? score : std::max(score, bounds_->score(left + scored.missing)));
}

template <class Kind>
bool IntervalSearch<Kind>::may_win(const Scored& scored, const Count& left, const Count& here, double inside,
                                   double floor) const {
  if (!(inside >= floor)) return false;
  const auto reaches = [&](const Count& from) {
    return bounds_->closer(from, here, inside - scored.apart) + scored.apart >= floor;
  };
  return reaches(left) || (scored.missing.rows > 0 && reaches(left + scored.missing));
}

// Prepare for the cuts of a column; returns the score they must reach.
template <class Kind>
double IntervalSearch<Kind>::enter(const Node& node, std::size_t column) {
  if (scored_[column].all.rows == 0) return -kNothing;
  bounds_->enter(scored_[column].all, node.measure);
  const double apart = scored_[column].apart;
  return std::max(floor_, bounds_->floor_in_column(best_[column] - apart) + apart);
}

template <class Kind>
void IntervalSearch<Kind>::raise_floor(const Node& node) {
  bounds_->enter(node.all, node.measure);
  floor_ = std::max(floor_, bounds_->floor_below(std::ranges::max(best_)));
}

// Keep the bins that may contain or touch the best cut. At first, each column is one interval.
template <class Kind>
void IntervalSearch<Kind>::keep_bins(const Node& node) {
  best_.assign(rows_.n_columns(), kNothing);
  floor_ = kNothing;
  scored_.clear();
  intervals_.clear();
  for (std::uint32_t column = 0; column < rows_.n_columns(); ++column) {
    scored_.push_back(node.score(column, rows_.bins(column).has_gaps(), *bounds_));
    intervals_.push_back({column, 0, false, {}, {}});
  }
  keep_parts(node, node.counts, kBins, interval_of_part_, true);
}

// Index the intervals by column and bin, so that rows find theirs.
template <class Kind>
void IntervalSearch<Kind>::index_bins() {
  columns_.clear();
  interval_of_bin_.clear();
  for (std::uint32_t i = 0; i < intervals_.size(); ++i) {
    const auto& each = intervals_[i];
    if (each.has_one_value) continue;
    if (columns_.empty() || columns_.back() != each.column) {
      columns_.push_back(each.column);
      interval_of_bin_.resize(interval_of_bin_.size() + kBins, kNone);
    }
    interval_of_bin_[interval_of_bin_.size() - kBins + each.bin] = i;
  }
}

// Call each(block, first row, end of rows).
template <class Kind>
template <class Do>
void IntervalSearch<Kind>::for_blocks(std::uint32_t n_rows, const Do& each) {
  blocks_.resize(n_row_blocks(pool_, n_rows));
  for_row_blocks(pool_, n_rows, [&](std::size_t i, auto begin, auto end) { each(blocks_[i], begin, end); });
}

// If intervals hold many rows, as with noisy columns, each one is split in sixteen before any of these rows
// is written down.
template <class Kind>
void IntervalSearch<Kind>::split_bins(const Node& node) {
  for_blocks(node.all.rows, [&](Block& block, std::uint32_t begin, std::uint32_t end) {
    block.parts.assign(intervals_.size() * kPartsOfBin, {});
    block.packed.assign(columns_.size() * kBins * kPartsOfBin * Kind::kWidth, {});
    for (auto first = begin; first < end; first += kRowsPacked) {
      heed_interrupts();
      const auto last = std::min(end, first + kRowsPacked);
      for (auto i = first; i < last; i += kRowsAtHand)
        count_parts(node, i, std::min(kRowsAtHand, last - i), block.packed.data());
      unpack_parts(block);
    }
  });
  n_scanned_ += std::int64_t{node.all.rows} * static_cast<std::int64_t>(columns_.size());
  add_up_parts();
  keep_parts(node, blocks_[0].parts, kPartsOfBin, interval_of_part_);
  drop_bins_without_parts();
}

// Count a few rows by part of a bin, one column at a time, whose counts then stay in the cache.
template <class Kind>
void IntervalSearch<Kind>::count_parts(const Node& node, std::uint32_t first, std::uint32_t n,
                                       typename Kind::Packed* packed) const {
  constexpr auto kWidth = Kind::kWidth;
  std::array<const std::uint8_t*, kRowsAtHand> places;
  std::array<std::uint32_t, kRowsAtHand> rows;
  std::array<typename Kind::Packed, kRowsAtHand> ones;
  std::array<std::size_t, kRowsAtHand> part;
  const auto stride = rows_.stride();
  const auto* const records = node.records + first * stride;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto* const end = records + (i + 1) * stride;
    const auto tag = tag_at(end);
    rows[i] = rows_.row(tag);
    places[i] = rows_.places(tag);
    rows_.ask_for_place(tag, columns_[0]);
    ones[i] = node.measure.one(end);
    part[i] = node.measure.part(end);
  }
  const auto count_column = [&](std::uint32_t column, const auto& place_of) {
    const auto* bin = records + column;
    auto* const counts = packed;
    for (std::uint32_t i = 0; i < n; ++i, bin += stride)
      counts[(*bin * kPartsOfBin + place_of(i, *bin) / kPartsOfBin) * kWidth + part[i]] += ones[i];
  };
  for (const auto column : columns_) {
    if (places[0] != nullptr) {
      count_column(column,
                   [places = places.data(), column](auto i, std::size_t) { return places[i][column]; });
    } else {
      const auto values = table_.columns[column];
      const auto* bins = &rows_.bins(column);
      with_type(values.type(), [&]<class Value>() {
        count_column(column, [values, bins, row = rows.data()](std::uint32_t i, std::size_t bin) {
          return bins->place_of(bin, static_cast<double>(values.template value<Value>(row[i])));
        });
      });
    }
    packed += kBins * kPartsOfBin * kWidth;
  }
}

template <class Kind>
void IntervalSearch<Kind>::unpack_parts(Block& block) const {
  constexpr auto kWidth = Kind::kWidth;
  for (std::size_t bin = 0; bin < interval_of_bin_.size(); ++bin) {
    auto* packed = block.packed.data() + bin * kPartsOfBin * kWidth;
    if (interval_of_bin_[bin] != kNone) {
      auto* parts = block.parts.data() + interval_of_bin_[bin] * kPartsOfBin;
      for (std::size_t i = 0; i < kPartsOfBin; ++i) parts[i] += Kind::unpack(packed + i * kWidth);
    }
    std::fill_n(packed, kPartsOfBin * kWidth, typename Kind::Packed{});
  }
}

// Skip bins and columns from now on if all of their parts were struck out.
template <class Kind>
void IntervalSearch<Kind>::drop_bins_without_parts() {
  std::size_t n_kept = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    bool has_parts = false;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      auto interval = interval_of_bin_[i * kBins + bin];
      if (interval != kNone) {
        const auto parts = std::span(interval_of_part_).subspan(interval * kPartsOfBin, kPartsOfBin);
        if (std::ranges::all_of(parts, [](auto part) { return part == kNone; })) interval = kNone;
      }
      interval_of_bin_[n_kept * kBins + bin] = interval;
      has_parts |= interval != kNone;
    }
    columns_[n_kept] = columns_[i];
    n_kept += has_parts;
  }
  columns_.resize(n_kept);
}

template <class Kind>
void IntervalSearch<Kind>::split_by_entries(const Node& node) {
  if (columns_.empty()) return blocks_.clear();
  for_blocks(node.all.rows,
             [&](Block& block, std::uint32_t begin, std::uint32_t end) { collect(node, begin, end, block); });
  n_scanned_ += std::int64_t{node.all.rows} * static_cast<std::int64_t>(columns_.size());
  std::size_t n_entries = 0;
  for (const auto& block : blocks_) n_entries += block.n_entries;
  if (n_entries <= kEntriesToSplit) return;
  const auto n_parts = interval_of_part_.empty() ? ValueBins::kPlaces : ValueBins::kPlaces / kPartsOfBin;
  for_blocks(node.all.rows, [&](Block& block, std::uint32_t, std::uint32_t) {
    add_places(node, block.entries(), n_parts);
    block.parts.assign(intervals_.size() * n_parts, {});
    for (const auto& entry : block.entries()) block.parts[entry.interval] += node.measure.count(entry.tag);
  });
  add_up_parts();
  keep_parts(node, blocks_[0].parts, n_parts, interval_of_place_);
  for_blocks(node.all.rows, [&](Block& block, std::uint32_t, std::uint32_t) {
    std::size_t n_kept = 0;
    for (const auto& [tag, place] : block.entries()) {
      block.buffer[n_kept] = {tag, interval_of_place_[place]};
      n_kept += block.buffer[n_kept].interval != kNone;
    }
    block.n_entries = n_kept;
  });
}

// Collect the rows that are in intervals.
template <class Kind>
void IntervalSearch<Kind>::collect(const Node& node, std::uint32_t begin, std::uint32_t end,
                                   Block& block) const {
  constexpr std::uint32_t kAtOnce = 1024;
  const auto stride = rows_.stride();
  const auto* record = node.records + begin * stride;
  std::size_t n = 0;
  for (auto first = begin; first < end; first += kAtOnce) {
    heed_interrupts_at(first - begin, 16 * kAtOnce);
    const auto last = std::min(end, first + kAtOnce);
    block.buffer.make_room(n + kAtOnce * columns_.size() + 1, n);
    auto* entry = block.buffer.data() + n;
    for (auto i = first; i < last; ++i, record += stride) {
      const auto tag = rows_.tag(record);
      const auto* interval_of_bin = interval_of_bin_.data();
      if (interval_of_part_.empty()) {
        for (const auto column : columns_) {
          *entry = {tag, interval_of_bin[record[column]]};
          entry += entry->interval != kNone;
          interval_of_bin += kBins;
        }
        continue;
      }
      if (i + kAhead < end) rows_.ask_for_place(rows_.tag(record + kAhead * stride), columns_[0]);
      const auto* places = rows_.places(tag);
      for (const auto column : columns_) {
        const auto bin = interval_of_bin[record[column]];
        interval_of_bin += kBins;
        if (bin == kNone) continue;
        const auto place = places == nullptr ? rows_.place(tag, column, record[column]) : places[column];
        *entry = {tag, interval_of_part_[bin * kPartsOfBin + place / kPartsOfBin]};
        entry += entry->interval != kNone;
      }
    }
    n = static_cast<std::size_t>(entry - block.buffer.data());
  }
  block.n_entries = n;
}

// Number entries by interval and place in it; an interval is a bin here, or a part of one.
template <class Kind>
void IntervalSearch<Kind>::add_places(const Node& node, std::span<Entry> entries, std::size_t n_parts) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + kAhead < entries.size()) {
      const auto& next = entries[i + kAhead];
      rows_.ask_for_place(next.tag, intervals_[next.interval].column);
      node.measure.ask_for(next.tag);
    }
    auto& entry = entries[i];
    const auto& interval = intervals_[entry.interval];
    const auto place = rows_.place(entry.tag, interval.column, interval.bin);
    entry.interval = static_cast<std::uint32_t>(entry.interval * n_parts + place % n_parts);
  }
}

template <class Kind>
void IntervalSearch<Kind>::add_up_parts() {
  auto& sum = blocks_[0].parts;
  for (std::size_t block = 1; block < blocks_.size(); ++block) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += blocks_[block].parts[i];
  }
}

// Of the parts of all intervals, keep those that may contain or touch the best cut.
template <class Kind>
void IntervalSearch<Kind>::keep_parts(const Node& node, std::span<const Count> parts, std::size_t n_parts,
                                      std::vector<std::uint32_t>& interval_of_part, bool are_bins) {
  n_alone_ += std::ssize(parts);
  interval_of_part.assign(parts.size(), kNone);
  scores_.resize(parts.size());
  inside_.resize(parts.size());
  double floor = kNothing;
  const auto for_intervals = [&](const auto& each) {
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      const auto column = intervals_[i].column;
      if (i == 0 || intervals_[i - 1].column != column) floor = enter(node, column);
      // The last bin may be that of missing values.
      const auto n = are_bins ? rows_.bins(column).n_of_values() : n_parts;
      each(intervals_[i], scored_[column], i * n_parts, parts.subspan(i * n_parts, n));
    }
  };
  for_intervals([&](const auto& interval, const Scored& scored, std::size_t first, auto parts_here) {
    if (!interval.has_one_value)
      bound(scored, parts_here, interval.before, scores_.data() + first, inside_.data() + first,
            best_[interval.column]);
  });
  raise_floor(node);
  kept_.clear();
  for_intervals([&](auto interval, const Scored& scored, std::size_t first, auto parts_here) {
    if (interval.has_one_value) return kept_.push_back(interval);
    auto left = interval.before;
    double before = score(scored, left);  // of the cut before the part
    for (std::size_t part = 0; part < parts_here.size(); ++part) {
      const auto& here = parts_here[part];
      if (here.rows == 0) continue;
      interval.before = left;
      interval.here = here;
      if (are_bins) interval.bin = static_cast<std::uint8_t>(part);
      interval.has_one_value = are_bins && rows_.bins(interval.column).holds_one_value(part);
      if (interval.has_one_value && here.rows == scored.all.rows) break;  // the column is constant here
      if (std::max(before, scores_[first + part]) >= floor ||
          (!interval.has_one_value && may_win(scored, left, here, inside_[first + part], floor))) {
        interval_of_part[first + part] = static_cast<std::uint32_t>(kept_.size());
        kept_.push_back(interval);
      }
      before = scores_[first + part];
      left += here;
    }
  });
  intervals_.swap(kept_);
}

// Read the values of the remaining rows, and sort those of each interval.
template <class Kind>
void IntervalSearch<Kind>::order_entries() {
  // (Counted anew: another thread may have changed values since they were counted.)
  begins_.assign(intervals_.size() + 1, 0);
  for (auto& block : blocks_) {
    for (const auto& entry : block.entries()) ++begins_[entry.interval + 1];
  }
  for (std::size_t i = 0; i < intervals_.size(); ++i) begins_[i + 1] += begins_[i];
  values_.resize(begins_.back());
  n_alone_ += std::ssize(values_);
  auto next = begins_;
  for (auto& block : blocks_) {
    const auto entries = block.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      heed_interrupts_at(i);
      if (i + kAhead < entries.size()) {
        const auto& later = entries[i + kAhead];
        rows_.ask_for_value(later.tag, intervals_[later.interval].column);
      }
      const auto& [tag, interval] = entries[i];
      const auto& column = table_.columns[intervals_[interval].column];
      values_[next[interval]++] = {column.key(rows_.row(tag)), tag};
    }
  }
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const auto here = std::span(values_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
    heed_interrupts_after(here.size());
    std::ranges::sort(here, {}, &Value::key);
  }
}

#define TREEWRIGHT_SEARCH_OF(...) template class IntervalSearch<__VA_ARGS__>
TREEWRIGHT_FOR_KINDS(TREEWRIGHT_SEARCH_OF);

}  // namespace treewright
