// Which column wins a node, and why the others lost.
#pragma once

#include <span>

#include "treewright/candidate.hpp"  // for Candidate, Verdict

namespace treewright {

// The largest worth wins; the lowest column on a tie.
struct BestScore {
  // Index of the winner, or -1 if no column has a question. Writes every candidate's verdict.
  int pick(std::span<Candidate> candidates) const {
    int winner = -1;
    for (int i = 0; i < static_cast<int>(candidates.size()); ++i) {
      auto& candidate = candidates[static_cast<std::size_t>(i)];
      if (!candidate.has_question()) continue;
      candidate.verdict = Verdict::LowerScore;
      if (winner >= 0) {
        auto& best = candidates[static_cast<std::size_t>(winner)];
        if (candidate.score.worth == best.score.worth) candidate.verdict = Verdict::TiedWithEarlierColumn;
        if (!(candidate.score.worth > best.score.worth)) continue;
      }
      winner = i;
    }
    if (winner < 0) return winner;
    const double best = candidates[static_cast<std::size_t>(winner)].score.worth;
    for (auto& candidate : candidates) {
      if (candidate.verdict == Verdict::TiedWithEarlierColumn && candidate.score.worth < best) {
        candidate.verdict = Verdict::LowerScore;  // tied with one that was beaten later
      }
    }
    candidates[static_cast<std::size_t>(winner)].verdict = Verdict::Won;
    return winner;
  }
};

}  // namespace treewright
