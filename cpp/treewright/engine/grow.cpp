#include "treewright/engine/grow.hpp"

#include "treewright/engine/counting_engine.hpp"    // for grow_counted
#include "treewright/engine/fractional_engine.hpp"  // for FractionalEngine
#include "treewright/engine/tally_engine.hpp"       // for counts_values, TallyEngine

namespace treewright {

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

void refuse_if(bool is_wrong, const std::string& why) {
  if (is_wrong) throw std::invalid_argument(why);
}

// Monotone answers need a single number per answer, and a number per value of the column.
void check_monotone(const Table& table, const Target& target, const Recipe& recipe) {
  refuse_if(recipe.monotone.size() != table.columns.size(), "monotone must have one entry a column");
  refuse_if(target.n_classes > 2, "monotone is for numbers or two classes");
  refuse_if(target.n_classes == 0 && recipe.criterion->by_median != (recipe.leaf_value == LeafValue::Median),
            "monotone needs medians with absolute_error, means with all else");
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto direction = recipe.monotone[column];
    refuse_if(direction < -1 || direction > 1, "monotone must hold -1, 0 or 1");
    refuse_if(
        direction != 0 && table.is_categorical(column),
        "categories, which column " + std::to_string(column) + " holds, have no order to be monotone in");
  }
}

void check(const Table& table, const Target& target, const Recipe& recipe) {
  const auto& criterion = *recipe.criterion;
  const std::string word(criterion.word);
  const auto missing = recipe.missing;
  const bool by_average = recipe.ranking == Ranking::AboveAverageGain;
  if (criterion.is_function) {
    refuse_if(missing == Missing::Spread,
              "a function is not given rows in shares; missing may not be spread");
    refuse_if(!recipe.function, "the criterion is a function, and none was given");
    refuse_if(recipe.categories == Categories::Multiway,
              "a function scores two branches, and multiway makes more");
  }
  refuse_if(target.n_classes > 0 ? !criterion.of_classes : !criterion.of_numbers,
            "the criterion does not fit the target: " + word + " is for " +
                (criterion.of_classes ? "classes" : "numbers"));
  refuse_if(criterion.needs_no_negatives &&
                std::ranges::any_of(target.numbers, [](double number) { return number < 0; }),
            word + " is for targets of at least 0");
  refuse_if(recipe.lets_rows_stop && missing != Missing::Surrogate,
            "rows may stop at a node only where missing is surrogate");
  if (recipe.is_monotone()) check_monotone(table, target, recipe);
  refuse_if(recipe.categories == Categories::Groups && !by_average,
            "groups of categories are for above_average_gain");
  refuse_if(
      by_average && (target.n_classes == 0 || !criterion.is_ratio || recipe.choice != Choice::Best ||
                     recipe.is_monotone() || (missing != Missing::Spread && missing != Missing::Refuse)),
      "above_average_gain ranks gain_ratio of classes, of the best cuts, with missing values spread or "
      "refused");
  refuse_if(
      recipe.limits_once_unknown && (recipe.categories != Categories::Groups || recipe.order != Order::Depth),
      "limits can change while a tree grows only with groups, depth first");
  refuse_if(!recipe.surrogates_for.empty() && recipe.surrogates_for.size() != table.columns.size(),
            "surrogates_for must have one entry a column");
  refuse_if(by_average && recipe.has_many_values.size() != table.columns.size(),
            "has_many_values must have one entry a column");
  for (std::size_t column = 0; missing == Missing::Refuse && column < table.orderings.size(); ++column) {
    refuse_if(table.orderings[column].n_known < table.n_slots,
              "column " + std::to_string(column) + " has missing values, which this recipe refuses");
  }
}

// Choose the engine. Lists support every option; the others are chosen only for what they support.
std::vector<GrowingTree> grow_parts(const Growth& growth) {
  const auto& criterion = *growth.recipe.criterion;
  auto& path = growth.watch.path;
  path = growth.is_fractional ? "rows in shares, " : "";
  if (auto parts = grow_counted(growth)) return std::move(*parts);
  order_columns(growth.table, growth.pool);
  if (growth.recipe.ranking == Ranking::AboveAverageGain) {
    path += "class weights, ranked as C4.5 does";
    return grow_quinlan(growth);
  }
  const bool counts = counts_values(growth);
  if (counts) path += "values counted, ";
  path += growth.target.n_classes == 2 && criterion.word == "gini" ? "two running sums" : criterion.carries;
  if (counts) {
    Counting shared(growth);
    TallyEngine engine(growth, shared, true);
    return growth.grow(engine);
  }
  list_slots(growth.table, growth.pool);
  if (growth.is_fractional) {
    FractionalEngine engine(growth);
    return growth.grow(engine);
  }
  ListEngine<TableLists> engine(criterion.make_scan(growth), growth.recipe, growth.watch, &growth.pool,
                                TableLists(growth.table));
  return growth.grow(engine);
}

constexpr double kRounded = 1e-6;  // of fractions: a side may be lighter than its limit by this

}  // namespace

Tree grow_tree(Table& table, const Target& given_target, const Recipe& given_recipe, Pool& pool,
               Progress& watch) {
  check(table, given_target, given_recipe);
  auto recipe = given_recipe;
  Target finer;
  const bool is_fractional = recipe.missing == Missing::Spread && table.has_gaps();
  if (is_fractional) {
    recipe.tie = 0x1p-33;  // fractions are rounded
    finer = given_target;
    finer.weights = in_fine_units(std::move(finer.weights));
    recipe.limits.measure_in(finer.weights.unit, kRounded);
    if (recipe.limits_once_unknown) recipe.limits_once_unknown->measure_in(finer.weights.unit, kRounded);
  } else {
    recipe.limits_once_unknown.reset();  // no value is missing
  }
  const auto& target = is_fractional ? finer : given_target;
  auto parts = grow_parts({table, target, recipe, pool, watch, is_fractional});
  watch.add({.sorted = table.n_sorted, .rounds = pool.n_rounds()});
  table.drop_lists();  // a large tree needs the memory
  const auto reference = recipe.criterion->reference;
  const bool has_reference = target.n_classes == 0 && reference != nullptr;
  return flatten(parts, target.weights.unit, has_reference ? reference(target) : 0, recipe);
}

}  // namespace treewright
