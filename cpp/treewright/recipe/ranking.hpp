// Which column wins a node, and why the others lost.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "treewright/recipe/candidate.hpp"  // for Candidate, Verdict
#include "treewright/recipe/recipe.hpp"     // for Quinlan

namespace treewright {

// The largest worth wins; the lowest column on a tie.
//
// Inside a column cuts are compared to the bit. Between columns the same gain may be put together from other
// terms (three branches here, two there), so what differs by rounding alone counts as a tie.
struct BestScore {
  double tie = 0x1p-46;  // what differs by no more than this share is equal

  bool beats(double worth, double best) const { return worth > best + std::abs(best) * tie; }

  // Index of the winner, or -1 if no column has a question.
  int pick(std::span<const Candidate> candidates) const {
    int winner = -1;
    double best = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const double worth = candidates[i].score.worth;
      if (!candidates[i].has_question() || (winner >= 0 && !beats(worth, best))) continue;
      winner = static_cast<int>(i);
      best = worth;
    }
    return winner;
  }

  // Write what became of every candidate, for the ledger.
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

// Of the columns that gain at least as much as they do on average, the one with the best ratio of gain to
// information of the split itself wins (Quinlan 1993, 2.2): a column of very many values has a fine gain, and
// one with a tiny split a fine ratio, by chance alone. The lowest column on a tie.
class AboveAverageGain {
 public:
  // `has_many_values`: by column; it may win, but does not count in the average.
  AboveAverageGain(const Quinlan& rules, std::vector<bool> has_many_values)
      : rules_(rules), has_many_values_(std::move(has_many_values)) {}

  // `average_gain`: what there was to be reached, for the ledger; untouched where there is nothing.
  int pick(std::span<Candidate> candidates, double& average_gain) const {
    if (rules_.by_ratio) average_gain = average(candidates);
    const double enough =
        rules_.by_ratio ? average_gain - rules_.slack : -std::numeric_limits<double>::infinity();
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

  // Of the columns, or of all their cuts; plus infinity where nothing counts.
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
    return n == 0 ? std::numeric_limits<double>::infinity() : sum / static_cast<double>(n);
  }

  // Who is worth more than this beats what is worth `best`.
  double least_to_beat(double best) const {
    return best + std::max(rules_.tolerance, std::abs(best) * 0x1p-46);
  }

 private:
  bool beats(double worth, double best) const { return worth > least_to_beat(best); }

  Quinlan rules_;
  std::vector<bool> has_many_values_;
};

}  // namespace treewright
