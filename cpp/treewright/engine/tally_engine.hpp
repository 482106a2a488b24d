// The local engine for columns with few distinct values: a node's rows are counted by code and class, column
// by column, and only one list is partitioned. A child's counts are its parent's minus its sibling's. Nodes
// of few rows are counted anew for each column if values are very few; otherwise they go on in lists.
#pragma once

#include "treewright/engine/list_engine.hpp"  // for ListEngine, propose_in_turn

namespace treewright {

// The counts of a node with more rows than this are kept for its children. With fewer rows than counts, going
// through the counts takes longer than going through the rows; counts of many classes are summed several at
// once. A value has a count for every class but one, which follows from the others.
inline std::uint32_t rows_to_keep_counts(const Table& table, int n_classes) {
  std::size_t n_values = 0;
  for (const auto& ordering : table.orderings) n_values += ordering.n_distinct;
  const auto n_counts = n_values * static_cast<std::size_t>(n_classes - 1) / table.columns.size();
  return static_cast<std::uint32_t>(std::max<std::size_t>(64, n_classes > 2 ? n_counts / 2 : 2 * n_counts));
}

// What the engines of all threads share.
struct Counting {
  explicit Counting(const Growth& growth)
      : rows(growth.table),
        scan(growth.recipe.criterion->make_scan(growth)),
        n_classes(static_cast<std::size_t>(growth.target.n_classes)),
        keep_above(rows_to_keep_counts(growth.table, growth.target.n_classes)) {
    // Classes are summed several at once.
    if (n_classes > 2) n_classes = (n_classes + kClassesAtOnce - 1) / kClassesAtOnce * kClassesAtOnce;
    std::uint32_t most = 0;  // values of a column
    for (const auto& ordering : growth.table.orderings) {
      begins.push_back(begins.back() + ordering.n_distinct * n_classes);
      most = std::max(most, ordering.n_distinct);
    }
    all_codes.resize(most);
    std::iota(all_codes.begin(), all_codes.end(), 0);
    counts_few_rows = n_classes > 2 && most <= kVeryFewValues && most * n_classes <= kFewCells;
  }

  static constexpr std::uint32_t kVeryFewValues = 64;  // as many codes as a word has bits
  static constexpr std::size_t kFewCells = 2048;

  TableLists rows;  // members and codes; threads may each have nodes of their own
  std::unique_ptr<Scan<TableLists::Index>> scan;  // used for the facts of rows only
  std::size_t n_classes;                          // padded
  std::uint32_t keep_above;                       // nodes of more rows keep their counts
  bool counts_few_rows;                           // ... others are counted when they are searched
  std::vector<std::size_t> begins{0};    // by column: its first cell; every value has n_classes cells
  std::vector<std::uint32_t> all_codes;  // of the column with the most values
};

class TallyEngine final : public NodeByNode {
  using Index = TableLists::Index;
  using Cells = std::vector<std::int32_t>;

 public:
  // `grows_all`: the whole table, with all threads; otherwise what such an engine leaves to one thread.
  TallyEngine(const Growth& growth, Counting& shared, bool grows_all)
      : growth_(growth),
        shared_(shared),
        search_(shared.scan->make_narrow()),
        finish_at_(shared.counts_few_rows ? 0 : shared.keep_above) {
    search_->take(*shared.scan, {});
    const auto n_threads = static_cast<std::uint32_t>(grows_all ? growth.pool.n_threads() : 1);
    if (n_threads > 1)
      finish_at_ = std::max(finish_at_, std::min(kNarrowRows, growth.table.n_slots / (4 * n_threads)));
    spare_.resize(n_threads);
    rest_.resize(n_threads > 1 ? n_threads : 0);
  }

  std::size_t n_columns() const override { return shared_.rows.n_columns(); }

  OpenNode root() override {
    OpenNode node{.handle = {0, shared_.rows.n_slots(), 0}};
    node.facts = facts_of(node);
    count(node);
    return node;
  }

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    work_.look_into_node<Index>();
    enter(node);
    search_->enter_counts(totals_);
    const auto least = recipe_.limits.least_side();
    const Reach allowed{least, node.facts.rows - least};  // of rows on the left
    const auto look_into = [&](std::size_t column, Candidate& out) {
      heed_interrupts_before(node.handle.size());
      const auto counts = counts_of(node, column);
      if (counts.codes.size() > 1) search_->best_counted_cut(counts, allowed, out);
      if (out.has_question()) out.score.gain = search_->gain(out.decrease);
    };
    propose_in_turn(n_columns(), search_->best_possible(), false, proposal.candidates, look_into);
  }

