// What all columns of a node share, where rows weigh the same: tables by the number of rows on the left.
#pragma once

#include <cstddef>
#include <vector>

namespace treewright {

class CutTables {
 public:
  // Of a node of n rows; up to `beyond` entries behind them may be read.
  void fill(std::size_t n, double mean, std::size_t beyond) {
    if (inverse_.size() < n + beyond + 1) {
      inverse_.resize(n + beyond + 1);
      expected_.resize(n + beyond + 1);
      shares_.resize(n + 1);
      for (std::size_t i = 1; i <= n; ++i) shares_[i] = 1 / static_cast<double>(i);
    }
    // Two sums are sooner had than a quotient: 1 / i + 1 / (n - i) is n times that.
    const double* share = shares_.data();
    double *inverse = inverse_.data(), *expected = expected_.data();
    for (std::size_t i = 1; i < n; ++i) inverse[i] = (share[i] + share[n - i]) * share[n];
    inverse[0] = inverse[n] = 0;
    for (int i = 0; i < static_cast<int>(n); ++i) expected[i] = i * mean;
  }

  const double* inverse() const { return inverse_.data(); }    // 1 / (i (n - i))
  const double* expected() const { return expected_.data(); }  // what i rows would sum up to, were all alike
  const double* shares() const { return shares_.data(); }      // 1 / i

 private:
  std::vector<double> inverse_, expected_, shares_;
};

}  // namespace treewright
