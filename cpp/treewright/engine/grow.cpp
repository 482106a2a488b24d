#include "treewright/engine/grow.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/criteria/registry.hpp"         // for CriterionEntry
#include "treewright/engine/fractional_engine.hpp"  // for FractionalEngine
#include "treewright/engine/grow.hpp"               // for Growth
#include "treewright/engine/grower.hpp"             // for Grower
#include "treewright/engine/list_engine.hpp"        // for ListEngine
#include "treewright/engine/tally_engine.hpp"       // for counts_values, grow_by_counts
#include "treewright/math/logarithm.hpp"            // for x_log_x
#include "treewright/table/weights.hpp"             // for in_fine_units

namespace treewright {

const std::vector<double>* Growth::look_up(double (*function)(double)) const {
  constexpr std::int64_t kLargest = 1 << 22;
  auto& values = tables->emplace_back(std::min(most_looked_up() + 1, kLargest));
  for (std::size_t x = 0; x < values.size(); ++x) values[x] = function(static_cast<double>(x));
  return &values;
}

const std::vector<double>* Growth::logs() const {
  return look_up([](double x) { return x_log_x(x); });
}

const std::vector<double>* Growth::inverses() const {
  return look_up([](double x) { return x > 0 ? 1 / x : 0; });
}

std::vector<GrowingTree> Growth::grow(Engine& engine) const {
  Grower grower(recipe, watch);
  std::vector<GrowingTree> parts(1);
  auto& trunk = parts[0];
  trunk.leaves.n_classes = target.n_classes;
  auto root = engine.root();
  root.id = trunk.add(root.facts.rows, root.facts.weight);
  root.path = recipe.root_path;
  root.bounds = recipe.root_bounds;
  grower.grow(engine, root, trunk);
  for (auto& subtree : engine.take_subtrees()) parts.push_back(std::move(subtree));
  return parts;
}

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

// Rows without a value go down every branch.
std::vector<GrowingTree> grow_fractional(const Growth& growth) {
  list_slots(growth.table, growth.pool);
  FractionalEngine engine(growth.table, growth.target, growth.recipe.criterion->make_scan(growth),
                          growth.recipe, growth.pool);
  return growth.grow(engine);
}

// Which engine serves. Lists have every option; the others are asked for no more than they have.
std::vector<GrowingTree> grow_parts(const Growth& growth) {
  const auto& criterion = *growth.recipe.criterion;
  auto& path = growth.watch.path;
  path = growth.is_fractional ? "rows in shares, " : "";
  if (growth.recipe.ranking == Ranking::AboveAverageGain) {
    path += "class weights, ranked as C4.5 does";
    return grow_quinlan(growth);
  }
  const bool counts = counts_values(growth);
  if (counts) path += "values counted, ";
  path += growth.target.n_classes == 2 && criterion.word == "gini" ? "two running sums" : criterion.carries;
  if (growth.is_fractional) return grow_fractional(growth);
  if (counts) return grow_by_counts(growth);
  list_slots(growth.table, growth.pool);
  ListEngine<TableLists> engine(growth.table, criterion.make_scan(growth), growth.recipe, growth.pool,
                                growth.watch);
  return growth.grow(engine);
}

constexpr double kRounded = 1e-6;  // of fractions: what a side must weigh may be what it weighs but for that

}  // namespace

Tree grow_tree(Table& table, const Target& given_target, const Recipe& given_recipe, Pool& pool,
               Progress& watch) {
  check(table, given_target, given_recipe);
  auto recipe = given_recipe;
  const auto grow_and_flatten = [&](const Growth& growth) {
    auto parts = grow_parts(growth);
    table.drop_lists();  // a large tree needs the room
    const auto reference = recipe.criterion->reference;
    const bool has_reference = growth.target.n_classes == 0 && reference != nullptr;
    return flatten(parts, growth.target.weights.unit, has_reference ? reference(growth.target) : 0, recipe);
  };
  if (recipe.missing != Missing::Spread || !table.has_gaps()) {
    recipe.limits_once_unknown.reset();  // no value is unknown
    const Growth growth{table, given_target, recipe, pool, watch};
    return grow_and_flatten(growth);
  }
  recipe.tie = 0x1p-33;  // fractions are rounded
  auto target = given_target;
  target.weights = in_fine_units(std::move(target.weights));
  recipe.limits.measure_in(target.weights.unit, kRounded);
  if (recipe.limits_once_unknown) recipe.limits_once_unknown->measure_in(target.weights.unit, kRounded);
  const Growth growth{table, target, recipe, pool, watch, true};
  return grow_and_flatten(growth);
}

}  // namespace treewright
