// Which column wins a node, and why the others lost.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "treewright/candidate.hpp"  // for Candidate, Verdict

namespace treewright {

// The largest worth wins; the lowest column on a tie.
//
// Inside a column cuts are compared to the bit. Between columns the same gain may be put together from other
// terms (three branches here, two there), so what differs by rounding alone counts as a tie.
struct BestScore {
  static bool beats(double worth, double best) { return worth > best + std::abs(best) * 0x1p-46; }

  // Index of the winner, or -1 if no column has a question. Writes every candidate's verdict.
  int pick(std::span<Candidate> candidates) const {
    int winner = -1;
    double best = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < static_cast<int>(candidates.size()); ++i) {
      const auto& candidate = candidates[static_cast<std::size_t>(i)];
      if (!candidate.has_question() || (winner >= 0 && !beats(candidate.score.worth, best))) continue;
      winner = i;
      best = candidate.score.worth;
    }
    for (int i = 0; i < static_cast<int>(candidates.size()); ++i) {
      auto& candidate = candidates[static_cast<std::size_t>(i)];
      if (!candidate.has_question()) continue;
      const bool is_tied = i > winner && !beats(best, candidate.score.worth);
      candidate.verdict = is_tied ? Verdict::TiedWithEarlierColumn : Verdict::LowerScore;
    }
    if (winner >= 0) candidates[static_cast<std::size_t>(winner)].verdict = Verdict::Won;
    return winner;
  }
};

}  // namespace treewright
