#include "treewright/explain/general_rule.hpp"

namespace treewright {
namespace {

struct Weights {
  double all = 0, wrong = 0;  // of all rows; of rows of other classes
};

struct Rates {
  double expected = 0, made = 0;
};

class Generalization {
 public:
  Generalization(const RuleRows& rows, std::span<const std::uint64_t> fails, std::int32_t answer,
                 double default_error)
      : rows_(rows),
        fails_(fails),
        answer_(answer),
        default_error_(default_error),
        fails_any_(rows.n_words()),
        fails_one_(rows.n_words()) {}

  GeneralRule run() {
    GeneralRule rule;
    rule.left.resize(fails_.size() / std::max<std::size_t>(1, rows_.n_words()));
    std::iota(rule.left.begin(), rule.left.end(), 0);
    count(rule.left);
    auto have = weigh([&](std::size_t word) { return ~fails_any_[word] & is_row(word); });
    while (!rule.left.empty()) {
      const auto now = rates(have);
      bool goes_on = false;
      Weights most;
      double least = std::numeric_limits<double>::infinity();
      auto best = rule.left.begin();
      for (auto at = best; at != rule.left.end(); ++at) {
        // Without this condition, rows that fail it alone meet the rule too.
        const auto* const fails = of(*at);
        const auto alone = weigh([&](std::size_t word) { return fails_one_[word] & fails[word]; });
        const Weights more{have.all + alone.all, have.wrong + alone.wrong};
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
    for (std::size_t word = 0; word < fails_any_.size(); ++word)
      rule.met.push_back(~fails_any_[word] & is_row(word));
    return rule;
  }

 private:
  const std::uint64_t* of(std::int32_t condition) const {
    return fails_.data() + static_cast<std::size_t>(condition) * rows_.n_words();
  }

  // The bits of a word that stand for rows.
  std::uint64_t is_row(std::size_t word) const {
    const auto n_bits = rows_.targets.size() - word * 64;
    return n_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_bits) - 1;
  }

  // Find the rows that fail any of the conditions, and those that fail one alone.
  void count(std::span<const std::int32_t> left) {
    heed_interrupts_after(left.size() * fails_any_.size());
    std::ranges::fill(fails_any_, 0);
    std::ranges::fill(fails_one_, 0);  // for now: those that fail several
    for (const auto condition : left) {
      const auto* const fails = of(condition);
      for (std::size_t word = 0; word < fails_any_.size(); ++word) {
        fails_one_[word] |= fails_any_[word] & fails[word];
        fails_any_[word] |= fails[word];
      }
    }
    for (std::size_t word = 0; word < fails_any_.size(); ++word)
      fails_one_[word] = fails_any_[word] & ~fails_one_[word] & is_row(word);
  }

  Weights weigh(const auto& bits_of) const {
    Weights sum;
    for (std::size_t word = 0; word < fails_any_.size(); ++word) {
      for (auto bits = bits_of(word); bits != 0; bits &= bits - 1) {
        const auto row = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        sum.all += rows_.weights[row];
        if (rows_.targets[row] != answer_) sum.wrong += rows_.weights[row];
      }
    }
    return sum;
  }

  // The error rate to expect of a rule that rows of these weights meet, and its actual rate among them.
  Rates rates(const Weights& weights) const {
    const auto [all, wrong] = weights;
    if (all == 0) return {default_error_, 0};
    return {std::min(1.0, (wrong + rows_.pessimism.extra(all, wrong)) / all), wrong / all};
  }

  const RuleRows& rows_;
  std::span<const std::uint64_t> fails_;
  std::int32_t answer_;
  double default_error_;
  RowBits fails_any_, fails_one_;  // of the conditions that are left
};

}  // namespace

GeneralRule general_rule(const RuleRows& rows, std::span<const std::uint64_t> fails, std::int32_t answer,
                         double default_error) {
  return Generalization(rows, fails, answer, default_error).run();
}

}  // namespace treewright
