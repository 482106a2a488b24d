
#include "treewright/criteria/impurity.hpp"        // for entropy
#include "treewright/engine/grow.hpp"              // for Growth
#include "treewright/engine/lists.hpp"             // for write_set
#include "treewright/quinlan/class_sums.hpp"       // for ClassSums, QuinlanRows
#include "treewright/quinlan/column_estimate.hpp"  // for ColumnEstimate
#include "treewright/quinlan/columns.hpp"          // for QuinlanColumns
#include "treewright/recipe/random.hpp"            // for look_into_drawn
#include "treewright/recipe/recipe.hpp"            // for AboveAverageGain

namespace treewright {
namespace {

// The engine of C4.5, with or without fractional rows. Columns that may win are scored in whole numbers; of
// the others it is only known that they lose.
template <std::size_t kClasses>
class QuinlanEngine final : public NodeByNode {
 public:
  explicit QuinlanEngine(const Growth& growth)
      : recipe_(growth.recipe),
        columns_(growth.table, growth.target, recipe_),
        pool_(growth.pool),
        total_(growth.target.weights.total),
        ranking_(recipe_.quinlan, recipe_.has_many_values),
        rows_(columns_.n_rows(), n_lists()),
        sums_(columns_, static_cast<std::size_t>(growth.target.n_classes), rows_, pool_),
        ends_(columns_.n_rows(), -1) {
    const auto& weights = growth.target.weights;
    node_.rules = recipe_.quinlan;
    node_.unit = weights.unit;
    node_.n_declared = std::max<std::int64_t>(node_.rules.n_classes, growth.target.n_classes);
    node_.weights_are_whole = weights.all_equal();
    node_.scale =
        std::ldexp(1, std::bit_width(columns_.n_rows()) - std::bit_width(static_cast<std::uint64_t>(total_)));
    for (std::size_t column = 0; column < n_columns(); ++column)
      estimates_.emplace_back(node_, static_cast<std::size_t>(growth.target.n_classes));
    auto& root = rows_.at(rows_.kRoot);
    root.n = columns_.n_rows();
    root.positions = std::move(columns_.lists);
    root.weights.make_room(root.n);
    for (std::uint32_t position = 0; position < root.n; ++position)
      root.weights[position] = weights.all_equal() ? 1 : weights.of_slot[columns_.slot(position)];
    sums_.add_up(root);
  }

  std::size_t n_columns() const override { return columns_.size(); }
  bool takes_turns() const override { return recipe_.limits_once_unknown.has_value(); }

  OpenNode root() override {
    OpenNode node;
    fill_in(rows_.kRoot, node);
    return node;
  }

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& candidates = proposal.candidates;
    if (takes_turns()) {
      const auto& limits = had_unknown_ ? *recipe_.limits_once_unknown : recipe_.limits;
      proposal.stop = limits.why_closed(node.facts, node.depth);
      if (proposal.stop != Stop::None) return;
      rows_.at(node.handle.store).is_after_unknown = had_unknown_;
    }
    enter(node);
    work_.template look_into_node<std::uint32_t>();
    had_unknown_ |= takes_turns() && unknown_from_ < n_columns();
    candidates.resize(n_columns());
    const auto look_into = [&](std::size_t column, int = 0) { estimate(column, candidates[column]); };
    auto n_looked_into = static_cast<std::int64_t>(n_columns());
    if (recipe_.max_columns >= 0 && recipe_.max_columns < n_looked_into) {
      n_looked_into = look_into_drawn(recipe_.seed, node.path, recipe_.max_columns, candidates, look_into);
      sums_.forget();  // of columns that were not drawn
    } else {
      pool_.run_if_it_pays(here_->n * n_columns(), n_columns(), look_into);
    }
    work_.scanned += here_->n * n_looked_into;
    const bool compares_cuts = recipe_.quinlan.every_cut_counts && recipe_.quinlan.by_ratio;
    if (compares_cuts || recipe_.keeps_ledger || recipe_.penalty != Penalty::Linear) score_all(candidates);
    if (compares_cuts) compare_cuts_by_ratio(candidates);
    while (score_next(candidates)) {
    }
    if (recipe_.keeps_ledger) proposal.noted.assign(n_columns(), {});
    for (std::size_t column = 0; column < n_columns(); ++column) {
      auto& candidate = candidates[column];
      penalize_missing(column, candidate);
      if (candidate.has_question()) candidate.score.gain = gain(candidate.decrease);
      if (recipe_.keeps_ledger && candidate.verdict != Verdict::NotDrawn)
        note(column, candidate, proposal.noted[column]);
    }
  }

