// The best split of one column at a node with its score, or the reason why there is none.
#pragma once

#include "treewright/table/column.hpp"  // for Cut

namespace treewright {

struct Score {
  double gain = 0;            // decrease of impurity, times weight of node / all weight
  double worth = -kInfinity;  // what columns compete on
};

// What Quinlan's ranking needs to know of a column, in bits per unit of the node's weight.
struct Information {
  double gain = 0;           // of the best split, times the known share, less the charge for trying many cuts
  double split = 0;          // information of the split itself
  double all_gains = 0;      // summed over all cuts tried
  std::int64_t n_tries = 1;  // number of cuts tried
};

// Worth of a column whose split information is too small to divide its gain by.
inline constexpr double kNoRatio = -1;

// The result for a column at a node. The ledger shows it, so every column that lost has a reason.
enum class Verdict : std::uint8_t {
  Won,
  LowerScore,
  TiedWithEarlierColumn,
  BelowAverageGain,   // the average over the columns that have a gain
  NoGain,             // none above zero, or none that pays for the cuts tried
  Constant,           // no two different values here
  TooFewOnEverySide,  // the limits on leaves allow no cut
  NoneInOrder,        // ... nor does the monotone constraint on this column
  NotDrawn,           // not among the columns drawn at random
  NotNeeded,          // an earlier column splits the node as well as any column can
  LowerInColumn,      // another cut of the column is better; only if every cut is listed
};

// What a criterion says of a cut, in units shared by all columns of a node: its decrease of weight times
// impurity, and the worth that cuts compete on. The two are nearly always equal.
struct Merit {
  double worth, decrease;
  Merit(double both) : worth(both), decrease(both) {}
  Merit(double worth_given, double decrease_given) : worth(worth_given), decrease(decrease_given) {}
};

// A cut as a scan offers it.
struct Offer {
  Merit merit;
  std::uint32_t n_left;
  bool missing_left;
};

struct Candidate {
  std::int32_t column = -1;
  Score score;
  Information information;
  double decrease = 0;                            // of weight times impurity; becomes score.gain
  std::int64_t left_amount = 0, left_weight = 0;  // of the left side, where the scan has running sums
  std::int64_t unevenness = 0;                    // of the cut; see `unevenness_of`
  std::uint32_t n_left = 0;                       // known values at or below the cut, in the column's order
  std::uint32_t n_missing = 0;                    // rows with a missing value
  bool missing_left = false;                      // ... go left in this split
  Verdict verdict = Verdict::Constant;
  bool has_cut = false;  // `cut` is set (drawn at random); otherwise it lies between two values of the list
  Cut cut;
  std::vector<Offer>* every = nullptr;  // if given, every cut is appended here and none is chosen

  bool has_question() const { return verdict <= Verdict::TiedWithEarlierColumn; }

  // Whether a split was scored, even if it was rejected afterwards.
  bool has_figures() const {
    return has_question() || verdict == Verdict::BelowAverageGain || verdict == Verdict::NoGain ||
           verdict == Verdict::LowerInColumn;
  }

  // Add a gain that comes with any split of this column; minus infinity: the column may not split.
  void add_worth(const Merit& more) {
    if (!has_question()) return;
    score.worth += more.worth;
    decrease += more.decrease;
    if (!(score.worth > -kInfinity)) verdict = Verdict::TooFewOnEverySide;
  }

  // Whether a cut beats what the candidate holds. That may be the score of another column, put there to be
  // beaten; it has no unevenness, so a tie with another column is lost.
  bool takes(double worth, std::int64_t uneven) const {
    return worth > score.worth || (worth == score.worth && uneven < unevenness);
  }

  // Of equal cuts the first stays: they are offered lowest first, with missing values right before left.
  bool offer(const Merit& merit, std::uint32_t left, bool missing_goes_left, std::int64_t uneven = 0) {
    if (!takes(merit.worth, uneven)) return false;
    if (every != nullptr) {
      every->push_back({merit, left, missing_goes_left});
      return false;
    }
    score.worth = merit.worth;
    decrease = merit.decrease;
    unevenness = uneven;
    n_left = left;
    missing_left = missing_goes_left;
    verdict = Verdict::LowerScore;
    return true;
  }
};

// Whether, among cuts of a column with the same worth, the criterion prefers the most even sides by weight.
template <class Criterion>
inline constexpr bool kPrefersEvenSides = requires { requires Criterion::kPrefersEvenSides; };

// The difference in weight between the sides of a cut, if it breaks ties; otherwise 0.
template <class Criterion>
constexpr std::int64_t unevenness_of(std::int64_t left, std::int64_t right) {
  if constexpr (!kPrefersEvenSides<Criterion>) return 0;
  return left < right ? right - left : left - right;
}

// The upper bound that a cut must reach to get an exact score, given what the candidate holds: nothing yet,
// the score of another column, or a cut of its own, which an equally good one may replace.
template <class Criterion>
double score_floor_over(const Criterion& criterion, const Candidate& candidate) {
  const double worth = candidate.score.worth;
  if (!(worth > -kInfinity)) return worth;
  if (kPrefersEvenSides<Criterion> && candidate.unevenness > 0) return worth;
  return criterion.score_floor(worth);
}

}  // namespace treewright
