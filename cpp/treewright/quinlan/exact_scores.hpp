// Which columns must be judged to the bit, for C4.5 to pick the right one?
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "treewright/quinlan/column_estimate.hpp"  // for ColumnEstimate
#include "treewright/recipe/candidate.hpp"         // for Candidate
#include "treewright/recipe/ranking.hpp"           // for AboveAverageGain
#include "treewright/recipe/recipe.hpp"            // for Quinlan

namespace treewright {

// Go through what the ranking will do. Returns whether something was judged, so that all must be gone through
// again.
template <std::size_t kClasses, class Judge>
bool judge_next(const Quinlan& rules, const AboveAverageGain& ranking,
                std::span<const ColumnEstimate<kClasses>> looks, std::span<const Candidate> candidates,
                const Judge& judge) {
  double enough = -std::numeric_limits<double>::infinity(), error = 0;
  if (rules.by_ratio) {
    enough = ranking.average(candidates) - rules.slack;
    for (const auto& look : looks) error = std::max(error, look.gain_error());
  }
  const std::size_t nobody = candidates.size();
  std::size_t winner = nobody;
  double best = rules.is_strict ? 0 : -rules.slack;
  for (std::size_t column = 0; column < candidates.size(); ++column) {
    if (!candidates[column].has_question()) continue;
    const double above = candidates[column].information.gain - enough;
    if (error > 0 && std::abs(above) <= 2 * error) {
      for (std::size_t each = 0; each < candidates.size(); ++each) judge(each);
      return true;
    }
    if (above < 0) continue;
    const double worth = candidates[column].score.worth, least = ranking.least_to_beat(best);
    const double of_best = winner == nobody ? 0 : looks[winner].worth_error();
    const bool is_near = std::abs(worth - least) <= 2 * (looks[column].worth_error() + of_best);
    if (is_near && !(looks[column].is_exact() && of_best == 0)) {
      judge(column);
      if (winner != nobody) judge(winner);
      return true;
    }
    if (!(worth > least)) continue;
    winner = column;
    best = worth;
  }
  if (winner == nobody || looks[winner].is_exact()) return false;
  judge(winner);
  return true;
}

// Where doubles do not tell, or tell of the winner, judge. `judge(column)` does nothing where that was done.
template <std::size_t kClasses, class Judge>
void score_who_may_win(const Quinlan& rules, const AboveAverageGain& ranking,
                       std::span<const ColumnEstimate<kClasses>> looks, std::span<const Candidate> candidates,
                       const Judge& judge) {
  while (judge_next(rules, ranking, looks, candidates, judge)) {
  }
}

}  // namespace treewright