  Question ask_one(const OpenNode& node) override {
    here_ = &rows_.at(node.handle.store);
    Question question;
    if (columns_.is_categorical(node.column())) {
      ask_for_set(node, question);
    } else {
      question.cut = columns_.cut_of(node.column(), node.winner, *here_);
    }
    question.missing_branch =
        recipe_.missing == Missing::Spread ? kEveryBranch : largest_branch(node, question);
    return question;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    here_ = &rows_.at(node.handle.store);
    mark_branches(node, question);
    rows_.part(*here_);
    sums_.add_up_parts(*here_);
    for (std::uint32_t i = 0; rows_.spread_any() && i < here_->n; ++i) {
      if (rows_.branches()[i] < 0) note_end(here_->positions[i], node);
    }
    const bool any_open =
        rows_.open(children, recipe_, [&](auto handle, OpenNode& child) { fill_in(handle, child); });
    const auto n_parted = any_open ? n_lists() : 1;
    pool_.run_if_it_pays(here_->n * n_columns(), n_parted - 1,
                         [&](std::size_t list, int) { rows_.part_list(*here_, list + 1); });
    if (any_open) sums_.hand_on(*here_);
    work_.moved += std::int64_t{here_->n} * static_cast<std::int64_t>(n_parted);
    leave(node);
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    const auto& here = rows_.at(node.handle.store);
    leaves.weights.insert(leaves.weights.end(), here.totals.begin(), here.totals.end());
    for (std::uint32_t i = 0; i < here.n; ++i) note_end(here.positions[i], node);
    leave(node);
  }

  // For GrowingTree::ends, once the tree is grown.
  std::vector<std::int32_t> ends() const {
    std::vector<std::int32_t> ends(ends_.size());
    for (std::uint32_t position = 0; position < ends.size(); ++position)
      ends[columns_.slot(position)] = ends_[position];
    return ends;
  }

 private:
  std::size_t n_lists() const { return std::max<std::size_t>(1, columns_.n_listed()); }
  double gain(double decrease) const { return decrease / static_cast<double>(total_); }

  void leave(const OpenNode& node) {
    rows_.at(node.handle.store).sums = {};
    rows_.leave(node.handle.store);
  }

  void fill_in(std::uint32_t handle, OpenNode& node) {
    const auto& here = rows_.at(handle);
    node.handle = {0, here.n, handle};
    node.facts = {.rows = here.n};
    for (const auto weight : here.totals) node.facts.weight += weight;
    node.facts.is_pure = std::ranges::count_if(here.totals, [](auto weight) { return weight > 0; }) < 2;
    if (!(recipe_.limits.min_impurity > 0)) return;
    std::vector<double> shares(here.totals.begin(), here.totals.end());
    for (auto& share : shares) share /= static_cast<double>(node.facts.weight);
    node.facts.impurity = entropy(shares);
  }

  // A row with fractions in several nodes ends at the first node where one of them ended.
  void note_end(std::uint32_t position, const OpenNode& node) {
    auto& end = ends_[position];
    end = end < 0 ? node.id : end;
  }

