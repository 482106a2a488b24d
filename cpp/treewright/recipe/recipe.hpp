// A recipe: one choice per seam; and the rankings, which decide the winning column of a node.
#pragma once

#include "treewright/recipe/missing.hpp"     // for Missing, Penalty
#include "treewright/search/categories.hpp"  // for Categories

namespace treewright {

struct CriterionEntry;

// What the caller's own criterion, a function that scores all cuts of a column at once, is given: the rows of
// a node in the order of a column, and the cuts.
struct CutsToScore {
  std::span<const double> numbers;        // the targets; empty where they are classes
  std::span<const std::int64_t> classes;  // codes; empty where they are numbers
  std::span<const double> weights;        // as the caller gave them
  std::span<const std::int64_t> cuts;     // number of rows on the left of each
};

// Writes each cut's decrease of weight times impurity: the largest wins; NaN or -infinity: not this one.
struct ScoreCuts : std::function<void(const CutsToScore&, std::span<double> scores)> {
  using function::function;
  bool operator==(const ScoreCuts& other) const { return !*this && !other; }  // functions do not compare
};

enum class Choice : std::uint8_t { Best, Random };     // of the cut in a column
enum class LeafValue : std::uint8_t { Mean, Median };  // of a node, if targets are numbers
// What a surrogate's agreement is measured on: all rows that the split places, or those it places itself.
enum class Agreement : std::uint8_t { OfAll, OfKnown };
enum class Ranking : std::uint8_t { BestScore, AboveAverageGain };
enum class CutAt : std::uint8_t { Middle, Observed };  // half-way, or the largest value not above that
enum class Order : std::uint8_t { Depth, Breadth, Best };

// The numbers that tell C4.5 and its variants apart; used with AboveAverageGain.
struct Quinlan {
  bool by_ratio = true;           // columns compete by gain ratio, otherwise by gain
  bool charges_tries = true;      // subtracts log2(tries) / weight from the gain of a numeric column
  bool scales_side = true;        // a side needs a tenth of the known weight per class, at most 25
  bool unknown_is_branch = true;  // missing values count as a branch in the split information
  bool every_cut_counts = false;  // average gain over all cuts instead of over columns
  bool is_strict = false;         // a column without a gain cannot win
  std::int64_t n_classes = 0;     // as declared; 0: as many as there are
  double slack = 1e-3;            // how far a gain may be below the average
  double tolerance = 0;           // scores closer than this are equal
  bool operator==(const Quinlan&) const = default;
};

struct Recipe {
  const CriterionEntry* criterion = nullptr;
  ScoreCuts function;  // if the criterion is the caller's
  Choice choice = Choice::Best;
  Categories categories = Categories::Subset;
  Missing missing = Missing::Learned;
  Order order = Order::Depth;
  LeafValue leaf_value = LeafValue::Mean;
  Ranking ranking = Ranking::BestScore;
  double tie = 0x1p-46;  // scores of columns are equal if they differ by no more than this share
  Quinlan quinlan;
  std::vector<bool> has_many_values;  // by column: it is left out of the average gain
  Penalty penalty = Penalty::Linear;
  CutAt cut_at = CutAt::Middle;
  double min_gap = 0;  // numbers no further apart than this count as equal
  Limits limits;
  // If set, these replace `limits` for the rest of the growth once a column of more than two categories had
  // no known value in a node; and nodes are grown one after the other, branch by branch.
  std::optional<Limits> limits_once_unknown;
  std::vector<std::int8_t> monotone;  // direction by column, as in `Monotone`; empty: no constraint
  std::int64_t max_columns = -1;      // columns drawn per node; -1: all
  std::size_t max_surrogates = 5;
  Agreement agreement = Agreement::OfAll;
  std::vector<bool> surrogates_for;  // by column: whether its splits get any; empty: all do
  bool lets_rows_stop = false;       // at a node whose split and surrogates all need values they miss
  std::uint64_t seed = 0;
  // Nodes of more rows are counted, where that is possible. Unset: whatever is quickest; tests set it.
  std::optional<std::uint32_t> count_above;
  bool keeps_ledger = false;     // of every column at every node
  bool lists_every_cut = false;  // ... and of every cut of numeric columns
  // If the root is a node of a larger tree: the key of its draws there, and the bounds of its answer.
  std::uint64_t root_path = 0;
  Bounds root_bounds;

  bool operator==(const Recipe&) const = default;

  // Whether a node needs only the best cut of all columns. This is an allow-list: options not named here must
  // have their default, so that a forgotten option goes to an engine that supports all of them.
  bool wants_best_cuts_only() const {
    Recipe plain;
    // Supported, here or by the grower.
    plain.criterion = criterion;
    plain.order = order;
    plain.tie = tie;
    plain.root_path = root_path;
    plain.limits = limits;
    if (missing == Missing::Majority || missing == Missing::OwnBranch || missing == Missing::Spread ||
        missing == Missing::Refuse)
      plain.missing = missing;
    // Without effect if no value is missing, no column has categories, and nothing is drawn or recorded.
    plain.categories = categories;
    plain.leaf_value = leaf_value;
    plain.quinlan = quinlan;
    plain.has_many_values = has_many_values;
    plain.penalty = penalty;
    plain.max_surrogates = max_surrogates;
    plain.agreement = agreement;
    plain.surrogates_for = surrogates_for;
    plain.seed = seed;
    plain.count_above = count_above;
    plain.lists_every_cut = lists_every_cut;
    return *this == plain;
  }

