// Some of the table's slots with their lists. As nodes shrink, their rows are renumbered and copied to a
// block of narrower numbers, so that all data of a node lies in the nearest cache.
#pragma once

#include "treewright/engine/engine.hpp"      // for OpenNode
#include "treewright/kernels/kernels.hpp"    // for kReadPadding, kMostBytes
#include "treewright/search/scan.hpp"        // for Boundaries
#include "treewright/search/surrogates.hpp"  // for for_each_category
#include "treewright/table/column_sort.hpp"  // for ColumnSort
#include "treewright/table/table.hpp"        // for Table

namespace treewright {

// Nodes of at most this many rows are grown by one thread, in a block of 16-bit numbers.
inline constexpr std::uint32_t kNarrowRows = 32768;

// The whole table: lists in place, values compared by code or as they are in the caller's memory. Other
// threads may change them there, so two looks may disagree: they only decide whether there may be a cut.
class TableLists {
 public:
  using Index = std::uint32_t;

  explicit TableLists(Table& table) : table_(&table), members_(table.n_slots) {
    std::iota(members_.begin(), members_.end(), Index{0});
  }

  // Otherwise only members are kept; codes, or the values themselves, tell their order.
  bool has_lists() const { return n_columns() == 0 || !table_->orderings[0].list.empty(); }

  const Table& table() const { return *table_; }
  std::size_t n_columns() const { return table_->columns.size(); }
  Index n_slots() const { return table_->n_slots; }
  Index* list(std::size_t column) { return table_->orderings[column].list.data(); }
  const Index* list(std::size_t column) const { return table_->orderings[column].list.data(); }
  Index* members() { return members_.data(); }
  const Index* members() const { return members_.data(); }
  std::uint32_t row(Index slot) const { return table_->row(slot); }
  std::uint32_t table_slot(Index slot) const { return slot; }

  bool has_missing(std::size_t column) const { return table_->orderings[column].n_known < n_slots(); }
  bool is_missing(std::size_t column, Index slot) const {
    const auto& ordering = table_->orderings[column];
    if (!ordering.code.empty()) return ordering.code[slot] == kMissingCode;
    return !ordering.is_missing.empty() && ordering.is_missing[slot];
  }

  bool has_ties(std::size_t column) const {
    return table_->orderings[column].n_distinct < table_->orderings[column].n_known;
  }
  // The bit is quick to read, and nearly always enough to tell that no other slot has the same value.
  TREEWRIGHT_INLINE bool same_value(std::size_t column, Index a, Index b) const {
    const auto& is_tied = table_->orderings[column].is_tied;
    return (is_tied.empty() || is_tied[b]) && table_->has_same_value(column, a, b);
  }

 private:
  Table* table_;
  std::vector<Index> members_;
};

// Call put(i, rank) for the entries of a list, with ranks of their values; returns the number of ranks.
template <class Block, class Put>
std::uint32_t rank_values(const Block& block, std::size_t column, std::span<const typename Block::Index> list,
                          const Put& put) {
  std::uint32_t rank = 0;
  const auto put_all = [&](const auto& is_same) {
    for (std::uint32_t i = 0; i < list.size(); ++i) put(i, rank += i > 0 && !is_same(list[i - 1], list[i]));
  };
  if constexpr (requires { block.code(column); }) {
    const auto* code = block.has_ties(column) ? block.code(column) : nullptr;
    put_all([=](auto a, auto b) { return code != nullptr && code[a] == code[b]; });
  } else {
    put_all([&](auto a, auto b) { return block.same_value(column, a, b); });
  }
  return list.empty() ? 0 : rank + 1;
}

template <class IndexType>
class NarrowLists {
 public:
  using Index = IndexType;
  static constexpr Index kMissing = std::numeric_limits<Index>::max();
  static constexpr std::uint32_t kCapacity = kMissing;  // codes and slots stay below the mark for missing

  // Take the slots members[begin, end) of a wider block.
  template <class Wide>
  void take(const Wide& from, std::uint32_t begin, std::uint32_t end) {
    table_ = &from.table();
    n_ = end - begin;
    n_columns_ = from.n_columns();
    const auto* wide_members = from.members() + begin;
    const bool has_lists = from.has_lists();
    if (has_lists && narrow_of_.size() < from.n_slots()) narrow_of_.resize(from.n_slots());
    table_slot_.resize(n_);
    members_.resize(n_ + kReadPadding);
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (has_lists) narrow_of_[wide_members[i]] = static_cast<Index>(i);
      table_slot_[i] = from.table_slot(wide_members[i]);
      members_[i] = static_cast<Index>(i);
    }
    lists_.resize(n_ * n_columns_ + kReadPadding);
    columns_.resize(n_columns_);
    if (codes_.size() < n_ * n_columns_) codes_.resize(n_ * n_columns_);
    if constexpr (std::is_same_v<Wide, TableLists>) {
      if (!table_->is_ordered) return order_values();
    }
    for (std::size_t column = 0; column < n_columns_; ++column)
      has_lists ? take_list(from, column, begin)
                : list_codes(table_->orderings[column], wide_members, column);
  }

