#include "treewright/local_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/counted_block.hpp"  // for counts_values
#include "treewright/growth.hpp"         // for Growth
#include "treewright/logarithm.hpp"      // for x_log_x

namespace treewright {
namespace {

// An order of answers by a column needs one number an answer, and one a value of the column.
void check_monotone(const Table& table, const Target& target, const Recipe& recipe) {
  if (recipe.monotone.size() != table.columns.size())
    throw std::invalid_argument("monotone must have one entry a column");
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
  if (recipe.missing != Missing::Refuse) return;
  for (std::size_t column = 0; column < table.orderings.size(); ++column) {
    if (table.orderings[column].n_known < table.n_slots) {
      throw std::invalid_argument("column " + std::to_string(column) +
                                  " has missing values, which this recipe refuses");
    }
  }
}

// What a scan carries from cut to cut.
const char* scan_in_words(const Target& target, const Recipe& recipe) {
  if (recipe.ranking == Ranking::AboveAverageGain) return "class weights, ranked as C4.5 does";
  if (recipe.criterion == Criterion::Function) return "a function of the caller's";
  if (recipe.criterion == Criterion::AbsoluteError) return "medians that follow";
  const bool by_sums =
      target.n_classes == 0 || (target.n_classes == 2 && recipe.criterion == Criterion::Gini);
  return by_sums ? "two running sums" : "class weights";
}

}  // namespace

std::vector<double> x_log_x_table(std::int64_t most) {
  constexpr std::int64_t kLargest = 1 << 22;
  std::vector<double> logs(static_cast<std::size_t>(std::min(most + 1, kLargest)));
  for (std::size_t x = 0; x < logs.size(); ++x) logs[x] = x_log_x(static_cast<double>(x));
  return logs;
}

Tree grow_locally(Table& table, const Target& target, const Recipe& recipe, Pool& pool, Watch& watch) {
  check(table, target, recipe);
  Growth given{table, target, recipe, pool, watch};
  const bool in_shares = recipe.missing == Missing::Spread && table.has_gaps();
  given.counts_values = counts_values(table, target, recipe);
  watch.path = std::string(in_shares             ? "rows in shares, "
                           : given.counts_values ? "values counted, "
                                                 : "") +
               scan_in_words(target, recipe);
  const bool by_codes = in_shares && recipe.ranking == Ranking::AboveAverageGain && is_grown_by_codes(recipe);
  if (!given.counts_values && !by_codes) list_slots(table, pool);
  if (in_shares) return grow_in_shares(given);
  if (recipe.ranking == Ranking::AboveAverageGain) return grow_as_quinlan(given);
  if (recipe.criterion == Criterion::Function) return grow_by_function(given);
  return target.n_classes > 0 ? grow_classes(given) : grow_numbers(given);
}

}  // namespace treewright
