// The local engine where columns have few distinct values: a node has its rows counted by code and class,
// column by column, and there is one list to part. Counts are whole numbers: those of a child are those of
// its parent less those of its sibling, exactly. Nodes of few rows are counted again for each column if
// values are very few, and otherwise go on in lists.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "treewright/criteria/registry.hpp"       // for CriterionEntry
#include "treewright/engine/best_cut_engine.hpp"  // for BestCutEngine
#include "treewright/engine/coded_rows.hpp"       // for CodedRows
#include "treewright/engine/growth.hpp"           // for Growth
#include "treewright/engine/list_growth.hpp"      // for SmallLists
#include "treewright/engine/lists.hpp"            // for kNarrowRows
#include "treewright/engine/value_counts.hpp"     // for CountSearch, ColumnCounts
#include "treewright/kernels/partition.hpp"       // for part_one_by_one

namespace treewright {
namespace {

// The counts of a node of more rows than this are kept for its children. With fewer rows than counts, going
// through the counts takes longer than going through the rows; those of many classes are summed up at once.
// A value has a count for every class but one, which the others tell.
std::uint32_t rows_to_keep_counts(const Table& table, int n_classes) {
  std::size_t n_values = 0;
  for (const auto& ordering : table.orderings) n_values += ordering.n_distinct;
  const auto n_counts = n_values * static_cast<std::size_t>(n_classes - 1) / table.columns.size();
  return static_cast<std::uint32_t>(std::max<std::size_t>(64, n_classes > 2 ? n_counts / 2 : 2 * n_counts));
}

class TallyEngine final : public BestCutEngine {
  using Index = CodedRows::Index;
  using Cells = std::vector<std::int32_t>;

 public:
  // The whole table.
  explicit TallyEngine(const Growth& growth)
      : BestCutEngine(growth.recipe),
        watch_(growth.watch),
        pool_(&growth.pool),
        block_(growth.table, growth.target),
        scan_(growth.recipe.criterion->make_scan(growth)),
        search_(growth.recipe.criterion->make_counts(growth)),
        n_classes_(static_cast<std::size_t>(growth.target.n_classes)),
        keep_above_(rows_to_keep_counts(growth.table, growth.target.n_classes)) {
    std::uint32_t most = 0;  // values of a column
    for (const auto& ordering : growth.table.orderings) {
      begins_.push_back(begins_.back() + ordering.n_distinct * n_classes_);
      most = std::max(most, ordering.n_distinct);
    }
    all_codes_.resize(most);
    std::iota(all_codes_.begin(), all_codes_.end(), 0);
    counts_few_rows_ = n_classes_ > 2 && keep_above_ <= kFewRows && most <= kVeryFewValues;
    const auto n_threads = static_cast<std::uint32_t>(pool_->n_threads());
    // A thread that is alone needs no other block where the table is small.
    auto share = n_threads > 1 ? std::min(growth.table.n_slots / (4 * n_threads), kNarrowRows) : kNarrowRows;
    if (n_threads == 1 && growth.table.n_slots <= kNarrowRows) share = 0;
    finish_at_ = std::max(counts_few_rows_ ? 0 : keep_above_, share);
    spare_.resize(n_threads);
    rest_.resize(n_threads);
  }

  // An empty block for one thread, to be filled again and again from that of the whole table.
  explicit TallyEngine(const TallyEngine* whole)
      : BestCutEngine(whole->recipe_),
        watch_(whole->watch_),
        scan_(whole->scan_->make_wide()),
        search_(whole->search_->clone()),
        n_classes_(whole->n_classes_),
        keep_above_(whole->keep_above_),
        finish_at_(whole->counts_few_rows_ ? 0 : whole->keep_above_),
        counts_few_rows_(whole->counts_few_rows_),
        begins_(whole->begins_),
        all_codes_(whole->all_codes_),
        spare_(1) {}

