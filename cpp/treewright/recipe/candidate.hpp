// What a column offers at a node: its best question with its score, or the reason why it has none.
#pragma once

#include "treewright/table/column.hpp"  // for Cut

namespace treewright {

struct Score {
  double gain = 0;            // decrease of impurity, times weight of node / all weight
  double worth = -kInfinity;  // what columns compete on
};

// What Quinlan's ranking asks of a column, in bits a unit of the node's weight.
struct Information {
  double gain = 0;   // of the best question, times the known share, less the cost of having tried many cuts
  double split = 0;  // information of the split itself
  double all_gains = 0;      // of every cut that was tried
  std::int64_t n_tries = 1;  // cuts
};

// Worth of a column whose split tells nothing of its own, so that there is nothing to divide by.
inline constexpr double kNoRatio = -1;

// What became of a column at a node. The ledger shows it, so every loser has a reason.
enum class Verdict : std::uint8_t {
  Won,
  LowerScore,
  TiedWithEarlierColumn,
  BelowAverageGain,   // of the columns that gain something
  NoGain,             // none above nothing, or none that pays for the cuts tried
  Constant,           // no two different values here
  TooFewOnEverySide,  // the limits on leaves leave no cut
  NoneInOrder,        // ... nor does the order that answers are to have by this column
  NotDrawn,           // random choice of columns passed it over
  NotNeeded,          // an earlier column parts the node as well as any can
  LowerInColumn,      // another cut of the column is better; only where every cut is listed
};

// What a criterion says of a cut, in units that are the same for every column of a node: by how much weight
// times impurity falls, and what cuts compete on, which is nearly always the same.
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
  std::uint32_t n_missing = 0;                    // rows without a value
  bool missing_left = false;                      // ... go left with the cut
  Verdict verdict = Verdict::Constant;
  bool has_cut = false;  // `cut` is set (a drawn one); otherwise it lies between two values of the list
  Cut cut;
  std::vector<Offer>* every = nullptr;  // where given, every cut is written there, and none is chosen

  bool has_question() const { return verdict <= Verdict::TiedWithEarlierColumn; }

  // Whether a question was scored, if only to be found wanting.
  bool has_figures() const {
    return has_question() || verdict == Verdict::BelowAverageGain || verdict == Verdict::NoGain ||
           verdict == Verdict::LowerInColumn;
  }

  // A gain that comes with whatever question this column asks; minus infinity where it may ask none.
  void add_worth(const Merit& more) {
    if (!has_question()) return;
    score.worth += more.worth;
    decrease += more.decrease;
    if (!(score.worth > -kInfinity)) verdict = Verdict::TooFewOnEverySide;
  }

  // Whether a cut is better than what the candidate holds. What other columns offer, put there to be beaten,
  // has no unevenness: a tie with another column is lost.
  bool takes(double worth, std::int64_t uneven) const {
    return worth > score.worth || (worth == score.worth && uneven < unevenness);
  }

  // Of equally good cuts the first one stays: they are offered lowest first, missing values right first.
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

// Whether, of cuts of a column that are worth the same, that of the evenest sides by weight is taken.
template <class Criterion>
inline constexpr bool kPrefersEvenSides = requires { requires Criterion::kPrefersEvenSides; };

// By how much the sides of a cut differ in weight, where that breaks ties.
template <class Criterion>
constexpr std::int64_t unevenness_of(std::int64_t left, std::int64_t right) {
  if constexpr (!kPrefersEvenSides<Criterion>) return 0;
  return left < right ? right - left : left - right;
}

// The bound that a cut must reach to be worth an exact score, given what the candidate holds: nothing yet,
// what other columns offer, or a cut of its own, which an equal one may replace.
template <class Criterion>
double score_floor_over(const Criterion& criterion, const Candidate& candidate) {
  const double worth = candidate.score.worth;
  if (!(worth > -kInfinity)) return worth;
  if (kPrefersEvenSides<Criterion> && candidate.unevenness > 0) return worth;
  return criterion.score_floor(worth);
}

}  // namespace treewright