  // Make this the current node, whose columns are searched next.
  void enter(const OpenNode& node) {
    here_ = &rows_.at(node.handle.store);
    node_.totals = here_->totals;
    node_.weight = node.facts.weight;
    sums_.enter(*here_);
    unknown_from_ = n_columns();
    if (takes_turns()) unknown_from_ = here_->is_after_unknown ? 0 : first_unknown();
  }

  // Release 8 of C4.5 drops its minimum weight once a column of more than two categories has no known value
  // in a node: for the columns from that one on, and for all nodes after this one.
  std::size_t first_unknown() const {
    const auto& n_categories = columns_.table().n_categories;
    std::size_t column = 0;
    while (column < n_columns() && !(n_categories[column] > 2 && sums_.is_unknown(column))) ++column;
    return column;
  }

  void estimate(std::size_t column, Candidate& out) {
    out = {.column = static_cast<std::int32_t>(column)};  // and its verdict: constant
    heed_interrupts_before(here_->n);
    auto& estimate = estimates_[column];
    const bool has_two = sums_.gather(column, estimate.values);
    const auto& limits = column < unknown_from_ ? recipe_.limits : *recipe_.limits_once_unknown;
    estimate.enter(limits.min_weight_leaf);
    if (!has_two) return;
    out.verdict = Verdict::TooFewOnEverySide;
    if (columns_.is_categorical(column)) {
      estimate.estimate_set(recipe_.categories, columns_.table().n_categories[column], out);
    } else if (recipe_.quinlan.every_cut_counts) {
      estimate.score_every_cut(-std::numeric_limits<double>::infinity(), false, out);
    } else {
      estimate.estimate_cut(out);
    }
  }

  void score_all(std::span<Candidate> candidates) {
    for (std::size_t column = 0; column < n_columns(); ++column)
      estimates_[column].score_exactly(candidates[column]);
  }

  // If every cut counts for itself: once the average gain is known, the cuts that reach it compete by ratio.
  void compare_cuts_by_ratio(std::span<Candidate> candidates) {
    const double enough = ranking_.average(candidates) - recipe_.quinlan.slack;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      if (columns_.is_categorical(column) || !candidates[column].has_figures()) continue;
      Candidate again{.column = static_cast<std::int32_t>(column), .verdict = Verdict::TooFewOnEverySide};
      estimates_[column].score_every_cut(enough, true, again);
      if (again.has_question()) candidates[column] = again;
    }
  }

