// The values of a column of numbers as two bytes, in the order of the values: a bin, and a place in it.
//
// Bins end at quantiles of a sample, so that rows spread over them whatever the values are like; a frequent
// value has a bin of its own, and so have rows without a value: the last. Nothing depends on how well the
// sample does but how long growing takes.
#pragma once

#include "treewright/table/column.hpp"  // for Column, with_type

namespace treewright {

class ValueBins {
 public:
  static constexpr std::size_t kBins = 256, kPlaces = 256;

  ValueBins() = default;
  // Of so many slots, at least one: each the row of that number, if none are given. Some may have no value.
  ValueBins(const Column& column, std::uint32_t n_slots, bool has_gaps = false,
            std::span<const std::uint32_t> rows = {});

  bool has_gaps() const { return has_gaps_; }
  std::size_t n_of_values() const { return kBins - has_gaps_; }  // bins; that of missing values is the next

  // Whether all rows of a bin have the same value, which then is that of row `row_of`.
  bool holds_one_value(std::size_t bin) const { return row_of_[bin] != kNone; }
  std::uint32_t row_of(std::size_t bin) const { return row_of_[bin]; }

  // Where a cut lies: rows of lower bins are below it, those of higher ones above.
  std::uint8_t bin_of(double number) const {
    return static_cast<std::uint8_t>(std::min(search(number), n_of_values() - 1));
  }

  // Write the bins of n slots from `first` on, so many bytes apart.
  void write_bins(const Column& column, std::uint32_t first, std::uint32_t n, std::uint8_t* bins,
                  std::size_t apart, std::span<const std::uint32_t> rows = {}) const;

  // Where in its bin a number lies.
  std::uint8_t place_of(std::size_t bin, double number) const {
    const auto& [low, scale] = place_[bin];
    return static_cast<std::uint8_t>(
        static_cast<std::int32_t>(std::min(std::max(0.0, (number - low) * scale), kPlaces - 1.0)));
  }

 private:
  static constexpr std::size_t kCells = 1024;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static constexpr int kMostTries = 3;

  void end_bins(std::span<const std::pair<double, std::uint32_t>> sample, bool is_exact);
  void make_guide(std::size_t n_ends);
  std::size_t search(double number) const;

  // A cell of the guide; it never falls as numbers rise. (What is no number is in the first.)
  std::size_t cell_of(double number) const {
    return static_cast<std::size_t>(
        static_cast<std::int32_t>(std::min(std::max(0.0, (number - first_) * scale_), kCells - 1.0)));
  }
  template <int kTries>
  std::size_t look_up(double number) const {
    std::size_t bin = guide_[cell_of(number)];
    for (int i = 0; i < kTries; ++i) bin += ends_[bin] <= number;
    return bin;
  }
  struct Place {
    double low, scale;
  };

  std::array<double, kBins> ends_;  // bin i holds ends_[i - 1] <= number < ends_[i]
  std::array<Place, kBins> place_;
  std::array<std::uint32_t, kBins> row_of_;
  std::array<std::uint8_t, kCells> guide_;  // by cell: the first bin that it may have
  double first_ = 0, scale_ = 0;
  int n_tries_ = 0;  // bins of a cell, less one; more than kMostTries: they are searched instead
  bool has_gaps_ = false;
};

}  // namespace treewright