  static constexpr bool has_lists() { return true; }
  const Table& table() const { return *table_; }
  std::size_t n_columns() const { return n_columns_; }
  std::uint32_t n_slots() const { return n_; }
  Index* list(std::size_t column) { return lists_.data() + column * n_; }
  const Index* list(std::size_t column) const { return lists_.data() + column * n_; }
  Index* members() { return members_.data(); }
  const Index* members() const { return members_.data(); }
  std::uint32_t row(Index slot) const { return table_->row(table_slot_[slot]); }
  std::uint32_t table_slot(Index slot) const { return table_slot_[slot]; }

  bool has_missing(std::size_t column) const { return columns_[column].has_missing; }
  bool is_missing(std::size_t column, Index slot) const { return code(column)[slot] == kMissing; }
  bool has_ties(std::size_t column) const { return columns_[column].has_ties; }
  std::uint32_t n_values(std::size_t column) const { return columns_[column].n_values; }
  bool same_value(std::size_t column, Index a, Index b) const {
    return columns_[column].has_ties && code(column)[a] == code(column)[b];
  }

  // By slot, if there are ties or missing values.
  const Index* code(std::size_t column) const { return codes_.data() + column * n_; }

 private:
  struct Kind {
    bool has_missing, has_ties;
    std::uint32_t n_values;  // distinct ones
  };

  // Rank values anew among the slots taken; a column without ties or missing values needs no ranks.
  template <class Wide>
  void take_list(const Wide& from, std::size_t column, std::uint32_t begin) {
    const auto* wide = from.list(column) + begin;
    Index* narrow = list(column);
    for (std::uint32_t i = 0; i < n_; ++i) narrow[i] = narrow_of_[wide[i]];
    columns_[column] = {false, false, n_};
    if (!from.has_missing(column) && !from.has_ties(column)) return;
    Index* codes = codes_.data() + column * n_;
    auto n_known = n_;
    if (from.has_missing(column)) {
      for (; n_known > 0 && from.is_missing(column, wide[n_known - 1]); --n_known)
        codes[narrow[n_known - 1]] = kMissing;
    }
    const std::span known(wide, n_known);
    const auto is_same = [&](auto a, auto b) { return from.same_value(column, a, b); };
    if (n_known == n_ && std::ranges::adjacent_find(known, is_same) == known.end()) return;
    const auto put = [=](std::uint32_t i, std::uint32_t rank) {
      codes[narrow[i]] = static_cast<Index>(rank);
    };
    const auto n_values = rank_values(from, column, known, put);
    columns_[column] = {n_known < n_, n_values < n_known, n_values};
  }

  // Put the slots taken in order of their codes by counting; the whole table has n_distinct codes.
  template <class Slot>
  void list_codes(const Ordering& ordering, const Slot* slots, std::size_t column) {
    Index *codes = codes_.data() + column * n_, *narrow = list(column);
    next_.assign(ordering.n_distinct, 0);
    for (std::uint32_t i = 0; i < n_; ++i) ++next_[codes[i] = static_cast<Index>(ordering.code[slots[i]])];
    std::uint32_t sum = 0, n_here = 0;
    for (auto& next : next_) {
      n_here += next > 0;
      sum += std::exchange(next, sum);
    }
    for (std::uint32_t i = 0; i < n_; ++i) narrow[next_[codes[i]]++] = static_cast<Index>(i);
    columns_[column] = {false, n_here < n_, n_here};
  }

  // Put the slots taken in order of their values; adjacent columns are read together.
  void order_values() {
    for (std::size_t begin = 0, end = 0; begin < n_columns_; begin = end) {
      end = end_of_run(table_->columns, begin, 8);
      with_type(table_->columns[begin].type(), [&]<class Value>() {
        const auto row_of = [&](std::size_t slot) { return row(static_cast<Index>(slot)); };
        sort_.read<Value>(std::span(table_->columns).subspan(begin, end - begin), n_, row_of);
        for (auto column = begin; column < end; ++column) {
          const auto n_known = sort_.order<Value>(column - begin, order_);
          Index *codes = codes_.data() + column * n_, *narrow = list(column);
          std::uint32_t n_ties = 0;
          for (std::uint32_t i = 0; i < n_; ++i) {
            n_ties += n_ties < sort_.ties.size() && sort_.ties[n_ties] == i;
            narrow[i] = static_cast<Index>(order_[i]);
            codes[order_[i]] = i < n_known ? static_cast<Index>(i - n_ties) : kMissing;
          }
          columns_[column] = {n_known < n_, n_ties > 0, n_known - n_ties};
        }
      });
    }
  }