  // Simulate the ranking; where doubles leave it open, or for the winner, score exactly. Returns whether
  // something was scored, so that the ranking must be simulated again.
  bool score_next(std::span<Candidate> candidates) {
    const auto& rules = recipe_.quinlan;
    double enough = -std::numeric_limits<double>::infinity(), error = 0;
    if (rules.by_ratio) {
      enough = ranking_.average(candidates) - rules.slack;
      for (std::size_t column = 0; column < n_columns(); ++column) {
        if (candidates[column].has_question()) error = std::max(error, estimates_[column].errors().gain);
      }
    }
    const std::size_t nobody = n_columns();
    std::size_t winner = nobody;
    double best = rules.is_strict ? 0 : -rules.slack;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      if (!candidates[column].has_question()) continue;
      const double above = candidates[column].information.gain - enough;
      if (error > 0 && std::abs(above) <= 2 * error) {
        score_all(candidates);
        return true;
      }
      if (above < 0) continue;
      auto& estimate = estimates_[column];
      const double worth = candidates[column].score.worth, least = ranking_.least_to_beat(best);
      const double of_best = winner == nobody ? 0 : estimates_[winner].errors().worth;
      const bool is_near = std::abs(worth - least) <= 2 * (estimate.errors().worth + of_best);
      if (is_near && !(estimate.is_exact() && of_best == 0)) {
        estimate.score_exactly(candidates[column]);
        if (winner != nobody) estimates_[winner].score_exactly(candidates[winner]);
        return true;
      }
      if (!(worth > least)) continue;
      winner = column;
      best = worth;
    }
    if (winner == nobody || estimates_[winner].is_exact()) return false;
    estimates_[winner].score_exactly(candidates[winner]);
    return true;
  }

  // Missing values lower gains by more or less than their share, if the recipe says so.
  void penalize_missing(std::size_t column, Candidate& candidate) const {
    if (recipe_.penalty == Penalty::Linear || candidate.verdict == Verdict::NotDrawn) return;
    const auto missing = node_.weight - estimates_[column].known_weight();
    if (missing == 0) return;
    const double factor = beyond_linear(recipe_.penalty, node_.bits(static_cast<double>(missing)));
    candidate.score.worth *= factor;
    candidate.decrease *= factor;
  }

  void note(std::size_t column, const Candidate& candidate, NotedColumn& noted_column) {
    auto& estimate = estimates_[column];
    auto& noted = noted_column.best;
    const bool is_set = columns_.is_categorical(column);
    noted.missing = static_cast<double>(node_.weight - estimate.known_weight());
    if (candidate.has_figures()) {
      noted.gain = gain(candidate.decrease);
      is_set ? note_set(column, noted) : note_cut(column, candidate, noted);
    }
    if (!recipe_.lists_every_cut || is_set) return;
    estimate.for_every_cut([&](Candidate& one, bool is_allowed) {
      one.information.n_tries = candidate.information.n_tries;
      penalize_missing(column, one);
      estimate.settle(one);
      if (!is_allowed) {
        one.verdict = Verdict::TooFewOnEverySide;
      } else if (one.verdict != Verdict::NoGain) {
        one.verdict = Verdict::LowerInColumn;
      }
      noted_column.cuts.push_back({one, {}});
      auto& [kept, figures] = noted_column.cuts.back();
      figures.gain = gain(kept.decrease);
      figures.missing = noted.missing;
      note_cut(column, kept, figures);
    });
  }

  void note_cut(std::size_t column, const Candidate& candidate, Noted& noted) const {
    noted.cut = columns_.cut_of(column, candidate, *here_);
    const auto left = estimates_[column].left_of(candidate), known = estimates_[column].known();
    noted.outcome.assign(left.begin(), left.end());
    for (std::size_t k = 0; k < left.size(); ++k)
      noted.outcome.push_back(static_cast<double>(known[k] - left[k]));
  }

  void note_set(std::size_t column, Noted& noted) const {
    const auto& values = estimates_[column].values;
    const auto& grouping = estimates_[column].grouping;
    const auto n_classes = node_.totals.size();
    const auto n_branches = static_cast<std::size_t>(grouping.n_branches);
    std::vector<std::int64_t> weights((grouping.is_each_apart ? values.size() : n_branches) * n_classes);
    for (std::size_t v = 0; v < values.size(); ++v) {
      const auto branch =
          grouping.is_each_apart ? static_cast<std::int32_t>(v) : grouping.branch_of_bucket[v];
      noted.branch_of_code.add(columns_.category_of(column, values.first(v), *here_), branch);
      for (std::size_t k = 0; k < n_classes; ++k)
        weights[static_cast<std::size_t>(branch) * n_classes + k] += values.weight(v, k);
    }
    noted.outcome.assign(weights.begin(), weights.end());
  }

  void ask_for_set(const OpenNode& node, Question& question) {
    const auto column = node.column();
    const auto n_declared = columns_.table().n_categories[column];
    if (has_branch_a_value(recipe_.categories, n_declared))
      return write_set({.is_each_apart = true}, {}, n_declared, question);
    // Find the winner's grouping again: groupings are not kept, since most columns lose.
    Candidate again;
    enter(node);
    estimate(column, again);
    sums_.forget();
    const auto& values = estimates_[column].values;
    std::vector<std::int32_t> codes(values.size());
    for (std::size_t v = 0; v < values.size(); ++v)
      codes[v] = columns_.category_of(column, values.first(v), *here_);
    write_set(estimates_[column].grouping, codes, n_declared, question);
  }

  // The branch for values missing at prediction, even if none is missing here: the one with most rows; of
  // equals, the last.
  std::int32_t largest_branch(const OpenNode& node, const Question& question) {
    mark_branches(node, question);
    const auto size = rows_.n_of_branch();
    return static_cast<std::int32_t>(size.rend() - std::max_element(size.rbegin(), size.rend())) - 1;
  }

  // Write the branch of every row, -1 where it has no value.
  void mark_branches(const OpenNode& node, const Question& question) {
    const auto column = node.column(), number = columns_.number(column);
    const auto branch_of_mark = [&](std::uint32_t mark) -> std::int32_t {
      if (!question.is_set()) return mark > node.winner.n_left;
      return question.branch_of_code.find(columns_.category_of(column, mark, *here_));
    };
    const auto n_branches = static_cast<std::size_t>(question.n_branches);
    const auto* const positions = here_->positions.data();
    if (columns_.is_coded(column)) {
      const auto begin = columns_.begin(number), missing = columns_.missing(column);
      if (!question.is_set()) {
        const auto last = node.winner.n_left;
        return rows_.mark(*here_, n_branches, [=, this](std::uint32_t i) {
          const std::uint32_t cell = columns_.cells(positions[i])[number];
          return cell == missing ? -1 : static_cast<std::int32_t>(cell > last);
        });
      }
      const auto* branch_of_cell = columns_.category_of_cell();
      if (!has_branch_a_value(recipe_.categories, columns_.table().n_categories[column])) {
        branch_of_cell_.resize(columns_.n_cells());
        for (auto cell = begin; cell < missing; ++cell) branch_of_cell_[cell] = branch_of_mark(cell);
        branch_of_cell_[missing] = -1;
        branch_of_cell = branch_of_cell_.data();
      }
      return rows_.mark(*here_, n_branches, [=, this](std::uint32_t i) {
        return branch_of_cell[columns_.cells(positions[i])[number]];
      });
    }
    const auto* const list = here_->list(number);
    const auto branch_in_list = [&](std::uint32_t i) {
      return columns_.ranks(column)[list[i]] == columns_.kNoValue ? -1 : branch_of_mark(i);
    };
    if (number == 0) return rows_.mark(*here_, n_branches, branch_in_list);
    auto& branch_of = rows_.branch_of_position();
    for (std::uint32_t i = 0; i < here_->n; ++i) branch_of[list[i]] = branch_in_list(i);
    rows_.mark(*here_, n_branches, [&](std::uint32_t i) { return branch_of[positions[i]]; });
  }

  const Recipe& recipe_;
  QuinlanColumns columns_;
  Pool& pool_;
  std::int64_t total_;
  AboveAverageGain ranking_;
  QuinlanNode node_;
  std::vector<ColumnEstimate<kClasses>> estimates_;  // by column
  FractionalRows<QuinlanRows> rows_;
  ClassSums<kClasses> sums_;
  QuinlanRows* here_ = nullptr;
  std::size_t unknown_from_ = 0;              // first column of the node for which limits_once_unknown apply
  std::vector<std::int32_t> branch_of_cell_;  // of the current split
  std::vector<std::int32_t> ends_;            // by position
  bool had_unknown_ = false;                  // from now on limits_once_unknown apply
};

template <std::size_t kClasses>
std::vector<GrowingTree> grow_classes(const Growth& growth) {
  QuinlanEngine<kClasses> engine(growth);
  auto parts = growth.grow(engine);
  // If a column has the same branches at every node, pruning need not send the rows down again.
  if (growth.recipe.categories == Categories::Multiway) parts[0].ends = engine.ends();
  return parts;
}

}  // namespace

std::vector<GrowingTree> grow_quinlan(const Growth& growth) {
  return growth.target.n_classes == 2 ? grow_classes<2>(growth) : grow_classes<0>(growth);
}

}  // namespace treewright
