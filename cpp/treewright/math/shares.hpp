// A weight parted among the branches of a question, for a row that has no value for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/portable.hpp"  // for Int128

namespace treewright {

// Whole shares that add up to the weight, each about weight * size / (sum of sizes).
class Shares {
 public:
  struct Share {
    std::size_t branch;
    std::int64_t weight;
  };

  // `sizes`: what the rows weigh that have a value, by branch; some do.
  void enter(std::span<const std::int64_t> sizes) {
    reached_.clear();
    total_ = 0;
    for (std::size_t branch = 0; branch < sizes.size(); ++branch) {
      if (sizes[branch] == 0) continue;
      total_ += sizes[branch];
      reached_.push_back({branch, total_});
    }
    last_ = 0;
    shares_.clear();
  }

  // Those that are not nothing, branches rising. Rows that come one after the other often weigh the same.
  std::span<const Share> of(std::int64_t weight) {
    if (weight == last_) return shares_;
    last_ = weight;
    shares_.clear();
    std::int64_t given = 0;
    for (const auto& [branch, reached] : reached_) {
      const auto upto = reached == total_ ? weight : rounded(weight, reached);
      const auto share = upto - std::exchange(given, upto);
      if (share != 0) shares_.push_back({branch, share});
    }
    return shares_;
  }

 private:
  // Half a unit up, so that the shares of the first branches are rounded and not cut off.
  std::int64_t rounded(std::int64_t weight, std::int64_t reached) const {
    const Int128 total = total_;
    return static_cast<std::int64_t>((2 * static_cast<Int128>(weight) * reached + total) / (2 * total));
  }

  std::vector<Share> reached_;  // branches that somebody took; weights of them and those before them
  std::int64_t total_ = 0, last_ = 0;
  std::vector<Share> shares_;  // of the last weight
};

}  // namespace treewright
