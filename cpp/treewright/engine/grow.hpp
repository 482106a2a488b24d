// One growth in this process, from the table to the flat tree, and its loop, the only one: whole trees, parts
// grown by a thread and small remainders all go through it.
#pragma once

#include "treewright/criteria/registry.hpp"  // for CriterionEntry
#include "treewright/engine/engine.hpp"      // for Engine, OpenNode, Progress
#include "treewright/search/target.hpp"      // for Target, Scan, Recipe
#include "treewright/table/table.hpp"        // for Table, Pool

namespace treewright {

// Grow one tree. The lists of the table are used up.
Tree grow_tree(Table& table, const Target& target, const Recipe& recipe, Pool& pool, Progress& watch);

// What the parts of one growth share.
struct Growth {
  Table& table;
  const Target& target;
  const Recipe& recipe;
  Pool& pool;
  Progress& watch;
  bool is_fractional = false;  // rows without a value go down every branch

  // Whether every split has two branches, with all rows of its node.
  bool splits_in_two() const { return recipe.categories != Categories::Multiway && !table.has_gaps(); }

  // Grow from an engine's root. Returns the trunk and the subtrees that threads grew.
  std::vector<GrowingTree> grow(Engine& engine) const;
};

class Grower {
 public:
  Grower(const Recipe& recipe, Progress& watch)
      : recipe_(recipe),
        watch_(watch),
        best_score_{recipe.tie},
        above_average_(recipe.quinlan, recipe.has_many_values) {}

  // Grow `start`, a node of the growing tree, down to its leaves.
  void grow(Engine& engine, OpenNode start, GrowingTree& growing) {
    engine_ = &engine;
    growing_ = &growing;
    std::int64_t n_leaves = 1;
    waiting_.clear();
    small_.clear();
    place({&start, 1});
    while (!waiting_.empty() && (recipe_.limits.max_leaves < 0 || n_leaves < recipe_.limits.max_leaves)) {
      take_batch();
      if (batch_.empty()) continue;
      open_batch();
      n_leaves += static_cast<std::int64_t>(children_.size()) - static_cast<std::int64_t>(batch_.size());
      if (engine.takes_turns()) std::reverse(children_.begin(), children_.end());  // the first child is next
      place(children_);
      heed_interrupts_after(children_.size());  // they may be many, all of them leaves
    }
    watch_.add(engine.take_work());
    for (const auto& node : waiting_) close(node, Stop::LeavesSpent);
    if (!small_.empty()) engine.finish(small_, growing);
  }

 private:
  // The order of the heap. Best first: by gain; of equal gains, and breadth first, the node opened first.
  auto comes_later() const {
    return [order = recipe_.order](const OpenNode& a, const OpenNode& b) {
      const double gain = a.winner.score.gain, other = b.winner.score.gain;
      return order == Order::Best && gain != other ? gain < other : a.id > b.id;
    };
  }

  void push(OpenNode&& node) {
    waiting_.push_back(std::move(node));
    if (recipe_.order != Order::Depth) std::ranges::push_heap(waiting_, comes_later());
  }

  // A node is closed at once, set aside to be finished in one place, or waits to be split.
  void place(std::span<OpenNode> nodes) {
    std::size_t n_open = 0;
    for (auto& node : nodes) {
      if (recipe_.is_monotone()) growing_->of_node(node.id, growing_->bounds) = node.bounds;
      if (const auto why = recipe_.why_closed(node.facts, node.depth); why != Stop::None) {
        close(node, why);
      } else if (recipe_.limits.max_leaves < 0 && engine_->finishes(node)) {
        small_.push_back(node);
      } else if (engine_->takes_turns()) {
        push(std::move(node));
      } else if (auto& open = nodes[n_open++]; &open != &node) {
        open = std::move(node);
      }
    }
    propose(nodes.first(n_open), nullptr);
  }

  // As many nodes as the engine prefers; if their order affects the tree, as by max_leaves, the next one.
  void take_batch() {
    const auto most = recipe_.limits.max_leaves >= 0 || engine_->takes_turns() ? 1 : engine_->batch();
    batch_.clear();
    while (!waiting_.empty() && batch_.size() < most) {
      if (recipe_.order != Order::Depth) std::ranges::pop_heap(waiting_, comes_later());
      auto node = std::move(waiting_.back());
      waiting_.pop_back();
      if (engine_->takes_turns()) {
        propose({&node, 1}, &batch_);
      } else {
        batch_.push_back(std::move(node));
      }
    }
  }

