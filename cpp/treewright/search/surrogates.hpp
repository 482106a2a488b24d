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

// `side`: by slot, 0, 1 or kNoSide. `weight_of(slot)`: integers, so that agreements are exact.
template <class Block, class WeightOf>
class SurrogateSearch {
 public:
  using Index = typename Block::Index;

  SurrogateSearch(const Block& block, std::uint32_t begin, std::uint32_t end, const std::uint8_t* side,
                  const WeightOf& weight_of, Agreement agreement)
      : block_(block), begin_(begin), end_(end), side_(side), weight_of_(weight_of), agreement_(agreement) {
    all_ = tally({block.members() + begin, block.members() + end});
  }

  // The best of all columns but the split's own. `run(n, look)` calls look(column) for all that may be used.
  template <class Run>
  std::vector<Surrogate> find(std::size_t own_column, std::size_t most, const Run& run) const {
    if (most == 0 || !may_agree()) return {};
    std::vector<Found> found(block_.n_columns());
    run(found.size(), [&](std::size_t column) {
      if (column != own_column) found[column] = best_of(column);
    });
    std::erase_if(found, [](const Found& each) { return each.agreeing < 0; });
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return static_cast<Int128>(a.agreeing) * b.total > static_cast<Int128>(b.agreeing) * a.total;
    });
    std::vector<Surrogate> best;
    for (auto& each : std::span(found).first(std::min(found.size(), most)))
      best.push_back(std::move(each.surrogate));
    return best;
  }

 private:
  // A surrogate with the integers behind its agreement; -1: it is of no use.
  struct Found {
    Surrogate surrogate;
    std::int64_t agreeing = -1, total = 0;
  };

  // Weight and rows of either side.
  struct Tally {
    std::int64_t weight[2] = {0, 0};
    std::int64_t rows[2] = {0, 0};
    std::int64_t n() const { return rows[0] + rows[1]; }
    std::int64_t majority() const { return std::max(weight[0], weight[1]); }
  };

  // Not if rows are few, or one is against all others of its weight: a second row beside it would go wrong.
  bool may_agree() const {
    const auto& [weight, rows] = all_;
    const bool weigh_1 = weight[0] == rows[0] && weight[1] == rows[1];
    return all_.n() >= 2 * kRowsToTell && (!weigh_1 || std::min(rows[0], rows[1]) > 1);
  }

  void add(Tally& sum, Index slot) const {
    const auto side = side_[slot];
    if (side == kNoSide) return;
    sum.weight[side] += weight_of_(slot);
    ++sum.rows[side];
  }
  Tally tally(std::span<const Index> slots) const {
    Tally sum;
    for (const auto slot : slots) add(sum, slot);
    return sum;
  }

  // The best surrogate on a column.
  Found best_of(std::size_t column) const {
    heed_interrupts_before(end_ - begin_);
    const auto known = known_of(block_, column, {block_.list(column) + begin_, end_ - begin_});
    const auto both = known.size() == end_ - begin_ ? all_ : tally(known);
    Found found;
    found.surrogate.column = static_cast<std::int32_t>(column);
    block_.table().is_categorical(column) ? part_categories(column, known, found)
                                          : part_numbers(column, known, both, found);
    const auto& base = agreement_ == Agreement::OfAll ? all_ : both;
    const auto majority = base.majority();
    found.total = base.weight[0] + base.weight[1];
    const auto share = [](std::int64_t part, std::int64_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole);
    };
    found.surrogate.agree = share(found.agreeing, found.total);
    found.surrogate.adjusted = share(found.agreeing - majority, found.total - majority);
    if (found.agreeing <= std::max(both.majority(), majority) || !(found.surrogate.adjusted > 1e-10))
      found.agreeing = -1;
    return found;
  }

  void part_numbers(std::size_t column, std::span<const Index> known, const Tally& both, Found& found) const {
    Tally low;
    std::size_t best = 0;
    for (std::size_t i = 0; both.n() - low.n() >= kRowsToTell; add(low, known[i++])) {
      if (low.n() < kRowsToTell || block_.same_value(column, known[i - 1], known[i])) continue;
      const auto straight = low.weight[0] + (both.weight[1] - low.weight[1]);
      const auto turned = low.weight[1] + (both.weight[0] - low.weight[0]);
      if (std::max(straight, turned) <= found.agreeing) continue;
      found.agreeing = std::max(straight, turned);
      found.surrogate.low_branch = straight >= turned ? 0 : 1;
      best = i;
    }
    if (best == 0) return;
    found.surrogate.cut =
        block_.table().columns[column].between(block_.row(known[best - 1]), block_.row(known[best]));
  }

  // Each category goes to the side that has most of its weight.
  void part_categories(std::size_t column, std::span<const Index> known, Found& found) const {
    const std::int32_t heavier = all_.weight[0] > all_.weight[1] ? 0 : 1;
    std::int64_t agreeing = 0, rows_agreeing = 0, rows_disagreeing = 0;
    for_each_category(block_, column, known, [&](auto code, std::size_t begin, std::size_t end) {
      const auto bucket = tally(known.subspan(begin, end - begin));
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
  }

  const Block& block_;
  std::uint32_t begin_, end_;
  const std::uint8_t* side_;
  const WeightOf& weight_of_;
  Agreement agreement_;
  Tally all_;
};

}  // namespace treewright
