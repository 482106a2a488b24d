// Makes the rule of a leaf more general: drops the condition that leaves the least error until that grows.
#pragma once

#include "treewright/prune/prune.hpp"  // for Pessimism

namespace treewright {

// Rows as bits: row 64 i + j is bit j of word i.
using RowBits = std::vector<std::uint64_t>;

// Rows of a table, and the errors to expect among them.
struct RuleRows {
  std::span<const std::int32_t> targets;
  std::span<const double> weights;
  Pessimism pessimism;

  std::size_t n_words() const { return (targets.size() + 63) / 64; }
};

struct GeneralRule {
  std::vector<std::int32_t> left;  // the conditions that are left
  double error = 0;                // expected of the rule
  RowBits met;                     // rows that meet it
};

// `fails`: the rows that fail each condition, in turn. A rule that no row meets has the `default_error`.
GeneralRule general_rule(const RuleRows& rows, std::span<const std::uint64_t> fails, std::int32_t answer,
                         double default_error);

}  // namespace treewright
