#include "treewright/table/value_bins.hpp"

namespace treewright {
namespace {

// Values of some rows, spread evenly, with their row numbers, in order; the same rows in every call.
std::vector<std::pair<double, std::uint32_t>> draw_sample(const Column& column, std::uint32_t n_slots,
                                                          std::span<const std::uint32_t> rows) {
  const std::uint64_t n = n_slots, size = std::min(n, std::clamp<std::uint64_t>(n / 64, 2048, 8192));
  std::vector<std::pair<double, std::uint32_t>> sample;
  with_type(column.type(), [&]<class Value>() {
    for (std::uint64_t i = 0; i < size; ++i) {
      const auto begin = i * n / size, width = std::max<std::uint64_t>(1, (i + 1) * n / size - begin);
      const auto slot = static_cast<std::uint32_t>(begin + (i * 0x9E3779B97F4A7C15u >> 33) % width);
      const auto row = rows.empty() ? slot : rows[slot];
      const auto value = column.value<Value>(row);
      if (!is_missing(value)) sample.emplace_back(static_cast<double>(value) + 0.0, row);
    }
  });
  // Another thread may have written infinite values meanwhile.
  std::erase_if(sample, [](const auto& each) { return !std::isfinite(each.first); });
  std::ranges::sort(sample);
  return sample;
}

}  // namespace

ValueBins::ValueBins(const Column& column, std::uint32_t n_slots, bool has_gaps,
                     std::span<const std::uint32_t> rows)
    : has_gaps_(has_gaps) {
  const auto sample = draw_sample(column, n_slots, rows);
  // Larger integers may differ and yet be equal as numbers of 64 bits.
  const bool is_exact = column.type() != ValueType::Int64 || sample.empty() ||
                        (sample.front().first > -0x1p53 && sample.back().first < 0x1p53);
  end_bins(sample, is_exact);
}

void ValueBins::end_bins(std::span<const std::pair<double, std::uint32_t>> sample, bool is_exact) {
  ends_.fill(kInfinity);
  row_of_.fill(kNone);
  std::size_t n_ends = 0;
  const auto end_at = [&](double number) {
    if (n_ends + 1 < n_of_values() && number < kInfinity) ends_[n_ends++] = number;
  };
  // Make a bin that begins at a number and ends at the next double.
  const auto set_apart = [&](const std::pair<double, std::uint32_t>& each) {
    if (n_ends == 0 || ends_[n_ends - 1] < each.first) end_at(each.first);
    if (n_ends + 1 == n_of_values() || ends_[n_ends - 1] != each.first) return;
    end_at(std::nextafter(each.first, kInfinity));
    if (is_exact && ends_[n_ends - 1] != each.first) row_of_[n_ends - 1] = each.second;
  };
  std::size_t n_values = 1;
  for (std::size_t i = 1; i < sample.size(); ++i) n_values += sample[i - 1].first < sample[i].first;
  if (2 * n_values < kBins) {  // there may be none
    for (std::size_t i = 0; i < sample.size(); ++i) {
      if (i == 0 || sample[i - 1].first < sample[i].first) set_apart(sample[i]);
    }
  } else {
    for (std::size_t i = 1; i < kBins; ++i) {
      const auto& each = sample[i * sample.size() / kBins];
      if (n_ends == 0 || ends_[n_ends - 1] < each.first) {
        end_at(each.first);
      } else if (ends_[n_ends - 1] == each.first) {
        set_apart(each);
      }
    }
  }
  const double least = sample.empty() ? 0 : sample.front().first;
  const double most = sample.empty() ? 0 : sample.back().first;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const double low = bin == 0 ? least : ends_[bin - 1];
    const double width = std::min(ends_[bin], most) - low, scale = kPlaces / width;
    place_[bin] = width > 0 && scale < kInfinity ? Place{low, scale} : Place{0, 0};
    if (!(low < kInfinity)) place_[bin] = {0, 0};
  }
  make_guide(n_ends);
}

void ValueBins::make_guide(std::size_t n_ends) {
  first_ = ends_[0];
  scale_ = n_ends < 2 ? 0 : kCells / (ends_[n_ends - 1] - first_);
  n_tries_ = kMostTries + 1;
  if (!(scale_ > 0 && scale_ < kInfinity)) return;
  std::array<int, kCells> n_here{};
  for (std::size_t i = 0; i < n_ends; ++i) ++n_here[cell_of(ends_[i])];
  n_tries_ = std::ranges::max(n_here);
  int n_below = 0;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    guide_[cell] = static_cast<std::uint8_t>(n_below);
    n_below += n_here[cell];
  }
}

std::size_t ValueBins::search(double number) const {
  std::size_t bin = 0;
  // (A product, because a branch would be mispredicted half of the time.)
  for (std::size_t step = kBins / 2; step > 0; step /= 2)
    bin += step * static_cast<std::size_t>(ends_[bin + step - 1] <= number);
  return bin;
}

void ValueBins::write_bins(const Column& column, std::uint32_t first, std::uint32_t n, std::uint8_t* bins,
                           std::size_t apart, std::span<const std::uint32_t> rows) const {
  with_type(column.type(), [&]<class Value>() {
    const auto write_found = [&](const auto& find) {
      const auto stride = column.stride();
      const auto* at = column.data() + static_cast<std::ptrdiff_t>(first) * stride;
      const auto write = [&](const auto& bin_of_value) {
        for (std::uint32_t i = 0; i < n; ++i, at += stride) {
          const auto value = rows.empty() ? load<Value>(at) : column.value<Value>(rows[first + i]);
          bins[i * apart] = static_cast<std::uint8_t>(bin_of_value(value));
        }
      };
      const auto find_known = [&](Value value) { return find(static_cast<double>(value)); };
      if (!has_gaps_) return write(find_known);
      write([&](Value value) { return is_missing(value) ? kBins - 1 : find_known(value); });
    };
    if (n_tries_ <= 1) {
      write_found([this](double number) { return look_up<1>(number); });
    } else if (n_tries_ <= kMostTries) {
      write_found([this](double number) { return look_up<kMostTries>(number); });
    } else {
      write_found([this](double number) { return search(number); });
    }
  });
}

}  // namespace treewright