  // Between the last code that goes left and the next one that a row has.
  Question ask_one(const OpenNode& node) override {
    const auto column = node.column();
    if (!is_kept(node)) enter(node);
    const auto counts = counts_of(node, column);
    const auto* code = counts.codes.data();
    for (auto rows = counts.rows(*code); rows < node.winner.n_left;) rows += counts.rows(*++code);
    const auto last = *code++;
    while (counts.rows(*code) == 0) ++code;
    const auto row_of = [&](std::uint32_t of) {
      return table_.row(table_.orderings[column].slot_of_code[of]);
    };
    return threshold(recipe_, node, table_.columns[column].between(row_of(last), row_of(*code)), last);
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    const auto n = node.handle.size();
    const auto* codes = table_.orderings[node.column()].code.data();
    const auto goes_right = [codes, last = question.last_code](Index slot) { return codes[slot] > last; };
    if (right_.size() < n) right_.resize(n);
    const auto n_left =
        part_one_by_one(shared_.rows.members() + node.handle.begin, 0, n, goes_right, right_.data(), 0);
    work_.moved += n;
    children[0].handle = {node.handle.begin, node.handle.begin + n_left};
    children[1].handle = {node.handle.begin + n_left, node.handle.end};
    for (auto& child : children) child.facts = facts_of(child);
    const auto keeps = [&](const OpenNode& child) {
      return child.facts.rows > shared_.keep_above &&
             recipe_.why_closed(child.facts, child.depth) == Stop::None;
    };
    const bool first_is_small = children[0].facts.rows <= children[1].facts.rows;
    auto &small = children[first_is_small ? 0 : 1], &large = children[first_is_small ? 1 : 0];
    if (!keeps(large)) {
      cells_.leave(node.handle.store);
      if (keeps(small)) count(small);
      return;
    }
    // The counts of the larger child are its parent's minus its sibling's.
    large.handle.store = node.handle.store;
    const auto& of_small = count(small);
    auto& of_large = cells_of(node);
    for (std::size_t i = 0; i < of_large.size(); ++i) of_large[i] -= of_small[i];
    if (!keeps(small)) cells_.leave(std::exchange(small.handle.store, 0));
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    cells_.leave(node.handle.store);
    shared_.scan->settle(members(node), node.facts, leaves);
  }

  bool finishes(const OpenNode& node) const override { return node.facts.rows <= finish_at_; }

  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override {
    if (rest_.empty()) {
      for (const auto& node : nodes) lists_.grow_rest(shared_.rows, *shared_.scan, node, growing);
      return;
    }
    grow_subtrees(growth_.pool, nodes, growing, subtrees_,
                  [&](const OpenNode& node, GrowingTree& subtree, std::size_t thread) {
                    auto& rest = rest_[thread];
                    if (!rest) rest = std::make_unique<TallyEngine>(growth_, shared_, false);
                    rest->grow_rest(*this, node, subtree);
                  });
  }

 private:
  std::span<const Index> members(const OpenNode& node) const {
    return {shared_.rows.members() + node.handle.begin, shared_.rows.members() + node.handle.end};
  }
  NodeStatistics facts_of(const OpenNode& node) const {
    return shared_.scan->facts(members(node), recipe_.limits.min_impurity > 0);
  }

  // Grow a node of the engine that grows all, in this engine, into its tree.
  void grow_rest(TallyEngine& all, OpenNode node, GrowingTree& growing) {
    if (is_kept(node)) {
      auto& counted = all.cells_of(node);
      node.handle.store = cells_.add();
      cells_of(node) = std::move(counted);
    }
    grower_.grow(*this, node, growing);
  }

  // Whether the node's counts are kept.
  static bool is_kept(const OpenNode& node) { return node.handle.store > 0; }
  Cells& cells_of(const OpenNode& node) { return cells_.at(node.handle.store); }

  void read_labels(const OpenNode& node) { gather(labels_, growth_.target.classes, members(node)); }

  const Cells& count(OpenNode& node) {
    node.handle.store = cells_.add();
    auto& cells = cells_of(node);
    cells.assign(shared_.begins.back(), 0);
    read_labels(node);
    const auto n = node.handle.size();
    work_.scanned += std::int64_t{n} * static_cast<std::int64_t>(n_columns());
    // Counting a row takes a fifth of a step.
    const auto n_steps = rest_.empty() ? 0 : n * n_columns() / 5;
    growth_.pool.run_if_it_pays(n_steps, n_columns(), [&](std::size_t column, int thread) {
      heed_interrupts_before(n);
      count_column(node, column, cells.data(), spare_[static_cast<std::size_t>(thread)]);
    });
    return cells;
  }

