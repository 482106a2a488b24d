#include "treewright/grower.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "treewright/criterion_registry.hpp"  // for CriterionEntry
#include "treewright/random.hpp"              // for path_of_child

namespace treewright {

Grower::Grower(const Recipe& recipe, Watch& watch)
    : recipe_(recipe),
      watch_(watch),
      frontier_(recipe.order),
      best_score_{recipe.tie},
      above_average_(recipe.quinlan, recipe.has_many_values) {
  closes_ = [this](const OpenNode& node) {
    const auto& other = recipe_.limits_once_unknown;
    return recipe_.limits.closes(node.facts, node.depth) && (!other || other->closes(node.facts, node.depth));
  };
}

void Grower::grow(Engine& engine, OpenNode start, Sprout& sprout) {
  std::int64_t n_leaves = 1;
  frontier_.clear();
  small_.clear();
  place(engine, start, sprout);
  while (!frontier_.empty() && (recipe_.limits.max_leaves < 0 || n_leaves < recipe_.limits.max_leaves)) {
    auto node = frontier_.pop();
    if (const auto why = recipe_.limits_once_unknown ? look_in_turn(engine, node, sprout) : Stop::None;
        why != Stop::None) {
      close(engine, node, sprout, why);
      continue;
    }
    open(engine, node, sprout);
    n_leaves += static_cast<std::int64_t>(children_.size()) - 1;
    if (recipe_.limits_once_unknown) std::reverse(children_.begin(), children_.end());  // the first is next
    for (auto& child : children_) place(engine, child, sprout);
    if (++n_opened_ % 64 == 0) report();
  }
  watch_.add(engine.take_work());
  for (const auto& node : frontier_.nodes()) close(engine, node, sprout, Stop::LeavesSpent);
  if (!small_.empty()) engine.finish(small_, sprout);
}

// A node is closed at once, set aside to be finished in one place, or opened when its turn comes. Where its
// limits hang on the nodes before it, it is looked at then.
void Grower::place(Engine& engine, OpenNode& node, Sprout& sprout) {
  if (recipe_.is_monotone()) sprout.bind(node.id, node.bounds);
  if (closes_(node)) {
    close(engine, node, sprout, recipe_.limits.why_closed(node.facts, node.depth));
  } else if (recipe_.limits.max_leaves < 0 && engine.finishes(node)) {
    small_.push_back(node);
  } else if (recipe_.limits_once_unknown) {
    frontier_.push(std::move(node));
  } else if (const auto why = evaluate(engine, node, sprout); why == Stop::None) {
    frontier_.push(std::move(node));
  } else {
    close(engine, node, sprout, why);
  }
}

Stop Grower::look_in_turn(Engine& engine, OpenNode& node, Sprout& sprout) {
  const auto& limits = had_unknown_ ? *recipe_.limits_once_unknown : recipe_.limits;
  const auto why = limits.why_closed(node.facts, node.depth);
  if (why != Stop::None) return why;
  node.unknown_from = had_unknown_ ? 0 : engine.first_unknown(node);
  had_unknown_ = node.unknown_from < engine.n_columns();
  return evaluate(engine, node, sprout);
}

Stop Grower::evaluate(Engine& engine, OpenNode& node, Sprout& sprout) {
  candidates_.resize(engine.n_columns());
  engine.propose(node, candidates_);
  double average = std::numeric_limits<double>::quiet_NaN();
  node.column = recipe_.ranking == Ranking::BestScore ? best_score_.pick(candidates_)
                                                      : above_average_.pick(candidates_, average);
  if (recipe_.keeps_ledger && recipe_.ranking == Ranking::BestScore)
    best_score_.tell(candidates_, node.column);
  if (recipe_.keeps_ledger) write_down(engine, node, average, sprout);
  if (node.column < 0) return Stop::NoQuestion;
  node.winner = candidates_[static_cast<std::size_t>(node.column)];
  return recipe_.limits.allows_gain(node.winner.score.gain) ? Stop::None : Stop::TooLittleGain;
}

void Grower::write_down(Engine& engine, const OpenNode& node, double average, Sprout& sprout) const {
  const LedgerRows::Kept kept{.worth = recipe_.criterion->is_ratio,
                              .information = recipe_.ranking == Ranking::AboveAverageGain};
  sprout.nodes[static_cast<std::size_t>(node.id)].entry = static_cast<std::int32_t>(sprout.entries.size());
  sprout.entries.push_back({.begin = sprout.ledger.end(), .average = average});
  const auto noted = engine.noted();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const auto column = static_cast<std::int32_t>(i);
    if (noted[i].cuts.empty()) sprout.ledger.add(column, candidates_[i], noted[i].best, kept);
    for (const auto& cut : noted[i].cuts) {
      const bool is_best = candidates_[i].is_same_cut(cut.candidate);
      sprout.ledger.add(column, is_best ? candidates_[i] : cut.candidate, is_best ? noted[i].best : cut.noted,
                        kept);
    }
  }
}

