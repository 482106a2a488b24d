#include "treewright/engine/grow.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/criteria/registry.hpp"         // for CriterionEntry
#include "treewright/engine/coded_rows.hpp"         // for counts_values
#include "treewright/engine/fractional_engine.hpp"  // for FractionalEngine
#include "treewright/engine/growth.hpp"             // for Growth
#include "treewright/table/weights.hpp"             // for in_fine_units

namespace treewright {
namespace {

// An order of answers by a column needs one number an answer, and one a value of the column.
void check_monotone(const Table& table, const Target& target, const Recipe& recipe) {
  if (recipe.monotone.size() != table.columns.size())
    throw std::invalid_argument("monotone must have one entry a column");
  if (target.n_classes > 2) throw std::invalid_argument("monotone is for numbers or two classes");
  if (target.n_classes == 0 && recipe.criterion->by_median != (recipe.leaf_value == LeafValue::Median))
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
  if (target.n_classes == 0 || !recipe.criterion->is_ratio || recipe.choice != Choice::Best ||
      recipe.is_monotone() || (recipe.missing != Missing::Spread && recipe.missing != Missing::Refuse)) {
    throw std::invalid_argument(
        "above_average_gain ranks gain_ratio of classes, of the best cuts, with missing values spread or "
        "refused");
  }
}

void check(const Table& table, const Target& target, const Recipe& recipe) {
  const auto& criterion = *recipe.criterion;
  if (criterion.is_function) {
    if (recipe.missing == Missing::Spread)
      throw std::invalid_argument("a function is not given rows in shares; missing may not be spread");
    if (!recipe.function) throw std::invalid_argument("the criterion is a function, and none was given");
    if (recipe.categories == Categories::Multiway) {
      throw std::invalid_argument("a function scores two branches, and multiway makes more");
    }
  }
  if (target.n_classes > 0 ? !criterion.of_classes : !criterion.of_numbers) {
    throw std::invalid_argument("the criterion does not fit the target: " + std::string(criterion.word) +
                                " is for " + (criterion.of_classes ? "classes" : "numbers"));
  }
  if (criterion.needs_no_negatives &&
      std::any_of(target.numbers.begin(), target.numbers.end(), [](double number) { return number < 0; })) {
    throw std::invalid_argument(std::string(criterion.word) + " is for targets of at least 0");
  }
  if (recipe.lets_rows_stop && recipe.missing != Missing::Surrogate)
    throw std::invalid_argument("rows may stop at a node only where missing is surrogate");
  if (recipe.is_monotone()) check_monotone(table, target, recipe);
  if (recipe.categories == Categories::Groups && recipe.ranking != Ranking::AboveAverageGain)
    throw std::invalid_argument("groups of categories are for above_average_gain");
  if (recipe.ranking == Ranking::AboveAverageGain) check_quinlan(target, recipe);
  if (recipe.limits_once_unknown &&
      (recipe.categories != Categories::Groups || recipe.order != Order::Depth)) {
    throw std::invalid_argument("limits can change while a tree grows only with groups, depth first");
  }
  if (recipe.ranking == Ranking::AboveAverageGain && recipe.has_many_values.size() != table.columns.size())
    throw std::invalid_argument("has_many_values must have one entry a column");
  if (recipe.missing != Missing::Refuse) return;
  for (std::size_t column = 0; column < table.orderings.size(); ++column) {
    if (table.orderings[column].n_known < table.n_slots) {
      throw std::invalid_argument("column " + std::to_string(column) +
                                  " has missing values, which this recipe refuses");
    }
  }
}

// Which engine serves, in words.
std::string path_in_words(const Growth& growth, bool counts) {
  const auto& criterion = *growth.recipe.criterion;
  const bool by_sums = growth.target.n_classes == 2 && criterion.word == "gini";
  return std::string(growth.is_fractional ? "rows in shares, "
                     : counts             ? "values counted, "
                                          : "") +
         (growth.recipe.ranking == Ranking::AboveAverageGain ? "class weights, ranked as C4.5 does"
          : by_sums                                          ? "two running sums"
                                                             : criterion.carries);
}

// Rows without a value go down every branch.
std::vector<GrowingTree> grow_fractional(const Growth& growth) {
  const bool is_quinlan = growth.recipe.ranking == Ranking::AboveAverageGain;
  if (is_quinlan && is_grown_by_codes(growth.recipe)) return grow_by_codes(growth);
  list_slots(growth.table, growth.pool);
  auto scan = is_quinlan ? make_quinlan_scan(growth) : growth.recipe.criterion->make_scan(growth);
  FractionalEngine engine(growth.table, growth.target, std::move(scan), growth.recipe, growth.pool);
  std::vector<GrowingTree> parts;
  parts.push_back(growth.grow_root(engine));
  return parts;
}

std::vector<GrowingTree> grow_whole(const Growth& growth) {
  const auto& criterion = *growth.recipe.criterion;
  const bool counts =
      criterion.grow_counted != nullptr && counts_values(growth.table, growth.target, growth.recipe);
  growth.watch.path = path_in_words(growth, counts);
  if (counts) return criterion.grow_counted(growth);
  list_slots(growth.table, growth.pool);
  return grow_in_lists(growth, growth.recipe.ranking == Ranking::AboveAverageGain
                                   ? make_quinlan_scan(growth)
                                   : criterion.make_scan(growth));
}

constexpr double kRounded = 1e-6;  // of fractions: what a side must weigh may be what it weighs but for that

}  // namespace

Tree grow_tree(Table& table, const Target& given_target, const Recipe& given_recipe, Pool& pool,
               Progress& watch) {
  check(table, given_target, given_recipe);
  auto recipe = given_recipe;
  const auto flatten_all = [&](const Growth& growth, std::vector<GrowingTree> parts) {
    table.drop_lists();  // a large tree needs the room
    const auto reference = recipe.criterion->reference;
    const bool has_reference = growth.target.n_classes == 0 && reference != nullptr;
    return flatten(parts, growth.target.weights.unit, has_reference ? reference(growth.target) : 0, recipe,
                   pool);
  };
  if (recipe.missing != Missing::Spread || !table.has_gaps()) {
    recipe.limits_once_unknown.reset();  // no value is unknown
    const Growth growth{table, given_target, recipe, pool, watch};
    return flatten_all(growth, grow_whole(growth));
  }
  recipe.tie = 0x1p-33;  // fractions are rounded
  auto target = given_target;
  target.weights = in_fine_units(std::move(target.weights));
  recipe.limits.measure_in(target.weights.unit, kRounded);
  if (recipe.limits_once_unknown) recipe.limits_once_unknown->measure_in(target.weights.unit, kRounded);
  const Growth growth{table, target, recipe, pool, watch, true};
  watch.path = path_in_words(growth, false);
  return flatten_all(growth, grow_fractional(growth));
}

}  // namespace treewright
