#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "treewright/criteria/impurity.hpp"   // for entropy
#include "treewright/engine/growth.hpp"       // for Growth
#include "treewright/quinlan/class_sums.hpp"  // for ClassSums, QuinlanRows, QuinlanThreads
#include "treewright/quinlan/columns.hpp"     // for QuinlanColumns
#include "treewright/quinlan/search.hpp"      // for QuinlanSearch
#include "treewright/tree/question.hpp"       // for Question

namespace treewright {
namespace {

// The engine of C4.5, with or without fractional rows: questions, and rows that follow their branch.
//
// kClasses: how many classes there are; 0: only the target knows.
template <std::size_t kClasses>
class QuinlanEngine final : public NodeByNode {
 public:
  QuinlanEngine(Table& table, const Target& target, const Recipe& recipe, Pool& pool)
      : columns_(table, target, recipe),
        recipe_(recipe),
        threads_{pool, n_columns()},
        rows_(table.n_slots, n_lists()),
        sums_(columns_, static_cast<std::size_t>(target.n_classes), rows_, threads_),
        search_(target, recipe, columns_, sums_, threads_),
        ends_(table.n_slots, -1),
        root_(rows_.add()) {
    fill_root(target.weights);
  }

  std::size_t n_columns() const override { return columns_.size(); }

  OpenNode root() override {
    OpenNode node;
    fill_in(root_, node);
    return node;
  }

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& here = rows_.at(node.handle.store);
    work_.scanned += here.n * search_.propose(node, here, proposal);
    work_.template look_into_node<std::uint32_t>();
  }

  Question ask_one(const OpenNode& node) override {
    here_ = &rows_.at(node.handle.store);
    const auto column = static_cast<std::size_t>(node.column);
    Question question;
    if (columns_.is_categorical(column)) {
      ask_for_set(node, question);
    } else {
      question.cut = columns_.cut_of(column, node.winner, *here_);
    }
    question.missing_branch =
        recipe_.missing == Missing::Spread ? kEveryBranch : largest_branch(node, question);
    return question;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children,
                 const std::function<bool(const OpenNode&)>& closes) override {
    here_ = &rows_.at(node.handle.store);
    mark_branches(node, question);
    rows_.part(*here_, children.size());
    sums_.add_up_parts(*here_);
    for (std::uint32_t i = 0; rows_.spread_any() && i < here_->n; ++i) {
      if (rows_.branches()[i] < 0) note_end(here_->positions[i], node);
    }
    bool any_open = false;
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      auto& part = rows_.parts()[branch];
      fill_in(part.handle, children[branch]);
      part.is_open = !closes(children[branch]);
      any_open |= part.is_open;
      if (part.is_open) rows_.at(part.handle).many_valued = here_->many_valued;
    }
    const auto n_parted = any_open ? n_lists() : 1;
    threads_.run(here_->n, n_parted - 1, [&](std::size_t list) { rows_.part_list(*here_, list + 1); });
    if (any_open) sums_.hand_on(*here_);
    work_.moved += std::int64_t{here_->n} * static_cast<std::int64_t>(n_parted);
    rows_.leave(node.handle.store);
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    const auto& here = rows_.at(node.handle.store);
    leaves.weights.insert(leaves.weights.end(), here.totals.begin(), here.totals.end());
    for (std::uint32_t i = 0; i < here.n; ++i) note_end(here.positions[i], node);
    rows_.leave(node.handle.store);
  }

  // As GrowingTree has them, once it is grown.
  std::vector<std::int32_t> ends() const { return columns_.by_slot(ends_); }

 private:
  std::size_t n_lists() const { return std::max<std::size_t>(1, columns_.n_listed()); }