  // Let the columns of nodes compete. Nodes that can be split go to the batch, or wait for their turn.
  void propose(std::span<OpenNode> nodes, std::vector<OpenNode>* batch) {
    for (std::size_t n = 0; !nodes.empty(); nodes = nodes.subspan(n)) {
      n = std::min(engine_->batch(), nodes.size());
      if (proposals_.size() < n) proposals_.resize(n);
      engine_->propose(nodes.first(n), std::span(proposals_).first(n));
      // Report the progress and check for interrupts, once enough entries were searched.
      constexpr std::size_t kOfNode = 1024;  // cost of a node beside its entries, in entries
      for (const auto& node : nodes.first(n))
        n_looked_into_ += kOfNode + static_cast<std::size_t>(node.facts.rows) * engine_->n_columns();
      if (n_looked_into_ >= 64 * kOfNode) {
        n_looked_into_ = 0;
        watch_.rows_settled.fetch_add(std::exchange(rows_settled_, 0), std::memory_order_relaxed);
        heed_interrupts();
      }
      for (std::size_t i = 0; i < n; ++i) {
        if (const auto why = choose(nodes[i], proposals_[i]); why != Stop::None) {
          close(nodes[i], why);
        } else if (batch != nullptr) {
          batch->push_back(std::move(nodes[i]));
        } else {
          push(std::move(nodes[i]));
        }
      }
    }
  }

  // Let the ranking pick a column; returns why the node is a leaf, if it is.
  Stop choose(OpenNode& node, Proposal& proposal) {
    if (proposal.stop != Stop::None) return proposal.stop;
    auto& candidates = proposal.candidates;
    const bool by_score = recipe_.ranking == Ranking::BestScore;
    double average = std::numeric_limits<double>::quiet_NaN();
    const auto winner = by_score ? best_score_.pick(candidates) : above_average_.pick(candidates, average);
    if (recipe_.keeps_ledger) {
      if (by_score) best_score_.tell(candidates, winner);
      write_down(node, proposal, average);
    }
    if (winner < 0) return Stop::NoQuestion;
    node.winner = candidates[static_cast<std::size_t>(winner)];
    return recipe_.limits.allows_gain(node.winner.score.gain) ? Stop::None : Stop::TooLittleGain;
  }

  void write_down(const OpenNode& node, const Proposal& proposal, double average) {
    auto& ledger = growing_->ledger;
    const LedgerRows::Kept kept{.worth = recipe_.criterion->is_ratio,
                                .information = recipe_.ranking == Ranking::AboveAverageGain};
    auto& entry = growing_->of_node(node.id, growing_->entries);
    entry.begin = ledger.end();
    entry.average = average;
    for (std::size_t i = 0; i < proposal.candidates.size(); ++i) {
      const auto& best = proposal.candidates[i];
      const auto& noted = proposal.noted[i];
      if (noted.cuts.empty()) ledger.add(best.column, best, noted.best, kept);
      for (const auto& [cut, figures] : noted.cuts) {
        const bool is_best = best.n_left == cut.n_left && best.missing_left == cut.missing_left;
        ledger.add(best.column, is_best ? best : cut, is_best ? noted.best : figures, kept);
      }
    }
    entry.end = ledger.end();
  }

  // Split the nodes of the batch. The children of a node are side by side.
  void open_batch() {
    if (questions_.size() < batch_.size()) questions_.resize(batch_.size());
    const std::span questions(questions_.data(), batch_.size());
    engine_->ask(batch_, questions);
    std::size_t n_children = 0;
    for (const auto& question : questions) n_children += static_cast<std::size_t>(question.n_branches);
    children_.assign(n_children, {});
    families_.clear();
    for (std::size_t i = 0, begin = 0; i < batch_.size(); begin += families_[i++].size()) {
      const auto& node = batch_[i];
      if (engine_->settles_inner() || (questions[i].lets_rows_stop() && node.winner.n_missing > 0))
        settle(node);
      families_.push_back(
          std::span(children_).subspan(begin, static_cast<std::size_t>(questions[i].n_branches)));
      for (std::uint64_t branch = 0; auto& child : families_[i]) {
        child.depth = node.depth + 1;
        child.path = path_of_child(node.path, branch++);
      }
      if (!recipe_.is_monotone()) continue;
      // Set the bounds of the children. A branch of missing values has those of its parent.
      for (auto& child : families_[i]) child.bounds = node.bounds;
      const auto direction = recipe_.direction(node.column());
      // The winner may only split known from missing values.
      const bool parts_known = std::int64_t{node.winner.n_left} + node.winner.n_missing < node.facts.rows;
      if (direction == 0 || !parts_known) continue;
      const double middle = node.bounds.clip(questions[i].middle);
      families_[i][direction > 0 ? 0 : 1].bounds.high = middle;
      families_[i][direction > 0 ? 1 : 0].bounds.low = middle;
    }
    engine_->route(batch_, questions, families_);
    for (std::size_t i = 0; i < batch_.size(); ++i) write_split(batch_[i], questions[i], families_[i]);
  }

