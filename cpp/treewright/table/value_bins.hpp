// The values of a numeric column as two bytes, in the order of the values: a bin, and a place in it.
//
// Bins end at quantiles of a sample, so rows spread over them whatever the distribution. A frequent value has
// a bin of its own; missing values have the last bin. The sample affects only how long growing takes.
#pragma once

#include "treewright/table/column.hpp"  // for Column, with_type

namespace treewright {

class ValueBins {
 public:
  static constexpr std::size_t kBins = 256, kPlaces = 256;

  ValueBins() = default;
  // Slot i is row rows[i], or row i if `rows` is empty; at least one. `has_gaps`: values may be missing.
  ValueBins(const Column& column, std::uint32_t n_slots, bool has_gaps = false,
            std::span<const std::uint32_t> rows = {});

  bool has_gaps() const { return has_gaps_; }
  std::size_t n_of_values() const { return kBins - has_gaps_; }  // bins; the next one holds missing values

  // Whether all rows of a bin have the same value, which is then that of row `row_of`.
  bool holds_one_value(std::size_t bin) const { return row_of_[bin] != kNone; }
  std::uint32_t row_of(std::size_t bin) const { return row_of_[bin]; }

  // The bin in which a cut lies: rows of lower bins are below it, those of higher bins above.
  std::uint8_t bin_of(double number) const {
    return static_cast<std::uint8_t>(std::min(search(number), n_of_values() - 1));
  }

  // Write the bins of n slots from `first` on, one every `apart` bytes.
  void write_bins(const Column& column, std::uint32_t first, std::uint32_t n, std::uint8_t* bins,
                  std::size_t apart, std::span<const std::uint32_t> rows = {}) const;

  // The place of a number in its bin.
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

  // The number's cell in the guide; never falls as numbers rise. (NaN is in the first cell.)
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
  std::array<std::uint8_t, kCells> guide_;  // by cell: the lowest bin of its numbers
  double first_ = 0, scale_ = 0;
  int n_tries_ = 0;  // most bin ends in one cell; if more than kMostTries, bins are found by binary search
  bool has_gaps_ = false;
};

}  // namespace treewright
