#include "treewright/engine/grower.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "treewright/criteria/registry.hpp"  // for CriterionEntry
#include "treewright/interrupt.hpp"          // for heed_interrupts
#include "treewright/recipe/random.hpp"      // for path_of_child

namespace treewright {

Grower::Grower(const Recipe& recipe, Progress& watch)
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

void Grower::grow(Engine& engine, OpenNode start, GrowingTree& growing) {
  std::int64_t n_leaves = 1;
  frontier_.clear();
  small_.clear();
  place(engine, {&start, 1}, growing);
  while (!frontier_.empty() && (recipe_.limits.max_leaves < 0 || n_leaves < recipe_.limits.max_leaves)) {
    take_batch(engine, growing);
    if (batch_.empty()) continue;
    open(engine, growing);
    n_leaves += static_cast<std::int64_t>(children_.size()) - static_cast<std::int64_t>(batch_.size());
    if (recipe_.limits_once_unknown) std::reverse(children_.begin(), children_.end());  // the first is next
    place(engine, children_, growing);
    heed_interrupts_after(children_.size());  // they may be many, and all leaves
  }
  watch_.add(engine.take_work());
  for (const auto& node : frontier_.nodes()) close(engine, node, growing, Stop::LeavesSpent);
  if (!small_.empty()) engine.finish(small_, growing);
}

// As many nodes as the engine wants at once. Where the order of nodes decides, as with a limit on leaves, the
// next one only.
void Grower::take_batch(Engine& engine, GrowingTree& growing) {
  const bool in_turn = recipe_.limits_once_unknown.has_value();
  const auto most = recipe_.limits.max_leaves >= 0 || in_turn ? 1 : engine.batch();
  batch_.clear();
  while (!frontier_.empty() && batch_.size() < most) {
    auto node = frontier_.pop();
    const auto why = in_turn ? look_in_turn(engine, node, growing) : Stop::None;
    if (why == Stop::None) {
      batch_.push_back(std::move(node));
    } else {
      close(engine, node, growing, why);
    }
  }
}

// A node is closed at once, set aside to be finished in one place, or opened when its turn comes. Where its
// limits hang on the nodes before it, it is looked at then.
void Grower::place(Engine& engine, std::span<OpenNode> nodes, GrowingTree& growing) {
  to_evaluate_.clear();
  for (auto& node : nodes) {
    if (recipe_.is_monotone()) growing.bind(node.id, node.bounds);
    if (closes_(node)) {
      close(engine, node, growing, recipe_.limits.why_closed(node.facts, node.depth));
    } else if (recipe_.limits.max_leaves < 0 && engine.finishes(node)) {
      small_.push_back(node);
    } else if (recipe_.limits_once_unknown) {
      frontier_.push(std::move(node));
    } else if (engine.batch() == 1) {
      evaluate(engine, {&node, 1}, growing);
    } else {
      to_evaluate_.push_back(std::move(node));
    }
  }
  evaluate(engine, to_evaluate_, growing);
}

void Grower::evaluate(Engine& engine, std::span<OpenNode> nodes, GrowingTree& growing) {
  if (nodes.empty()) return;
  if (proposals_.size() < nodes.size()) proposals_.resize(nodes.size());
  engine.propose(nodes, std::span(proposals_).first(nodes.size()));
  report(nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto why = choose(nodes[i], proposals_[i], growing);
    if (why == Stop::None) {
      frontier_.push(std::move(nodes[i]));
    } else {
      close(engine, nodes[i], growing, why);
    }
  }
}

Stop Grower::look_in_turn(Engine& engine, OpenNode& node, GrowingTree& growing) {
  const auto& limits = had_unknown_ ? *recipe_.limits_once_unknown : recipe_.limits;
  const auto why = limits.why_closed(node.facts, node.depth);
  if (why != Stop::None) return why;
  node.is_after_unknown = had_unknown_;
  proposals_.resize(1);
  engine.propose({&node, 1}, proposals_);
  report({&node, 1});
  had_unknown_ |= proposals_[0].meets_unknown;
  return choose(node, proposals_[0], growing);
}

// Let the ranking pick a column.
Stop Grower::choose(OpenNode& node, Proposal& proposal, GrowingTree& growing) {
  auto& candidates = proposal.candidates;
  double average = std::numeric_limits<double>::quiet_NaN();
  node.column = recipe_.ranking == Ranking::BestScore ? best_score_.pick(candidates)
                                                      : above_average_.pick(candidates, average);
  if (recipe_.keeps_ledger && recipe_.ranking == Ranking::BestScore)
    best_score_.tell(candidates, node.column);
  if (recipe_.keeps_ledger) write_down(node, proposal, average, growing);
  if (node.column < 0) return Stop::NoQuestion;
  node.winner = candidates[static_cast<std::size_t>(node.column)];
  return recipe_.limits.allows_gain(node.winner.score.gain) ? Stop::None : Stop::TooLittleGain;
}

void Grower::write_down(const OpenNode& node, const Proposal& proposal, double average,
                        GrowingTree& growing) const {
  const LedgerRows::Kept kept{.worth = recipe_.criterion->is_ratio,
                              .information = recipe_.ranking == Ranking::AboveAverageGain};
  growing.nodes[static_cast<std::size_t>(node.id)].entry = static_cast<std::int32_t>(growing.entries.size());
  growing.entries.push_back({.begin = growing.ledger.end(), .average = average});
  const auto& [candidates, noted, _] = proposal;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto column = static_cast<std::int32_t>(i);
    if (noted[i].cuts.empty()) growing.ledger.add(column, candidates[i], noted[i].best, kept);
    for (const auto& cut : noted[i].cuts) {
      const bool is_best = candidates[i].is_same_cut(cut.candidate);
      growing.ledger.add(column, is_best ? candidates[i] : cut.candidate, is_best ? noted[i].best : cut.noted,
                         kept);
    }
  }
}