  // The parts that threads grew come after the root's.
  static std::vector<GrowingTree> grow(const Growth& growth) {
    TallyEngine engine(growth);
    std::vector<GrowingTree> parts;
    parts.push_back(growth.grow_root(engine));
    std::move(engine.subtrees_.begin(), engine.subtrees_.end(), std::back_inserter(parts));
    return parts;
  }

  std::size_t n_columns() const override { return block_.n_columns(); }

  OpenNode root() override {
    OpenNode node{.handle = {0, block_.n_slots(), 0}};
    node.facts = facts_of(node);
    count(node);
    return node;
  }

  // Columns in order, each to beat the best of those before.
  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& candidates = proposal.candidates;
    candidates.resize(n_columns());
    work_.look_into_node<Index>();
    enter(node);
    search_->enter(totals_);
    const double enough = search_->best_possible();
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t column = 0; column < candidates.size(); ++column) {
      auto& candidate = candidates[column] = {};
      if (best >= enough) continue;
      heed_interrupts_before(node.handle.size());
      candidate.score.worth = best;
      const auto counts = counts_of(node, column);
      if (counts.codes.size() > 1) search_->offer_best(counts, recipe_.limits, candidate);
      if (!candidate.has_question()) continue;
      candidate.score.gain = search_->gain(candidate.decrease);
      best = std::max(best, candidate.score.worth);
    }
  }

  // Between the last code that goes left and the first of the others that a row has.
  Question ask_one(const OpenNode& node) override {
    const auto column = static_cast<std::size_t>(node.column);
    if (!is_kept(node)) enter(node);
    const auto counts = counts_of(node, column);
    const auto* code = counts.codes.data();
    for (auto rows = counts.rows(*code); rows < node.winner.n_left;) rows += counts.rows(*++code);
    const auto last = *code++;
    while (counts.rows(*code) == 0) ++code;
    auto question = threshold(node, block_.table().columns[column].between(
                                        block_.row_of_code(column, last), block_.row_of_code(column, *code)));
    question.last_code = last;
    return question;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children,
                 const std::function<bool(const OpenNode&)>& closes) override {
    const auto n = node.handle.size();
    const auto* codes = block_.codes(static_cast<std::size_t>(node.column));
    const auto goes_right = [codes, last = question.last_code](Index slot) { return codes[slot] > last; };
    if (right_.size() < n) right_.resize(n);
    const auto n_left =
        part_one_by_one(block_.members() + node.handle.begin, 0, n, goes_right, right_.data(), 0);
    work_.moved += n;
    children[0].handle = {node.handle.begin, node.handle.begin + n_left};
    children[1].handle = {node.handle.begin + n_left, node.handle.end};
    std::array<bool, 2> keeps;
    for (std::size_t branch = 0; branch < 2; ++branch) {
      children[branch].facts = facts_of(children[branch]);
      keeps[branch] = children[branch].facts.rows > keep_above_ && !closes(children[branch]);
    }
    const std::size_t small = children[0].facts.rows <= children[1].facts.rows ? 0 : 1, large = 1 - small;
    if (!keeps[large]) {
      forget_counts(node);
      if (keeps[small]) count(children[small]);
      return;
    }
    // What the larger one has is what its sibling has not.
    children[large].handle.store = node.handle.store;
    const auto& of_small = count(children[small]);
    auto& of_large = cells_of(node);
    for (std::size_t i = 0; i < of_large.size(); ++i) of_large[i] -= of_small[i];
    if (!keeps[small]) free_.push_back(std::exchange(children[small].handle.store, 0));
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    forget_counts(node);
    scan_->settle(members(node), node.facts, leaves);
  }

  bool finishes(const OpenNode& node) const override { return node.facts.rows <= finish_at_; }

  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override {
    if (pool_ == nullptr) {
      for (const auto& node : nodes) lists_.grow_rest(block_, *scan_, node, growing);
      return;
    }
    grow_subtrees(*pool_, recipe_.limits, nodes, growing, subtrees_,
                  [&](const OpenNode& node, GrowingTree& subtree, std::size_t thread) {
                    if (!rest_[thread]) rest_[thread] = std::make_unique<TallyEngine>(this);
                    rest_[thread]->grow_rest(*this, node, subtree);
                  });
  }

