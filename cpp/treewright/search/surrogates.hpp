// Splits on other columns that agree best with a node's own split (Breiman et al. 1984, 5.3).
#pragma once

#include "treewright/recipe/recipe.hpp"  // for Agreement

namespace treewright {

// Side of a row that has no value for the node's own split.
inline constexpr std::uint8_t kNoSide = 2;

// The least number of rows on either side of a surrogate; of categories, that agree and that disagree.
inline constexpr std::int64_t kRowsToTell = 2;

// The slots of a list that have a value: they come first.
template <class Block>
auto known_of(const Block& block, std::size_t column, std::span<const typename Block::Index> list) {
  if (!block.has_missing(column)) return list;
  const auto is_known = [&](auto slot) { return !block.is_missing(column, slot); };
  return list.first(static_cast<std::size_t>(std::ranges::partition_point(list, is_known) - list.begin()));
}

// Call look_at(code, begin, end) for the entries of each category of a list.
template <class Block, class Do>
void for_each_category(const Block& block, std::size_t column, std::span<const typename Block::Index> known,
                       const Do& look_at) {
  for (std::size_t begin = 0, end = 0; begin < known.size(); begin = end) {
    do heed_interrupts_at(++end);
    while (end < known.size() && block.same_value(column, known[begin], known[end]));
    look_at(block.table().columns[column].code(block.row(known[begin])), begin, end);
  }
}

// Weight and rows of either side.
struct SideTally {
  std::int64_t weight[2] = {0, 0}, rows[2] = {0, 0};
  std::int64_t n() const { return rows[0] + rows[1]; }
  std::int64_t majority() const { return std::max(weight[0], weight[1]); }
};

// A surrogate with the integers behind its agreement; -1: it is of no use.
struct FoundSurrogate {
  Surrogate surrogate;
  std::int64_t agreeing = -1, total = 0;
};

// The best surrogates for rows [begin, end) of a block, at most `most`. `side`: by slot, 0, 1 or kNoSide.
// `weight_of(slot)`: integers, so that agreements are exact. `run(look)` calls look(column) for every column
// that may be used.
template <class Block, class WeightOf, class Run>
std::vector<Surrogate> find_surrogates(const Block& block, std::uint32_t begin, std::uint32_t end,
                                       const std::uint8_t* side, const WeightOf& weight_of,
                                       Agreement agreement, std::size_t most, const Run& run) {
  using Slots = std::span<const typename Block::Index>;
  const auto add = [&](SideTally& sum, auto slot) {
    if (side[slot] == kNoSide) return;
    sum.weight[side[slot]] += weight_of(slot);
    ++sum.rows[side[slot]];
  };
  const auto tally = [&](Slots slots) {
    SideTally sum;
    for (const auto slot : slots) add(sum, slot);
    return sum;
  };
  const auto all = tally({block.members() + begin, block.members() + end});
  // Not if rows are few, or one is against all others of its weight: a second row beside it would go wrong.
  const bool weigh_1 = all.weight[0] == all.rows[0] && all.weight[1] == all.rows[1];
  if (most == 0 || all.n() < 2 * kRowsToTell || (weigh_1 && std::min(all.rows[0], all.rows[1]) <= 1))
    return {};

  const auto part_numbers = [&](std::size_t column, Slots known, const SideTally& both,
                                FoundSurrogate& found) {
    SideTally low;
    std::size_t best = 0;
    for (std::size_t i = 0; both.n() - low.n() >= kRowsToTell; add(low, known[i++])) {
      if (low.n() < kRowsToTell || block.same_value(column, known[i - 1], known[i])) continue;
      const auto straight = low.weight[0] + (both.weight[1] - low.weight[1]);
      const auto turned = low.weight[1] + (both.weight[0] - low.weight[0]);
      if (std::max(straight, turned) <= found.agreeing) continue;
      found.agreeing = std::max(straight, turned);
      found.surrogate.low_branch = straight >= turned ? 0 : 1;
      best = i;
    }
    if (best == 0) return;
    found.surrogate.cut =
        block.table().columns[column].between(block.row(known[best - 1]), block.row(known[best]));
  };
  // Each category goes to the side that has most of its weight.
  const auto part_categories = [&](std::size_t column, Slots known, FoundSurrogate& found) {
    const std::int32_t heavier = all.weight[0] > all.weight[1] ? 0 : 1;
    std::int64_t agreeing = 0, rows_agreeing = 0, rows_disagreeing = 0;
    for_each_category(block, column, known, [&](auto code, std::size_t first, std::size_t last) {
      const auto bucket = tally(known.subspan(first, last - first));
      if (bucket.n() == 0) return;
      auto to = heavier;
      if (bucket.weight[0] != bucket.weight[1]) to = bucket.weight[0] > bucket.weight[1] ? 0 : 1;
      found.surrogate.branch_of_code.add(code, to);
      agreeing += bucket.weight[to];
      rows_agreeing += bucket.rows[to];
      rows_disagreeing += bucket.rows[1 - to];
    });
    // As in rpart, whose surrogates these are: one that never errs is not kept.
    if (rows_agreeing >= kRowsToTell && rows_disagreeing >= kRowsToTell) found.agreeing = agreeing;
  };
  std::vector<FoundSurrogate> found_in(block.n_columns());
  run([&](std::size_t column) {
    heed_interrupts_before(end - begin);
    const auto known = known_of(block, column, {block.list(column) + begin, end - begin});
    const auto both = known.size() == end - begin ? all : tally(known);
    auto& found = found_in[column];
    found.surrogate.column = static_cast<std::int32_t>(column);
    block.table().is_categorical(column) ? part_categories(column, known, found)
                                         : part_numbers(column, known, both, found);
    const auto& base = agreement == Agreement::OfAll ? all : both;
    const auto majority = base.majority();
    found.total = base.weight[0] + base.weight[1];
    const auto share = [](std::int64_t part, std::int64_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole);
    };
    found.surrogate.agree = share(found.agreeing, found.total);
    found.surrogate.adjusted = share(found.agreeing - majority, found.total - majority);
    if (found.agreeing <= std::max(both.majority(), majority) || !(found.surrogate.adjusted > 1e-10))
      found.agreeing = -1;
  });
  std::erase_if(found_in, [](const auto& found) { return found.agreeing < 0; });
  std::ranges::stable_sort(found_in, [](const auto& a, const auto& b) {
    return static_cast<Int128>(a.agreeing) * b.total > static_cast<Int128>(b.agreeing) * a.total;
  });
  std::vector<Surrogate> best;
  for (auto& found : std::span(found_in).first(std::min(found_in.size(), most)))
    best.push_back(std::move(found.surrogate));
  return best;
}

}  // namespace treewright