  const Table* table_ = nullptr;
  std::uint32_t n_ = 0;
  std::size_t n_columns_ = 0;
  std::vector<Index> lists_, codes_, members_, narrow_of_;
  ColumnSort sort_;
  std::vector<std::uint32_t> order_;  // buffer: slots of a column
  std::vector<std::uint32_t> table_slot_;
  std::vector<std::uint32_t> next_;  // buffer: where the slots of a code go
  std::vector<Kind> columns_;
};

// Whether adjacent entries of a list differ. Values no more than `min_gap` apart do not.
template <class Block>
struct Neighbours {
  using Index = typename Block::Index;
  const Block& block;
  std::size_t column;
  const Index* slots;
  double min_gap;

  Boundaries<Index> boundaries() const {
    if (min_gap == 0) {
      if (!block.has_ties(column)) return {};
      if constexpr (requires { block.code(column); }) return {.slots = slots, .code = block.code(column)};
    }
    return {.differ = differ, .context = this};
  }

  static bool differ(const void* neighbours, std::uint32_t i) {
    const auto& [block, column, slots, min_gap] = *static_cast<const Neighbours*>(neighbours);
    if (min_gap == 0) return !block.same_value(column, slots[i - 1], slots[i]);
    return block.table().columns[column].is_below(block.row(slots[i - 1]), block.row(slots[i]), min_gap);
  }
};

// A node's list of the winner's column.
template <class Block>
ListView<typename Block::Index> winner_list(const Block& block, const OpenNode& node) {
  const auto n = node.handle.size();
  return {block.list(node.column()) + node.handle.begin, n, n - node.winner.n_missing};
}

// Write the branch of every category: of a grouping's buckets, with codes rising, and of absent categories.
inline void write_set(const Grouping& grouping, std::span<const std::int32_t> codes, std::uint32_t n_declared,
                      Question& question) {
  const auto end = static_cast<std::int32_t>(n_declared);
  question.search = grouping.search;
  question.n_branches = grouping.is_each_apart ? end : grouping.n_branches;
  auto& branch_of_code = question.branch_of_code;
  if (grouping.is_each_apart) {
    branch_of_code = BranchOfCode::each(end);
    return;
  }
  std::int32_t next = 0;
  const auto add_absent = [&](std::int32_t until) {
    for (; grouping.branch_of_absent >= 0 && next < until; ++next)
      branch_of_code.add(next, grouping.branch_of_absent);
  };
  for (std::size_t bucket = 0; bucket < codes.size(); next = codes[bucket++] + 1) {
    add_absent(codes[bucket]);
    branch_of_code.add(codes[bucket], grouping.branch_of_bucket[bucket]);
  }
  add_absent(end);
}

// Write, by slot, the branch of every row with a value.
template <class Block, class Branch>
void mark_known(const Block& block, const OpenNode& node, const Question& question,
                std::vector<Branch>& branch_of) {
  const auto column = node.column();
  const auto known = winner_list(block, node).known();
  if (branch_of.size() < block.n_slots())
    branch_of.resize(std::max<std::size_t>(block.n_slots(), kMostBytes));
  if (!question.is_set()) {
    for (std::size_t i = 0; i < node.winner.n_left; ++i) branch_of[known[i]] = 0;
    for (std::size_t i = node.winner.n_left; i < known.size(); ++i) branch_of[known[i]] = 1;
    return;
  }
  // Codes rise along the list as in the set, so that one pass over each is enough.
  std::size_t at = 0;
  for_each_category(block, column, known, [&](std::int32_t code, std::size_t begin, std::size_t end) {
    while (question.branch_of_code.code[at] != code) ++at;
    const auto branch = static_cast<Branch>(question.branch_of_code.branch[at]);
    for (const auto slot : known.subspan(begin, end - begin)) branch_of[slot] = branch;
  });
}

// The same for every row. Rows without a value follow the first surrogate that knows them. The others take
// the branch of missing values or, if rows stop, the route behind the last branch.
template <class Block, class Branch>
void route_rows(const Block& block, const OpenNode& node, const Question& question,
                std::vector<Branch>& branch_of) {
  mark_known(block, node, question, branch_of);
  const auto otherwise = question.lets_rows_stop() ? question.n_branches : question.missing_branch;
  const auto missing = winner_list(block, node).missing();
  for (std::size_t i = 0; i < missing.size(); ++i) {
    heed_interrupts_at(i);
    const auto known = first_to_know(question.surrogates, block.table().columns, block.row(missing[i]));
    branch_of[missing[i]] = static_cast<Branch>(known.branch < 0 ? otherwise : known.branch);
  }
}

}  // namespace treewright