 private:
  static constexpr std::size_t kPaysForThreads = 100'000;  // rows times columns to count
  static constexpr std::uint32_t kVeryFewValues = 64;      // as many codes as a word has bits
  static constexpr std::uint32_t kFewRows = 8192;
  static constexpr std::size_t kClassesAtOnce = 8;

  std::span<const Index> members(const OpenNode& node) const {
    return {block_.members() + node.handle.begin, block_.members() + node.handle.end};
  }
  NodeStatistics facts_of(const OpenNode& node) const {
    return scan_->facts(members(node), recipe_.limits.min_impurity > 0);
  }

  // Grow a node of the whole table, here, into its tree.
  void grow_rest(TallyEngine& whole, OpenNode node, GrowingTree& growing) {
    if (!is_kept(node) && !counts_few_rows_)
      return lists_.grow_rest(whole.block_, *whole.scan_, node, growing);
    block_.gather_from(whole.block_, node.handle.begin, node.handle.end);
    scan_->take(*whole.scan_, whole.members(node));
    work_.moved += node.facts.rows * static_cast<std::int64_t>(1 + n_columns());
    if (is_kept(node)) {
      auto& counted = whole.cells_of(node);
      node.handle.store = store_counts();
      cells_of(node) = std::move(counted);
    }
    node.handle.end -= std::exchange(node.handle.begin, 0);
    grower_.grow(*this, node, growing);
  }