  // Why a node is a leaf whatever its columns offer, under all limits that may hold once its turn comes.
  Stop why_closed(const NodeStatistics& facts, std::int64_t depth) const {
    const bool may_open = limits_once_unknown && limits_once_unknown->why_closed(facts, depth) == Stop::None;
    return may_open ? Stop::None : limits.why_closed(facts, depth);
  }

  bool wants_surrogates(std::size_t column) const {
    return missing == Missing::Surrogate && (surrogates_for.empty() || surrogates_for[column]);
  }

  bool is_monotone() const { return !monotone.empty(); }
  std::int8_t direction(std::size_t column) const { return is_monotone() ? monotone[column] : 0; }
};

// The largest worth wins; the lowest column on a tie.
//
// Within a column cuts are compared to the bit. Between columns the same gain may be the sum of different
// terms (three branches here, two there), so a difference by rounding alone counts as a tie.
struct BestScore {
  double tie = 0x1p-46;  // scores that differ by no more than this share are equal

  bool beats(double worth, double best) const { return worth > best + std::abs(best) * tie; }

  // Index of the winner, or -1 if no column has a split.
  int pick(std::span<const Candidate> candidates) const {
    const Candidate* winner = nullptr;
    for (const auto& candidate : candidates) {
      if (!candidate.has_question()) continue;
      if (winner == nullptr || beats(candidate.score.worth, winner->score.worth)) winner = &candidate;
    }
    return winner == nullptr ? -1 : static_cast<int>(winner - candidates.data());
  }

  // Set the verdict of every candidate, for the ledger.
  void tell(std::span<Candidate> candidates, int winner) const {
    if (winner < 0) return;
    auto& best = candidates[static_cast<std::size_t>(winner)];
    for (auto& candidate : candidates) {
      if (!candidate.has_question()) continue;
      const bool is_tied = &candidate > &best && !beats(best.score.worth, candidate.score.worth);
      candidate.verdict = is_tied ? Verdict::TiedWithEarlierColumn : Verdict::LowerScore;
    }
    best.verdict = Verdict::Won;
  }
};

// Among the columns with at least the average gain, the one with the best ratio of gain to split information
// wins (Quinlan 1993, 2.2): by chance alone, a column of very many values has a high gain, and one with very
// little split information a high ratio. The lowest column on a tie.
class AboveAverageGain {
 public:
  // `has_many_values`: by column; such a column may win, but does not count in the average.
  AboveAverageGain(const Quinlan& rules, std::vector<bool> has_many_values)
      : rules_(rules), has_many_values_(std::move(has_many_values)) {}

  // `average_gain`: the gain to be reached, for the ledger; unchanged if columns do not compete by ratio.
  int pick(std::span<Candidate> candidates, double& average_gain) const {
    if (rules_.by_ratio) average_gain = average(candidates);
    const double enough = rules_.by_ratio ? average_gain - rules_.slack : -kInfinity;
    Candidate* winner = nullptr;
    double best = rules_.is_strict ? 0 : -rules_.slack;
    for (auto& candidate : candidates) {
      if (!candidate.has_question()) continue;
      candidate.verdict = Verdict::LowerScore;
      if (candidate.information.gain < enough) {
        candidate.verdict = Verdict::BelowAverageGain;
      } else if (beats(candidate.score.worth, best)) {
        winner = &candidate;
        best = candidate.score.worth;
      } else if (winner != nullptr && !beats(best, candidate.score.worth)) {
        candidate.verdict = Verdict::TiedWithEarlierColumn;
      }
    }
    if (winner == nullptr) return -1;
    winner->verdict = Verdict::Won;
    return static_cast<int>(winner - candidates.data());
  }

  // Over the columns, or over all their cuts; plus infinity if none counts.
  double average(std::span<const Candidate> candidates) const {
    const bool all_have_many = std::ranges::find(has_many_values_, false) == has_many_values_.end();
    double sum = 0;
    std::int64_t n = 0;
    for (const auto& candidate : candidates) {
      const auto& information = candidate.information;
      const bool has_many = has_many_values_[static_cast<std::size_t>(candidate.column)];
      if (!candidate.has_question() || (has_many && !all_have_many)) continue;
      sum += rules_.every_cut_counts ? information.all_gains : information.gain;
      n += rules_.every_cut_counts ? information.n_tries : 1;
    }
    return n == 0 ? kInfinity : sum / static_cast<double>(n);
  }

  // What a worth must exceed to beat `best`.
  double least_to_beat(double best) const {
    return best + std::max(rules_.tolerance, std::abs(best) * 0x1p-46);
  }

 private:
  bool beats(double worth, double best) const { return worth > least_to_beat(best); }

  Quinlan rules_;
  std::vector<bool> has_many_values_;
};

}  // namespace treewright
