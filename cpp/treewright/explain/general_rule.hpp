// The rule of a leaf made general: conditions go, that of least expected error first, while it does not grow.
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
  std::vector<std::int32_t> left;  // of the conditions, those that are left
  double error = 0;                // expected of it
  RowBits met;                     // rows that meet it
};

// `fails`: the rows that fail each condition, in turn. A rule that no row meets has the `default_error`.
GeneralRule general_rule(const RuleRows& rows, std::span<const std::uint64_t> fails, std::int32_t answer,
                         double default_error);

}  // namespace treewright
