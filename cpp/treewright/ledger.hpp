// What was considered at every node: a row a column, exactly the candidates the ranking saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "treewright/candidate.hpp"  // for Candidate, Verdict
#include "treewright/question.hpp"   // for BranchOfCode, Cut

namespace treewright {

// What an engine notes of a column's question while the rows are at hand.
struct Noted {
  Cut cut;                           // of numbers
  BranchOfCode branch_of_code;       // of categories: of those that a row here has
  double gain = 0;                   // as `Score::gain`
  double missing = 0;                // weight of the rows without a value
  std::int32_t missing_branch = -1;  // which they were scored with; -1: with none
  std::vector<double> outcome;  // of each branch: weight of every class; weight and mean (or loss) of numbers

  void clear() {
    cut = {};
    branch_of_code.code.clear();
    branch_of_code.branch.clear();
    gain = missing = 0;
    missing_branch = -1;
    outcome.clear();
  }
};

// One cut of a column, where every one is listed.
struct NotedCut {
  Candidate candidate;
  Noted noted;
};

struct NotedColumn {
  Noted best;
  std::vector<NotedCut> cuts;
};

// Rows side by side, those of a node in one piece, columns rising. Weights are in units of Weights::unit and
// gains shares of the whole table's until the tree is laid out.
struct LedgerRows {
  std::vector<std::int32_t> column;
  std::vector<std::uint8_t> verdict;
  std::vector<double> gain, cut, missing;  // NaN: there is none
  std::vector<std::int64_t> cut_integer;
  std::vector<std::int32_t> missing_branch;
  std::vector<double> worth;                        // only of gain ratios
  std::vector<double> net_gain, split_information;  // only of Quinlan's ranking
  std::vector<std::int64_t> n_tries;                // the same
  std::vector<std::int64_t> outcome_begin{0}, set_begin{0};
  std::vector<double> outcome;
  std::vector<std::int32_t> set_code, set_branch;

  std::int64_t size() const { return static_cast<std::int64_t>(column.size()); }

  // What candidates have beside a gain: a worth that is no gain, and what Quinlan's ranking asks.
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
    // A column that gains nothing has not been given a ratio.
    const bool has_ratio = has_figures && candidate.verdict != Verdict::NoGain;
    if (kept.worth) worth.push_back(has_ratio ? candidate.score.worth : kNone);
    if (kept.information) {
      split_information.push_back(has_ratio ? candidate.information.split : kNone);
      net_gain.push_back(has_figures ? candidate.information.gain : kNone);
      n_tries.push_back(candidate.information.n_tries);
    }
    append(outcome, noted.outcome);
    append(set_code, noted.branch_of_code.code);
    append(set_branch, noted.branch_of_code.branch);
    outcome_begin.push_back(static_cast<std::int64_t>(outcome.size()));
    set_begin.push_back(static_cast<std::int64_t>(set_code.size()));
  }

  // Make room for all rows of others at once.
  template <class Others>
  void reserve(const Others& others) {
    const auto room = [&](auto LedgerRows::* values) {
      std::size_t n = (this->*values).size();
      for (const auto& each : others) n += (each.ledger.*values).size();
      (this->*values).reserve(n);
    };
    for (auto values : {&LedgerRows::gain, &LedgerRows::cut, &LedgerRows::missing, &LedgerRows::worth,
                        &LedgerRows::net_gain, &LedgerRows::split_information, &LedgerRows::outcome})
      room(values);
    for (auto values :
         {&LedgerRows::column, &LedgerRows::missing_branch, &LedgerRows::set_code, &LedgerRows::set_branch})
      room(values);
    for (auto values :
         {&LedgerRows::cut_integer, &LedgerRows::n_tries, &LedgerRows::outcome_begin, &LedgerRows::set_begin})
      room(values);
    room(&LedgerRows::verdict);
  }

  // Append rows [begin, end) of others: weights times `unit`, gains times `of_gains`. Of the numbers that a
  // branch has, one in `weights_every` is a weight (1: all are).
  void take(const LedgerRows& from, std::int64_t begin, std::int64_t end, double unit, double of_gains,
            std::size_t weights_every) {
    const auto copy = [&](auto& into, const auto& values) {
      if (!values.empty()) into.insert(into.end(), values.begin() + begin, values.begin() + end);
    };
    const auto scaled = [&](auto& into, const auto& values, std::int64_t first, std::int64_t last,
                            double factor, std::size_t every) {
      const auto had = into.size();
      into.insert(into.end(), values.begin() + first, values.begin() + last);
      for (auto i = had; i < into.size(); i += every) into[i] *= factor;
    };
    const auto parts = [&](auto& into_begin, const auto& from_begin, std::size_t had) {
      const auto shift = static_cast<std::int64_t>(had) - from_begin[static_cast<std::size_t>(begin)];
      for (auto i = begin; i < end; ++i)
        into_begin.push_back(from_begin[static_cast<std::size_t>(i + 1)] + shift);
    };
    const auto at = [](const auto& values, std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
    copy(column, from.column);
    copy(verdict, from.verdict);
    scaled(gain, from.gain, begin, end, of_gains, 1);
    copy(cut, from.cut);
    copy(cut_integer, from.cut_integer);
    scaled(missing, from.missing, begin, end, unit, 1);
    copy(missing_branch, from.missing_branch);
    copy(worth, from.worth);
    copy(net_gain, from.net_gain);
    copy(split_information, from.split_information);
    copy(n_tries, from.n_tries);
    parts(outcome_begin, from.outcome_begin, outcome.size());
    scaled(outcome, from.outcome, at(from.outcome_begin, begin), at(from.outcome_begin, end), unit,
           weights_every);
    parts(set_begin, from.set_begin, set_code.size());
    const auto first = at(from.set_begin, begin), last = at(from.set_begin, end);
    set_code.insert(set_code.end(), from.set_code.begin() + first, from.set_code.begin() + last);
    set_branch.insert(set_branch.end(), from.set_branch.begin() + first, from.set_branch.begin() + last);
  }

 private:
  template <class Value>
  static void append(std::vector<Value>& into, const std::vector<Value>& values) {
    into.insert(into.end(), values.begin(), values.end());
  }
};

// The rows of one node of a sprout.
struct LedgerEntry {
  std::int64_t begin = 0, end = 0;
  double average = std::numeric_limits<double>::quiet_NaN();  // gain that a column had to reach
};

// Of a tree: the rows of node i are those from row_begin[i] to the next.
struct Ledger {
  LedgerRows rows;
  std::vector<std::int64_t> row_begin;
  std::vector<double> average;
  std::vector<std::int8_t> stop;  // `Stop`, by node
  std::size_t n_told = 0;         // numbers a branch in rows.outcome
};

}  // namespace treewright
