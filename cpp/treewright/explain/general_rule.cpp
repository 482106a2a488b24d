#include "treewright/explain/general_rule.hpp"

namespace treewright {

GeneralRule general_rule(const RuleRows& rows, std::span<const std::uint64_t> fails, std::int32_t answer,
                         double default_error) {
  const auto n_words = rows.n_words();
  RowBits fails_any(n_words), fails_one(n_words);  // of the conditions that are left
  const auto of = [&](std::int32_t condition) {
    return fails.data() + static_cast<std::size_t>(condition) * n_words;
  };
  // The bits of a word that stand for rows.
  const auto is_row = [&](std::size_t word) {
    const auto n_bits = rows.targets.size() - word * 64;
    return n_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_bits) - 1;
  };
  // Find the rows that fail any of the conditions, and those that fail one alone.
  const auto count = [&](std::span<const std::int32_t> left) {
    heed_interrupts_after(left.size() * n_words);
    std::ranges::fill(fails_any, 0);
    std::ranges::fill(fails_one, 0);  // for now: those that fail several
    for (const auto condition : left) {
      for (std::size_t word = 0; word < n_words; ++word) {
        fails_one[word] |= fails_any[word] & of(condition)[word];
        fails_any[word] |= of(condition)[word];
      }
    }
    for (std::size_t word = 0; word < n_words; ++word)
      fails_one[word] = fails_any[word] & ~fails_one[word] & is_row(word);
  };
  // The weight of the rows whose bits are set, and of those among them that are of other classes.
  struct Weights {
    double all = 0, wrong = 0;
  };
  const auto add = [&](Weights sum, const auto& bits_of) {
    Weights more;
    for (std::size_t word = 0; word < n_words; ++word) {
      for (auto bits = bits_of(word); bits != 0; bits &= bits - 1) {
        const auto row = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        more.all += rows.weights[row];
        if (rows.targets[row] != answer) more.wrong += rows.weights[row];
      }
    }
    return Weights{sum.all + more.all, sum.wrong + more.wrong};
  };
  // The error rate to expect of a rule that rows of these weights meet, and its actual rate among them.
  struct Rates {
    double expected = 0, made = 0;
  };
  const auto rates = [&](const Weights& weights) -> Rates {
    const auto [all, wrong] = weights;
    if (all == 0) return {default_error, 0};
    return {std::min(1.0, (wrong + rows.pessimism.extra(all, wrong)) / all), wrong / all};
  };

  GeneralRule rule;
  rule.left.resize(fails.size() / std::max<std::size_t>(1, n_words));
  std::iota(rule.left.begin(), rule.left.end(), 0);
  count(rule.left);
  const auto met = [&](std::size_t word) { return ~fails_any[word] & is_row(word); };
  auto have = add({}, met);
  while (!rule.left.empty()) {
    const auto now = rates(have);
    bool goes_on = false;
    Weights most;
    double least = kInfinity;
    auto best = rule.left.begin();
    for (auto at = best; at != rule.left.end(); ++at) {
      // Without this condition, rows that fail it alone meet the rule too.
      const auto more = add(have, [&](std::size_t word) { return fails_one[word] & of(*at)[word]; });
      const auto without = rates(more);
      goes_on |= without.expected <= now.expected || without.made <= now.made;
      if (without.expected >= least) continue;
      least = without.expected;
      best = at;
      most = more;
    }
    if (!goes_on) break;
    rule.left.erase(best);
    have = most;
    count(rule.left);
  }
  rule.error = rates(have).expected;
  for (std::size_t word = 0; word < n_words; ++word) rule.met.push_back(met(word));
  return rule;
}

}  // namespace treewright