void Grower::open(Engine& engine, const OpenNode& node, Sprout& sprout) {
  auto question = engine.question_of(node);
  const bool keeps_rows = question.lets_rows_stop() && node.winner.n_missing > 0;
  if (engine.settles_inner() || keeps_rows) settle(engine, node, sprout);
  children_.clear();
  for (std::int32_t branch = 0; branch < question.n_branches; ++branch) {
    children_.push_back(
        {.depth = node.depth + 1, .path = path_of_child(node.path, static_cast<std::uint64_t>(branch))});
  }
  if (recipe_.is_monotone()) hand_on_bounds(engine, node);
  engine.route(node, question, children_, closes_);
  const auto first = static_cast<std::int32_t>(sprout.nodes.size());
  for (auto& child : children_) child.id = sprout.add(child.facts.rows, child.facts.weight);
  if (keeps_rows) {
    rows_settled_ += node.facts.rows;
    for (const auto& child : children_) rows_settled_ -= child.facts.rows;
  }
  auto& opened = sprout.nodes[static_cast<std::size_t>(node.id)];
  opened.split = static_cast<std::int32_t>(sprout.splits.size());
  opened.first_child = first;
  opened.n_children = question.n_branches;
  auto& split = sprout.splits.emplace_back();
  split.column = node.column;
  split.cut = question.cut;
  split.gain = node.winner.score.gain;
  split.worth = node.winner.score.worth;
  split.net_gain = node.winner.information.gain;
  split.missing_branch = question.missing_branch;
  split.search = question.search;
  if (question.is_set()) {
    split.set = static_cast<std::int32_t>(sprout.sets.size());
    sprout.sets.push_back(std::move(question.branch_of_code));
  }
  split.first_surrogate = static_cast<std::int32_t>(sprout.surrogates.size());
  split.n_surrogates = static_cast<std::int32_t>(question.surrogates.size());
  for (auto& surrogate : question.surrogates) sprout.surrogates.push_back(std::move(surrogate));
}

// Where rows without a value have a branch of their own, it may answer whatever its parent may.
void Grower::hand_on_bounds(Engine& engine, const OpenNode& node) {
  for (auto& child : children_) child.bounds = node.bounds;
  const auto direction = recipe_.direction(static_cast<std::size_t>(node.column));
  if (direction == 0 || !node.parts_known_values()) return;
  const double middle = node.bounds.clip(engine.middle(node));
  children_[direction > 0 ? 0 : 1].bounds.high = middle;
  children_[direction > 0 ? 1 : 0].bounds.low = middle;
}

void Grower::close(Engine& engine, const OpenNode& node, Sprout& sprout, Stop why) {
  sprout.nodes[static_cast<std::size_t>(node.id)].stop = why;
  settle(engine, node, sprout);
  rows_settled_ += node.facts.rows;
}

void Grower::settle(Engine& engine, const OpenNode& node, Sprout& sprout) {
  sprout.nodes[static_cast<std::size_t>(node.id)].settled = sprout.leaves.size();
  engine.settle(node, sprout.leaves);
}

void Grower::report() {
  watch_.rows_settled.fetch_add(std::exchange(rows_settled_, 0), std::memory_order_relaxed);
  if (watch_.look && std::this_thread::get_id() == watch_.caller) watch_.look();
}

}  // namespace treewright
