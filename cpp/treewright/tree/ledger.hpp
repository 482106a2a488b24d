// The ledger: exactly the candidates that the ranking saw at every node, one row per column.
#pragma once

#include "treewright/recipe/candidate.hpp"  // for Candidate, Verdict
#include "treewright/recipe/limits.hpp"     // for Stop
#include "treewright/tree/question.hpp"     // for BranchOfCode, Cut, MostlyZeros

namespace treewright {

// What an engine records of a column's split while the rows are at hand.
struct Noted {
  Cut cut;                           // of a numeric column
  BranchOfCode branch_of_code;       // of a categorical one: of the categories present in the node
  double gain = 0;                   // as `Score::gain`
  double missing = 0;                // weight of the rows with a missing value
  std::int32_t missing_branch = -1;  // that these were scored with; -1: none
  std::vector<double> outcome;  // per branch: weight of every class, or weight and mean (or loss) of numbers

  void clear() {
    outcome.clear();
    *this = {.outcome = std::move(outcome)};  // keeps its memory
  }
};

// One cut of a column, if every cut is listed.
struct NotedCut {
  Candidate candidate;
  Noted noted;
};

struct NotedColumn {
  Noted best;
  std::vector<NotedCut> cuts;
};

// Where entries of the ledger begin: a row, the outcomes of its branches, its categories.
struct LedgerPlace {
  std::size_t row = 0, outcome = 0, code = 0;
};

// Rows as arrays; those of a node are contiguous, with columns rising. Until the tree is laid out, weights
// are in units of Weights::unit, and gains are per unit of the whole table's weight.
struct LedgerRows {
  std::vector<std::int32_t> column;
  std::vector<std::uint8_t> verdict;
  std::vector<double> gain, cut;  // NaN: none
  MostlyZeros<std::int64_t> cut_integer;
  MostlyZeros<double> missing;
  std::vector<std::int32_t> missing_branch;
  std::vector<double> worth;                        // only if it is not the gain
  std::vector<double> net_gain, split_information;  // only with Quinlan's ranking
  std::vector<std::int64_t> n_tries;                // only with Quinlan's ranking
  std::vector<double> outcome;
  std::vector<std::int32_t> n_outcomes;  // numbers in `outcome`, by row
  MostlyZeros<std::int32_t> n_codes;     // categories in `set_code`, by row
  std::vector<std::int32_t> set_code, set_branch;

  std::size_t size() const { return column.size(); }
  LedgerPlace end() const { return {size(), outcome.size(), set_code.size()}; }

  // What is kept beside the gain: a worth that is not the gain, and the figures of Quinlan's ranking.
  struct Kept {
    bool worth = false, information = false;
  };

  void add(std::int32_t column_given, const Candidate& candidate, const Noted& noted, const Kept& kept) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const bool has_figures = !noted.outcome.empty();
    column.push_back(column_given);
    verdict.push_back(static_cast<std::uint8_t>(candidate.verdict));
    gain.push_back(has_figures ? noted.gain : kNone);
    cut.push_back(noted.cut.number);
    cut_integer.push_back(noted.cut.integer);
    missing.push_back(noted.missing);
    missing_branch.push_back(noted.missing_branch);
    // A column without a gain has no ratio.
    const bool has_ratio = has_figures && candidate.verdict != Verdict::NoGain;
    if (kept.worth) worth.push_back(has_ratio ? candidate.score.worth : kNone);
    if (kept.information) {
      split_information.push_back(has_ratio ? candidate.information.split : kNone);
      net_gain.push_back(has_figures ? candidate.information.gain : kNone);
      n_tries.push_back(candidate.information.n_tries);
    }
    const auto& [codes, branches] = noted.branch_of_code;
    outcome.insert(outcome.end(), noted.outcome.begin(), noted.outcome.end());
    set_code.insert(set_code.end(), codes.begin(), codes.end());
    set_branch.insert(set_branch.end(), branches.begin(), branches.end());
    n_outcomes.push_back(static_cast<std::int32_t>(noted.outcome.size()));
    n_codes.push_back(static_cast<std::int32_t>(codes.size()));
  }

  // Call work(list, place) for every list (except MostlyZeros), with the LedgerPlace member that indexes it.
  template <class Work>
  static void for_lists(const Work& work) {
    using Rows = LedgerRows;
    const auto by = [&](auto place, auto... lists) { (work(lists, place), ...); };
    by(&LedgerPlace::row, &Rows::column, &Rows::verdict, &Rows::gain, &Rows::cut, &Rows::missing_branch,
       &Rows::worth, &Rows::net_gain, &Rows::split_information, &Rows::n_tries, &Rows::n_outcomes);
    by(&LedgerPlace::outcome, &Rows::outcome);
    by(&LedgerPlace::code, &Rows::set_code, &Rows::set_branch);
  }

  // Make room for all rows of others at once.
  template <class Others>
  void reserve(const Others& others) {
    for_lists([&](auto LedgerRows::* list, auto) {
      std::size_t n = 0;
      for (const auto& each : others) n += (each.ledger.*list).size();
      (this->*list).reserve(n);
    });
  }

  // Append the rows of others between two places: weights times `unit`, gains times `of_gains`. Of the
  // outcome numbers of a branch, one in `weights_every` is a weight (1: all are).
  void take(const LedgerRows& from, const LedgerPlace& begin, const LedgerPlace& end, double unit,
            double of_gains, std::size_t weights_every) {
    const auto had = this->end();
    for_lists([&](auto LedgerRows::* list, auto place) {
      const auto& others = from.*list;  // some lists are empty in every part
      if (!others.empty())
        (this->*list).insert((this->*list).end(), &others[0] + begin.*place, &others[0] + end.*place);
    });
    for (auto row = begin.row; row < end.row; ++row) {
      cut_integer.push_back(from.cut_integer[row]);
      missing.push_back(from.missing[row] * unit);
      n_codes.push_back(from.n_codes[row]);
    }
    for (auto i = had.row; i < gain.size(); ++i) gain[i] *= of_gains;
    for (auto i = had.outcome; i < outcome.size(); i += weights_every) outcome[i] *= unit;
  }
};

// The ledger of a node of a growing tree: its rows, and why it is a leaf.
struct LedgerEntry {
  LedgerPlace begin, end;
  double average = std::numeric_limits<double>::quiet_NaN();  // gain that a column had to reach
  Stop stop = Stop::None;
};

// The ledger of a tree: node i has the rows from row_begin[i] to row_begin[i + 1].
struct Ledger {
  LedgerRows rows;
  std::vector<std::int64_t> row_begin;
  std::vector<double> average;
  std::vector<std::int8_t> stop;  // `Stop`, by node
  std::size_t n_told = 0;         // numbers per branch in rows.outcome
};

}  // namespace treewright
