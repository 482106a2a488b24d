// A tree and its ledger as NumPy arrays, by name.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "arrays.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright::bindings {

inline void put_questions(nb::dict& out, const std::string& prefix, QuestionArrays questions) {
  const auto put = [&](const char* name, auto&& values) {
    out[(prefix + name).c_str()] = to_numpy(std::move(values));
  };
  put("column", std::move(questions.column));
  put("cut", std::move(questions.cut));
  put("cut_integer", std::move(questions.cut_integer));
  put("set_begin", std::move(questions.set_begin));
  put("set_code", std::move(questions.set_code));
  put("set_branch", std::move(questions.set_branch));
}

// Where each of several runs begins, and where the last one ends, in units of `step`.
template <class Lengths>
MostlyZeros<std::int64_t> begins_of(const Lengths& lengths, std::int64_t step) {
  MostlyZeros<std::int64_t> begins;
  std::int64_t at = 0;
  begins.push_back(0);
  for (std::size_t i = 0; i < lengths.size(); ++i) begins.push_back(at += lengths[i] / step);
  return begins;
}

inline nb::dict ledger_of(Ledger ledger) {
  nb::dict out;
  const auto put = [&](const char* name, auto& values) { out[name] = to_numpy(std::move(values)); };
  auto& rows = ledger.rows;
  put("row_begin", ledger.row_begin);
  put("average", ledger.average);
  put("stop", ledger.stop);
  put("column", rows.column);
  put("verdict", rows.verdict);
  put("gain", rows.gain);
  put("cut", rows.cut);
  put("cut_integer", rows.cut_integer);
  put("missing", rows.missing);
  put("missing_branch", rows.missing_branch);
  put("worth", rows.worth);
  put("net_gain", rows.net_gain);
  put("split_information", rows.split_information);
  put("n_tries", rows.n_tries);
  auto branch_begin = begins_of(rows.n_outcomes, static_cast<std::int64_t>(ledger.n_told));
  put("branch_begin", branch_begin);
  const auto n_branches = rows.outcome.size() / ledger.n_told;
  out["outcome"] = to_numpy(std::move(rows.outcome), {n_branches, ledger.n_told});
  auto set_begin = begins_of(rows.n_codes, 1);
  put("set_begin", set_begin);
  put("set_code", rows.set_code);
  put("set_branch", rows.set_branch);
  return out;
}

inline nb::dict arrays_of(Tree tree, bool with_ledger) {
  nb::dict out;
  const auto n_nodes = tree.question.column.size();
  put_questions(out, "", std::move(tree.question));
  out["child_begin"] = to_numpy(std::move(tree.child_begin));
  out["child"] = to_numpy(std::move(tree.child));
  out["search"] = to_numpy(std::move(tree.search));
  out["missing_branch"] = to_numpy(std::move(tree.missing_branch));
  out["n_rows"] = to_numpy(std::move(tree.n_rows));
  out["weight"] = to_numpy(std::move(tree.weight));
  out["value"] = to_numpy(std::move(tree.value), {n_nodes, tree.n_values});
  out["impurity"] = to_numpy(std::move(tree.impurity));
  out["gain"] = to_numpy(std::move(tree.gain));
  if (!tree.net_gain.empty()) {  // only with Quinlan's ranking
    out["net_gain"] = to_numpy(std::move(tree.net_gain));
    out["ratio"] = to_numpy(std::move(tree.worth));
  }
  if (!tree.surrogate.column.empty()) {
    out["surrogate_begin"] = to_numpy(std::move(tree.surrogate_begin));
    put_questions(out, "surrogate_", std::move(tree.surrogate));
    out["surrogate_low_branch"] = to_numpy(std::move(tree.surrogate_low_branch));
    out["surrogate_agree"] = to_numpy(std::move(tree.surrogate_agree));
    out["surrogate_adjusted"] = to_numpy(std::move(tree.surrogate_adjusted));
    out["surrogate_n_placed"] = to_numpy(std::move(tree.surrogate_n_placed));
  }
  if (!tree.ends.empty()) out["ends"] = to_numpy(std::move(tree.ends));
  if (with_ledger) out["ledger"] = ledger_of(std::move(tree.ledger));
  return out;
}

}  // namespace treewright::bindings