  // Where the counts of a node are kept, from 1 on.
  static bool is_kept(const OpenNode& node) { return node.handle.store > 0; }
  Cells& cells_of(const OpenNode& node) { return cells_[node.handle.store - 1]; }
  std::uint32_t store_counts() {
    if (free_.empty()) {
      cells_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(cells_.size()));
    }
    const auto store = free_.back();
    free_.pop_back();
    return store;
  }
  void forget_counts(const OpenNode& node) {
    if (is_kept(node)) free_.push_back(node.handle.store);
  }

  void read_labels(const OpenNode& node) {
    const auto slots = members(node);
    labels_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) labels_[i] = block_.class_of(slots[i]);
  }

  const Cells& count(OpenNode& node) {
    node.handle.store = store_counts();
    auto& cells = cells_of(node);
    cells.assign(begins_.back(), 0);
    read_labels(node);
    const auto n = node.handle.size();
    work_.scanned += std::int64_t{n} * static_cast<std::int64_t>(n_columns());
    const auto count_one = [&](std::size_t column, int thread) {
      heed_interrupts_before(n);
      count_column(node, column, cells.data(), spare_[static_cast<std::size_t>(thread)]);
    };
    if (pool_ != nullptr && std::size_t{n} * n_columns() >= kPaysForThreads) {
      pool_->run(n_columns(), count_one);
    } else {
      for (std::size_t column = 0; column < n_columns(); ++column) count_one(column, 0);
    }
    return cells;
  }

  // Where rows are many, two at a time, in counts of their own: neighbours often share a code, and would wait
  // for each other.
  void count_column(const OpenNode& node, std::size_t column, std::int32_t* cells, Cells& spare) const {
    const auto n_cells = begins_[column + 1] - begins_[column];
    const std::size_t n = node.handle.size(), n_classes = n_classes_;
    const auto* slots = members(node).data();
    const auto* codes = block_.codes(column);
    const auto* labels = labels_.data();
    cells += begins_[column];
    std::size_t i = 0;
    if (n > 8 * n_cells) {
      spare.assign(n_cells, 0);
      auto* others = spare.data();
      for (; i + 2 <= n; i += 2) {
        ++cells[codes[slots[i]] * n_classes + labels[i]];
        ++others[codes[slots[i + 1]] * n_classes + labels[i + 1]];
      }
      for (std::size_t cell = 0; cell < n_cells; ++cell) cells[cell] += others[cell];
    }
    for (; i < n; ++i) ++cells[codes[slots[i]] * n_classes + labels[i]];
  }

  // How many rows of each class a node has. If they are few, the classes present are numbered anew.
  void enter(const OpenNode& node) {
    totals_.assign(n_classes_, 0);
    if (is_kept(node)) {  // any column tells
      const auto& cells = cells_of(node);
      for (std::size_t i = 0; i < begins_[1]; i += n_classes_) {
        for (std::size_t k = 0; k < n_classes_; ++k) totals_[k] += cells[i + k];
      }
      return;
    }
    read_labels(node);
    for (const auto k : labels_) ++totals_[k];
    new_label_.resize(n_classes_);
    std::size_t n_present = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) {
      if (totals_[k] == 0) continue;
      new_label_[k] = static_cast<std::uint16_t>(n_present);
      totals_[n_present++] = totals_[k];
    }
    for (auto& label : labels_) label = new_label_[label];
    totals_.resize(n_present);
    totals_.resize((n_present + kClassesAtOnce - 1) / kClassesAtOnce * kClassesAtOnce);
  }

  // Of a node entered. Those of few rows are counted now, and hold until the next column is.
  ColumnCounts counts_of(const OpenNode& node, std::size_t column) {
    const auto n_values = block_.n_values(column);
    if (is_kept(node))
      return {cells_of(node).data() + begins_[column], n_classes_, std::span(all_codes_).first(n_values)};
    const auto n_classes = totals_.size();
    const auto slots = members(node);
    const auto* codes = block_.codes(column);
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
    return {few_.data(), n_classes, std::span(few_codes_).first(n_codes)};
  }

  Progress& watch_;
  Pool* pool_ = nullptr;  // the whole table's
  CodedRows block_;
  std::unique_ptr<Scan<Index>> scan_;
  std::unique_ptr<CountSearch> search_;
  Grower grower_{recipe_, watch_};
  SmallLists lists_{recipe_, watch_};
  std::size_t n_classes_;
  std::uint32_t keep_above_;  // counts of nodes of more rows are kept
  std::uint32_t finish_at_ = 0;
  bool counts_few_rows_ = false;
  std::vector<std::size_t> begins_{0};    // by column: its first cell; n_classes_ for every value
  std::vector<std::uint32_t> all_codes_;  // of the column that has most
  std::vector<Cells> cells_;              // of nodes
  std::vector<std::uint32_t> free_;       // stores
  // Of the node that is counted, or entered:
  std::vector<std::uint16_t> labels_;     // of its rows
  std::vector<std::int32_t> totals_;      // by class
  std::vector<std::uint16_t> new_label_;  // by class, where rows are few
  Cells few_;                             // counts of one column, where rows are few
  std::array<std::uint32_t, kVeryFewValues> few_codes_;
  std::vector<Cells> spare_;                        // one a thread
  std::vector<Index> right_;                        // at work: rows that go right
  std::vector<std::unique_ptr<TallyEngine>> rest_;  // one a thread; the whole table's
  std::vector<GrowingTree> subtrees_;
};

}  // namespace

// Classes in whole columns of few values, where the rows are many more than the codes. All else needs rows in
// order: missing values, categories, weights. With a limit on leaves no node leaves the block it began in,
// and small ones are better off in lists.
bool counts_values(const Growth& growth) {
  const auto& table = growth.table;
  const auto& target = growth.target;
  const auto& recipe = growth.recipe;
  return !growth.is_fractional && recipe.criterion->make_counts != nullptr && has_plain_cuts(table, recipe) &&
         recipe.limits.max_leaves < 0 && target.n_classes > 1 && target.weights.all_equal() &&
         !table.columns.empty() && !table.has_gaps() &&
         std::all_of(table.orderings.begin(), table.orderings.end(),
                     [](auto& each) { return each.is_few; }) &&
         rows_to_keep_counts(table, target.n_classes) <= std::min(kNarrowRows, table.n_slots / 4);
}

std::vector<GrowingTree> grow_by_counts(const Growth& growth) { return TallyEngine::grow(growth); }

}  // namespace treewright
