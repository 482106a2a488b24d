#include "treewright/local_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "treewright/absolute_scan.hpp"   // for AbsoluteScan
#include "treewright/block_growth.hpp"    // for BlockGrowth
#include "treewright/class_criteria.hpp"  // for MisclassificationOfClasses and its kin
#include "treewright/class_scan.hpp"      // for ClassScan
#include "treewright/growth.hpp"          // for Growth, grow_by_function
#include "treewright/two_sum_scan.hpp"    // for TwoSumScan

namespace treewright {
namespace {

// Picks the scan.
struct ScanChoice : BlockGrowth {
  // Whether weights are stored is settled here, once.
  template <bool kWeighted>
  Tree grow_with_weights() {
    switch (recipe.criterion) {
      case Criterion::Gini:
        if (target.n_classes == 2) return grow(TwoSumScan<TwoClasses<kWeighted>>{});
        return grow(ClassScan<GiniOfClasses<kWeighted>, kWeighted>{});
      case Criterion::Entropy:
        return grow_with_logs(ClassScan<EntropyOfClasses, kWeighted>{});
      case Criterion::Misclassification:
        return grow(ClassScan<MisclassificationOfClasses, kWeighted>{});
      case Criterion::TaylorEntropy:
        return grow(ClassScan<TaylorEntropyOfClasses<kWeighted>, kWeighted>{});
      case Criterion::Twoing:
        return grow(ClassScan<TwoingOfClasses, kWeighted>{});
      case Criterion::GainRatio:
        return grow_with_logs(ClassScan<GainRatioOfClasses, kWeighted>{});
      case Criterion::Variance:
        return grow_numbers<kWeighted, SquaredDistance>();
      case Criterion::Poisson:
        return grow_numbers<kWeighted, PoissonDeviance>();
      case Criterion::AbsoluteError:
        return grow(AbsoluteScan<kWeighted>(recipe.leaf_value));
      case Criterion::Function:
        return grow_by_function(*this);
    }
    throw std::invalid_argument("no such criterion");
  }

  template <class Scan>
  Tree grow_with_logs(Scan scan) {
    // Of no use for more numbers than a few sides of each row can have.
    const auto most = std::min<std::int64_t>(target.weights.total, 64 * std::int64_t{table.n_slots});
    const auto table_of_logs = x_log_x_table(most);
    scan.impurity.share_table(&table_of_logs);
    return grow(scan);
  }

  template <bool kWeighted, class NumberCriterion>
  Tree grow_numbers() {
    using Kind = Numbers<kWeighted, NumberCriterion>;
    return grow(TwoSumScan<Kind>(Kind(recipe.leaf_value)), reference_of<NumberCriterion>(target));
  }
};

// An order of answers by a column needs one number an answer, and one a value of the column.
void check_monotone(const Table& table, const Target& target, const Recipe& recipe) {
  if (recipe.monotone.size() != table.columns.size())
    throw std::invalid_argument("monotone must have one entry a column");
  if (recipe.criterion == Criterion::Function)
    throw std::invalid_argument("monotone does not go with a function as criterion");
  if (target.n_classes > 2) throw std::invalid_argument("monotone is for numbers or two classes");
  const bool by_median = recipe.criterion == Criterion::AbsoluteError;
  if (target.n_classes == 0 && by_median != (recipe.leaf_value == LeafValue::Median))
    throw std::invalid_argument("monotone needs medians with absolute_error, means with all else");
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (recipe.monotone[column] < -1 || recipe.monotone[column] > 1)
      throw std::invalid_argument("monotone must hold -1, 0 or 1");
    if (recipe.monotone[column] != 0 && table.is_categorical(column)) {
      throw std::invalid_argument("categories, which column " + std::to_string(column) +
                                  " holds, have no order to be monotone in");
    }
  }
}

void check_quinlan(const Target& target, const Recipe& recipe) {
  if (target.n_classes == 0 || recipe.criterion != Criterion::GainRatio || recipe.choice != Choice::Best ||
      recipe.is_monotone() || (recipe.missing != Missing::Spread && recipe.missing != Missing::Refuse)) {
    throw std::invalid_argument(
        "above_average_gain ranks gain_ratio of classes, of the best cuts, with missing values spread or "
        "refused");
  }
}

void check(const Table& table, const Target& target, const Recipe& recipe) {
  const bool numbers = target.n_classes == 0;
  if (recipe.criterion == Criterion::Function) {
    if (recipe.missing == Missing::Spread)
      throw std::invalid_argument("a function is not given rows in shares; missing may not be spread");
    if (!recipe.function) throw std::invalid_argument("the criterion is a function, and none was given");
    if (recipe.categories == Categories::Multiway) {
      throw std::invalid_argument("a function scores two branches, and multiway makes more");
    }
  } else if (numbers != (recipe.criterion >= Criterion::Variance)) {
    throw std::invalid_argument(
        "the criterion does not fit the target: variance, poisson and absolute_error are for "
        "numbers, all others for classes");
  }
  if (recipe.criterion == Criterion::Poisson &&
      std::any_of(target.numbers.begin(), target.numbers.end(), [](double number) { return number < 0; })) {
    throw std::invalid_argument("poisson is for targets of at least 0");
  }
  if (recipe.is_monotone()) check_monotone(table, target, recipe);
  if (recipe.categories == Categories::Groups && recipe.ranking != Ranking::AboveAverageGain)
    throw std::invalid_argument("groups of categories are for above_average_gain");
  if (recipe.ranking == Ranking::AboveAverageGain) check_quinlan(target, recipe);
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
  Growth given{table, target, recipe, pool, watch};
  const bool has_gaps = std::any_of(table.orderings.begin(), table.orderings.end(),
                                    [&](const auto& each) { return each.n_known < table.n_slots; });
  if (recipe.missing == Missing::Spread && has_gaps) return grow_in_shares(given);
  if (recipe.ranking == Ranking::AboveAverageGain) return grow_as_quinlan(given);
  ScanChoice choice{{given}};
  return target.weights.all_equal() ? choice.grow_with_weights<false>() : choice.grow_with_weights<true>();
}

}  // namespace treewright
