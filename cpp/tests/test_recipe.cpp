#include <functional>
#include <vector>

#include "check.hpp"
#include "treewright/engine/bit_engine.hpp"
#include "treewright/recipe/recipe.hpp"

using namespace treewright;

namespace {

// Engines on counts and on bits check this before they accept a recipe.
bool is_plain(const std::function<void(Recipe&)>& change) {
  Table table;
  table.n_categories.assign(3, 0);
  Recipe recipe;
  change(recipe);
  return has_plain_cuts(table, recipe);
}

// Adding a field to Recipe or Limits breaks the build here: then test below whether engines that only know
// the best cut support the new field.
[[maybe_unused]] void name_all(Recipe& recipe) {
  [[maybe_unused]] auto& [criterion, function, choice, categories, missing, order, leaf_value, ranking, tie,
                          quinlan, has_many_values, penalty, cut_at, min_gap, limits, limits_once_unknown,
                          monotone, max_columns, max_surrogates, agreement, surrogates_for, lets_rows_stop,
                          seed, count_above, keeps_ledger, lists_every_cut, root_path, root_bounds] = recipe;
  [[maybe_unused]] auto& [max_depth, min_rows_split, min_rows_leaf, least_leaf, least_split, min_weight_leaf,
                          min_weight_split, max_leaves, min_gain, needs_gain, min_impurity] = limits;
}

}  // namespace

TEST(fast_engines_decline_recipes_that_ask_for_more_than_the_best_cut) {
  const std::vector<std::function<void(Recipe&)>> changes{
      [](Recipe& r) { r.function = [](const CutsToScore&, std::span<double>) {}; },
      [](Recipe& r) { r.choice = Choice::Random; },
      [](Recipe& r) { r.missing = Missing::Surrogate; },
      [](Recipe& r) {
        r.missing = static_cast<Missing>(static_cast<int>(Missing::Refuse) + 1);
      },  // a value added later
      [](Recipe& r) { r.ranking = Ranking::AboveAverageGain; },
      [](Recipe& r) { r.cut_at = CutAt::Observed; },
      [](Recipe& r) { r.min_gap = 0.5; },
      [](Recipe& r) { r.limits_once_unknown = Limits{}; },
      [](Recipe& r) { r.monotone = {0, 1, 0}; },
      [](Recipe& r) { r.max_columns = 2; },
      [](Recipe& r) { r.lets_rows_stop = true; },
      [](Recipe& r) { r.keeps_ledger = true; },
      [](Recipe& r) { r.root_bounds.high = 1; },
  };
  for (const auto& change : changes) CHECK(!is_plain(change));
}

TEST(fast_engines_serve_recipes_whose_options_they_have_or_that_mean_nothing_to_them) {
  const std::vector<std::function<void(Recipe&)>> changes{
      [](Recipe&) {},
      [](Recipe& r) { r.categories = Categories::Multiway; },
      [](Recipe& r) { r.missing = Missing::Majority; },
      [](Recipe& r) { r.missing = Missing::OwnBranch; },
      [](Recipe& r) { r.missing = Missing::Spread; },
      [](Recipe& r) { r.missing = Missing::Refuse; },
      [](Recipe& r) { r.order = Order::Best; },
      [](Recipe& r) { r.leaf_value = LeafValue::Median; },
      [](Recipe& r) { r.tie = 0x1p-33; },
      [](Recipe& r) { r.quinlan.slack = 0; },
      [](Recipe& r) { r.has_many_values = {true, false, false}; },
      [](Recipe& r) { r.penalty = Penalty::None; },
      [](Recipe& r) { r.limits = {3, 4, 2, 1, 2, 1, 2, 9, 0.1, true, 0.2}; },
      [](Recipe& r) { r.max_surrogates = 1; },
      [](Recipe& r) { r.agreement = Agreement::OfKnown; },
      [](Recipe& r) { r.surrogates_for = {true, false, false}; },
      [](Recipe& r) { r.seed = 7; },
      [](Recipe& r) { r.count_above = 7; },
      [](Recipe& r) { r.lists_every_cut = true; },
      [](Recipe& r) { r.root_path = 7; },
  };
  for (const auto& change : changes) CHECK(is_plain(change));
}

TEST(fast_engines_decline_tables_with_categories_or_other_weights) {
  Table table;
  table.n_categories.assign(2, 0);
  CHECK(has_plain_cuts(table, Recipe{}));
  table.own_weights = {1, 2};
  CHECK(!has_plain_cuts(table, Recipe{}));
  table.own_weights.clear();
  table.n_categories[1] = 4;
  CHECK(!has_plain_cuts(table, Recipe{}));
}