  void fill_root(const Weights& weights) {
    auto& root = rows_.at(root_);
    root.n = columns_.n_rows();
    root.positions = columns_.lists();
    root.weights.make_room(root.n);
    for (std::uint32_t position = 0; position < root.n; ++position)
      root.weights[position] = weights.all_equal() ? 1 : columns_.at_position(weights.of_slot, position);
    sums_.add_up(root);
    root.many_valued.resize(columns_.n_coded());
    std::iota(root.many_valued.begin(), root.many_valued.end(), std::uint16_t{0});
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

  // A row of which a share ended before ended there.
  void note_end(std::uint32_t position, const OpenNode& node) {
    auto& end = ends_[position];
    end = end < 0 ? node.id : end;
  }

  void ask_for_set(const OpenNode& node, Question& question) {
    const auto column = static_cast<std::size_t>(node.column);
    const auto n_declared = columns_.table().n_categories[column];
    const auto n_categories = static_cast<std::int32_t>(n_declared);
    if (ColumnEstimate<kClasses>::has_branch_a_value(recipe_.categories, n_declared)) {
      // A branch for every category declared, also for those that no row here has.
      question.search = Search::Exact;
      question.n_branches = n_categories;
      question.branch_of_code = BranchOfCode::each(n_categories);
      return;
    }
    // The winner's set was not kept for every column that lost.
    const auto& found = search_.find_again(node, *here_, column);
    const auto& values = found.values;
    const auto& grouping = found.grouping;
    question.search = grouping.search;
    question.n_branches = grouping.n_branches;
    std::size_t v = 0;
    for (std::int32_t code = 0; code < n_categories; ++code) {
      const bool is_here = v < values.size() && columns_.category_of(column, values.first(v), *here_) == code;
      const auto branch = is_here ? grouping.branch_of_bucket[v] : grouping.branch_of_absent;
      if (branch >= 0) question.branch_of_code.add(code, branch);
      v += is_here;
    }
  }

  // Where a value goes that is missing at prediction though none may be here: with most rows, of equals the
  // last.
  std::int32_t largest_branch(const OpenNode& node, const Question& question) {
    mark_branches(node, question);
    std::vector<std::uint32_t> size(static_cast<std::size_t>(question.n_branches));
    for (std::uint32_t i = 0; i < here_->n; ++i) ++size[static_cast<std::size_t>(rows_.branches()[i])];
    return static_cast<std::int32_t>(size.rend() - std::max_element(size.rbegin(), size.rend())) - 1;
  }

  // Write the branch of every row, -1 where it has no value.
  void mark_branches(const OpenNode& node, const Question& question) {
    const auto column = static_cast<std::size_t>(node.column);
    const auto branch_of_mark = [&](std::uint32_t mark) -> std::int32_t {
      return question.is_set() ? question.branch_of_code.find(columns_.category_of(column, mark, *here_))
                               : mark > node.winner.n_left;
    };
    const auto number = columns_.number(column);
    if (columns_.is_coded(column)) {
      const auto begin = columns_.begin(number), missing = columns_.missing(column);
      branch_of_cell_.assign(missing - begin + 1, -1);
      for (auto cell = begin; cell < missing; ++cell) branch_of_cell_[cell - begin] = branch_of_mark(cell);
      auto* const branch_of = rows_.branches();
      const auto* const branch_of_cell = branch_of_cell_.data();
      const auto* const positions = here_->positions.data();
      for (std::uint32_t i = 0, n = here_->n; i < n; ++i)
        branch_of[i] = branch_of_cell[columns_.cells(positions[i])[number] - begin];
      return;
    }
    const auto* positions = here_->list(number);
    const auto branch_at = [&](std::uint32_t i) {
      return columns_.is_missing(column, positions[i]) ? -1 : branch_of_mark(i);
    };
    if (number == 0) {
      for (std::uint32_t i = 0; i < here_->n; ++i) rows_.branches()[i] = branch_at(i);
      return;
    }
    for (std::uint32_t i = 0; i < here_->n; ++i) rows_.branch_of_position()[positions[i]] = branch_at(i);
    rows_.gather_branches(*here_);
  }

  QuinlanColumns columns_;
  const Recipe& recipe_;
  QuinlanThreads threads_;
  FractionalRows<QuinlanRows> rows_;
  ClassSums<kClasses> sums_;
  QuinlanSearch<kClasses> search_;
  std::vector<std::int32_t> branch_of_cell_;  // of the split under way
  std::vector<std::int32_t> ends_;            // by position
  std::uint32_t root_;
  QuinlanRows* here_ = nullptr;
};

template <std::size_t kClasses>
std::vector<GrowingTree> grow_classes(const Growth& growth) {
  QuinlanEngine<kClasses> engine(growth.table, growth.target, growth.recipe, growth.pool);
  std::vector<GrowingTree> parts;
  parts.push_back(growth.grow_root(engine));
  // Where a column has one set of branches wherever it is asked, pruning need not send rows down again.
  if (growth.recipe.categories == Categories::Multiway) parts[0].ends = engine.ends();
  return parts;
}

}  // namespace

std::vector<GrowingTree> grow_quinlan(const Growth& growth) {
  return growth.target.n_classes == 2 ? grow_classes<2>(growth) : grow_classes<0>(growth);
}

}  // namespace treewright
