#include "treewright/local_engine.hpp"

#include <stdexcept>
#include <utility>

#include "treewright/absolute_scan.hpp"  // for AbsoluteScan
#include "treewright/block_engine.hpp"   // for BlockEngine
#include "treewright/class_scan.hpp"     // for ClassScan
#include "treewright/two_sum_scan.hpp"   // for TwoSumScan

namespace treewright {
namespace {

// Everything one growth shares.
struct Growth {
  Table& table;
  const Target& target;
  const Recipe& recipe;
  Pool& pool;
  Watch& watch;

  template <class Scan>
  Tree grow(const Scan& scan) {
    BlockEngine<TopBlock, Scan> engine(table, target, scan, recipe, pool, watch);
    Grower grower(recipe, watch);
    Sprout trunk;
    trunk.leaves.n_classes = target.n_classes;
    auto root = engine.root();
    root.id = trunk.add(root.facts.rows, root.facts.weight);
    grower.grow(engine, root, trunk);
    std::vector<Sprout> sprouts;
    sprouts.push_back(std::move(trunk));
    for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
    return flatten(sprouts, target.weights.unit, target.reference(), recipe.criterion);
  }

  // Whether weights are stored is settled here, once.
  template <bool kWeighted>
  Tree grow_with_weights() {
    if (recipe.criterion == Criterion::AbsoluteError) return grow(AbsoluteScan<kWeighted>(recipe.leaf_value));
    if (target.n_classes == 0)
      return grow(TwoSumScan<Numbers<kWeighted>>(Numbers<kWeighted>(recipe.leaf_value)));
    if (recipe.criterion == Criterion::Entropy) {
      ClassScan<EntropyOfClasses, kWeighted> scan;
      const auto table_of_logs = x_log_x_table(target.weights.total);
      scan.impurity.share_table(&table_of_logs);
      return grow(scan);
    }
    if (target.n_classes == 2) return grow(TwoSumScan<TwoClasses<kWeighted>>{});
    return grow(ClassScan<GiniOfClasses<kWeighted>, kWeighted>{});
  }

  static std::vector<double> x_log_x_table(std::int64_t most) {
    constexpr std::int64_t kLargest = 1 << 22;
    std::vector<double> logs(static_cast<std::size_t>(std::min(most + 1, kLargest)));
    for (std::size_t x = 0; x < logs.size(); ++x) logs[x] = x_log_x(static_cast<double>(x));
    return logs;
  }
};

void check(const Table& table, const Target& target, const Recipe& recipe) {
  const bool numbers = target.n_classes == 0;
  const bool of_numbers =
      recipe.criterion == Criterion::Variance || recipe.criterion == Criterion::AbsoluteError;
  if (numbers != of_numbers) {
    throw std::invalid_argument(
        "the criterion does not fit the target: variance and absolute error are for numbers, gini and "
        "entropy "
        "for classes");
  }
  if (recipe.missing != Missing::Refuse) return;
  for (std::size_t column = 0; column < table.orderings.size(); ++column) {
    if (table.orderings[column].n_known < table.n_slots) {
      throw std::invalid_argument("column " + std::to_string(column) +
                                  " has missing values, which this recipe refuses");
    }
  }
}

}  // namespace

Tree grow_locally(Table& table, const Target& target, const Recipe& recipe, Pool& pool, Watch& watch) {
  check(table, target, recipe);
  Growth growth{table, target, recipe, pool, watch};
  return target.weights.all_equal() ? growth.grow_with_weights<false>() : growth.grow_with_weights<true>();
}

}  // namespace treewright