  void write_split(const OpenNode& node, Question& question, std::span<OpenNode> children) {
    const auto first = static_cast<std::int32_t>(growing_->nodes.size());
    for (auto& child : children) child.id = growing_->add(child.facts.rows, child.facts.weight);
    if (question.lets_rows_stop() && node.winner.n_missing > 0) {
      rows_settled_ += node.facts.rows;
      for (const auto& child : children) rows_settled_ -= child.facts.rows;
    }
    auto& opened = grown(node);
    opened.split = static_cast<std::int32_t>(growing_->splits.size());
    opened.first_child = first;
    opened.n_children = question.n_branches;
    auto& split = growing_->splits.emplace_back();
    split.column = node.winner.column;
    split.cut = question.cut;
    split.gain = node.winner.score.gain;
    split.missing_branch = question.missing_branch;
    if (recipe_.ranking == Ranking::AboveAverageGain)
      growing_->ranked.push_back({node.winner.score.worth, node.winner.information.gain});
    if (question.is_set()) {
      split.set = static_cast<std::int32_t>(growing_->sets.size());
      growing_->sets.push_back({std::move(question.branch_of_code), question.search});
    }
    split.first_surrogate = static_cast<std::int32_t>(growing_->surrogates.size());
    for (auto& surrogate : question.surrogates) growing_->surrogates.push_back(std::move(surrogate));
  }

  void close(const OpenNode& node, Stop why) {
    if (recipe_.keeps_ledger) growing_->of_node(node.id, growing_->entries).stop = why;
    settle(node);
    rows_settled_ += node.facts.rows;
  }

  void settle(const OpenNode& node) {
    grown(node).settled = growing_->leaves.size();
    engine_->settle({&node, 1}, growing_->leaves);
  }

  GrowingTree::Node& grown(const OpenNode& node) {
    return growing_->nodes[static_cast<std::size_t>(node.id)];
  }

  const Recipe& recipe_;
  Progress& watch_;
  Engine* engine_ = nullptr;        // of the current growth
  GrowingTree* growing_ = nullptr;  // of the current growth
  std::vector<OpenNode> waiting_;   // a heap, unless depth first
  std::vector<OpenNode> small_;     // nodes to be finished in one place
  BestScore best_score_;
  AboveAverageGain above_average_;
  std::int64_t rows_settled_ = 0;  // not yet reported
  std::size_t n_looked_into_ = 0;  // entries of columns since the last report
  // Of the nodes that are split together:
  std::vector<OpenNode> batch_, children_;
  std::vector<Question> questions_;
  std::vector<std::span<OpenNode>> families_;  // the children of each
  std::vector<Proposal> proposals_;
};

// Grow small nodes on threads, each into a tree of its own. The largest come first, so that no thread is left
// with a long one at the end. Calls `grow(node, subtree, thread)`.
template <class Grow>
void grow_subtrees(Pool& pool, std::span<const OpenNode> nodes, GrowingTree& growing,
                   std::vector<GrowingTree>& subtrees, const Grow& grow) {
  std::vector<std::size_t> by_size(nodes.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::ranges::stable_sort(by_size, std::greater(), [&](std::size_t i) { return nodes[i].facts.rows; });
  subtrees.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    growing.nodes[static_cast<std::size_t>(nodes[i].id)].subtree = static_cast<std::int32_t>(i) + 1;
  pool.run(nodes.size(), [&](std::size_t task, int thread) {
    auto node = nodes[by_size[task]];
    auto& subtree = subtrees[by_size[task]];
    subtree.leaves.n_classes = growing.leaves.n_classes;
    node.id = subtree.add(node.facts.rows, node.facts.weight);
    grow(node, subtree, static_cast<std::size_t>(thread));
  });
}

// The growth of C4.5.
std::vector<GrowingTree> grow_quinlan(const Growth& growth);

}  // namespace treewright
