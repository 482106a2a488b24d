// The criteria. Each registers itself with one line in the file that defines it; no other file lists them.
#pragma once

#include <deque>

#include "treewright/criteria/impurity.hpp"  // for gini

namespace treewright {

struct Growth;
struct Target;
template <class Index>
class Scan;

struct CriterionEntry {
  std::string_view word;
  bool of_classes = false, of_numbers = false;
  bool is_ratio = false;     // splits compete by a ratio, which the ledger shows beside the gain
  bool is_function = false;  // given by the caller
  bool by_median = false;    // impurity is the distance from the median, not from the mean
  bool needs_no_negatives = false;
  const char* carries = "class weights";  // what a scan carries from cut to cut, for `verbose`

  // Makes the search for splits, for the target of a growth.
  std::unique_ptr<Scan<std::uint32_t>> (*make_scan)(const Growth& growth) = nullptr;

  // For display: impurity from the shares of classes; for numbers, the decrease of weight times loss due to
  // one part of a whole, and the number that sums of leaves are measured from.
  double (*impurity)(std::span<const double> shares) = gini;
  double (*between)(double sum, double weight, double mean) = nullptr;
  double (*reference)(const Target& target) = nullptr;
};

inline std::deque<CriterionEntry>& criteria() {
  static std::deque<CriterionEntry> all;
  return all;
}

// The criterion of that word; null: there is none.
inline const CriterionEntry* find_criterion(std::string_view word) {
  const auto found = std::ranges::find(criteria(), word, &CriterionEntry::word);
  return found == criteria().end() ? nullptr : &*found;
}

// A static object of this type registers a criterion.
struct RegisterCriterion {
  explicit RegisterCriterion(const CriterionEntry& entry) { criteria().push_back(entry); }
};

}  // namespace treewright