// Split the nodes of the batch: their children stand one family after the other.
void Grower::open(Engine& engine, GrowingTree& growing) {
  if (questions_.size() < batch_.size()) questions_.resize(batch_.size());
  const std::span questions(questions_.data(), batch_.size());
  engine.ask(batch_, questions);
  children_.clear();
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const auto& node = batch_[i];
    if (engine.settles_inner() || (questions[i].lets_rows_stop() && node.winner.n_missing > 0))
      settle(engine, node, growing);
    for (std::int32_t branch = 0; branch < questions[i].n_branches; ++branch) {
      children_.push_back(
          {.depth = node.depth + 1, .path = path_of_child(node.path, static_cast<std::uint64_t>(branch))});
    }
  }
  families_.clear();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const auto n = static_cast<std::size_t>(questions[i].n_branches);
    families_.push_back(std::span(children_).subspan(begin, n));
    begin += n;
    if (recipe_.is_monotone()) bind_children(batch_[i], questions[i], families_[i]);
  }
  engine.route(batch_, questions, families_, closes_);
  for (std::size_t i = 0; i < batch_.size(); ++i) write_split(batch_[i], questions[i], families_[i], growing);
}

void Grower::write_split(const OpenNode& node, Question& question, std::span<OpenNode> children,
                         GrowingTree& growing) {
  const auto first = static_cast<std::int32_t>(growing.nodes.size());
  for (auto& child : children) child.id = growing.add(child.facts.rows, child.facts.weight);
  if (question.lets_rows_stop() && node.winner.n_missing > 0) {
    rows_settled_ += node.facts.rows;
    for (const auto& child : children) rows_settled_ -= child.facts.rows;
  }
  auto& opened = growing.nodes[static_cast<std::size_t>(node.id)];
  opened.split = static_cast<std::int32_t>(growing.splits.size());
  opened.first_child = first;
  opened.n_children = question.n_branches;
  auto& split = growing.splits.emplace_back();
  split.column = node.column;
  split.cut = question.cut;
  split.gain = node.winner.score.gain;
  split.worth = node.winner.score.worth;
  split.net_gain = node.winner.information.gain;
  split.missing_branch = question.missing_branch;
  split.search = question.search;
  if (question.is_set()) {
    split.set = static_cast<std::int32_t>(growing.sets.size());
    growing.sets.push_back(std::move(question.branch_of_code));
  }
  split.first_surrogate = static_cast<std::int32_t>(growing.surrogates.size());
  split.n_surrogates = static_cast<std::int32_t>(question.surrogates.size());
  for (auto& surrogate : question.surrogates) growing.surrogates.push_back(std::move(surrogate));
}

// Where rows without a value have a branch of their own, it may answer whatever its parent may.
void Grower::bind_children(const OpenNode& node, const Question& question,
                           std::span<OpenNode> children) const {
  for (auto& child : children) child.bounds = node.bounds;
  const auto direction = recipe_.direction(static_cast<std::size_t>(node.column));
  if (direction == 0 || !node.parts_known_values()) return;
  const double middle = node.bounds.clip(question.middle);
  children[direction > 0 ? 0 : 1].bounds.high = middle;
  children[direction > 0 ? 1 : 0].bounds.low = middle;
}

void Grower::close(Engine& engine, const OpenNode& node, GrowingTree& growing, Stop why) {
  growing.nodes[static_cast<std::size_t>(node.id)].stop = why;
  settle(engine, node, growing);
  rows_settled_ += node.facts.rows;
}

void Grower::settle(Engine& engine, const OpenNode& node, GrowingTree& growing) {
  growing.nodes[static_cast<std::size_t>(node.id)].settled = growing.leaves.size();
  engine.settle({&node, 1}, growing.leaves);
}

// Tell the watch how far we are, and look for interrupts, once enough has been looked into.
void Grower::report(std::span<const OpenNode> nodes) {
  constexpr std::size_t kOfNode = 1024;  // what a node costs beside its entries, in entries
  for (const auto& node : nodes)
    n_looked_into_ += kOfNode + static_cast<std::size_t>(node.facts.rows) * proposals_[0].candidates.size();
  if (n_looked_into_ < 64 * kOfNode) return;
  n_looked_into_ = 0;
  watch_.rows_settled.fetch_add(std::exchange(rows_settled_, 0), std::memory_order_relaxed);
  heed_interrupts();
}

}  // namespace treewright