  // Many rows are counted two at a time, separately: neighbours with the same code would wait for each other.
  void count_column(const OpenNode& node, std::size_t column, std::int32_t* cells, Cells& spare) const {
    const auto n_cells = shared_.begins[column + 1] - shared_.begins[column];
    cells += shared_.begins[column];
    const auto slots = members(node);
    const auto cell_of = [slots, codes = table_.orderings[column].code.data(), labels = labels_.data(),
                          n_classes = shared_.n_classes](std::size_t i) {
      return codes[slots[i]] * n_classes + labels[i];
    };
    std::size_t i = 0;
    if (slots.size() > 8 * n_cells) {
      spare.assign(n_cells, 0);
      for (auto* others = spare.data(); i + 2 <= slots.size(); i += 2) {
        ++cells[cell_of(i)];
        ++others[cell_of(i + 1)];
      }
      std::transform(spare.begin(), spare.end(), cells, cells, std::plus{});
    }
    for (; i < slots.size(); ++i) ++cells[cell_of(i)];
  }

  // Count the rows of each class in a node.
  void enter(const OpenNode& node) {
    totals_.assign(shared_.n_classes, 0);
    if (is_kept(node)) {  // any column has them
      const auto& cells = cells_of(node);
      for (std::size_t i = 0; i < shared_.begins[1]; i += shared_.n_classes) {
        for (std::size_t k = 0; k < shared_.n_classes; ++k) totals_[k] += cells[i + k];
      }
      return;
    }
    read_labels(node);
    for (const auto k : labels_) ++totals_[k];
  }

  // Counts of the current node. Those of few rows are made now, and hold until the next call.
  ColumnCounts counts_of(const OpenNode& node, std::size_t column) {
    const auto n_values = table_.orderings[column].n_distinct;
    if (is_kept(node))
      return {cells_of(node).data() + shared_.begins[column], totals_,
              std::span(shared_.all_codes).first(n_values)};
    const auto n_classes = shared_.n_classes;
    const auto slots = members(node);
    const auto* codes = table_.orderings[column].code.data();
    few_.assign(n_values * n_classes, 0);
    std::uint64_t present = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto code = codes[slots[i]];
      present |= std::uint64_t{1} << code;
      ++few_[code * n_classes + labels_[i]];
    }
    work_.scanned += node.facts.rows;
    std::size_t n_codes = 0;
    for (; present != 0; present &= present - 1)
      few_codes_[n_codes++] = static_cast<std::uint32_t>(std::countr_zero(present));
    return {few_.data(), totals_, std::span(few_codes_).first(n_codes)};
  }

  const Growth& growth_;
  Counting& shared_;
  const Table& table_{growth_.table};
  const Recipe& recipe_{growth_.recipe};
  std::unique_ptr<Scan<std::uint16_t>> search_;  // has no rows; scores counts only
  Grower grower_{recipe_, growth_.watch};
  ListEngine<NarrowLists<std::uint16_t>> lists_{shared_.scan->make_narrow(), recipe_, growth_.watch};
  std::uint32_t finish_at_;
  Stores<Cells> cells_;  // of nodes
  // Of the node that is counted or searched:
  std::vector<std::uint16_t> labels_;                                                // of its rows
  std::vector<std::int32_t> totals_ = std::vector<std::int32_t>(shared_.n_classes);  // by class
  Cells few_;  // counts of one column, if rows are few
  std::array<std::uint32_t, Counting::kVeryFewValues> few_codes_;
  std::vector<Cells> spare_;                        // one per thread
  std::vector<Index> right_;                        // buffer: rows that go right
  std::vector<std::unique_ptr<TallyEngine>> rest_;  // one per thread, if there are several
};

// For classes, in complete columns of few values, with many more rows than codes. All else needs rows in
// order: missing values, categories, weights. With a limit on leaves, small nodes could not go on in lists.
inline bool counts_values(const Growth& growth) {
  const auto& table = growth.table;
  const auto& target = growth.target;
  const auto& recipe = growth.recipe;
  return !growth.is_fractional && !recipe.criterion->is_function && has_plain_cuts(table, recipe) &&
         recipe.limits.max_leaves < 0 && target.n_classes > 1 && target.weights.all_equal() &&
         !table.columns.empty() && !table.has_gaps() &&
         std::all_of(table.orderings.begin(), table.orderings.end(),
                     [](auto& each) { return each.is_few; }) &&
         rows_to_keep_counts(table, target.n_classes) <= std::min(kNarrowRows, table.n_slots / 4);
}

}  // namespace treewright
