#include "plans.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "treewright/criteria/registry.hpp"  // for find_criterion

namespace treewright::digests {
namespace {

struct Named {
  std::string name;
  void (*change)(Recipe&);
};

// Counts of values, short lists and sets of bits only find the best cuts; more than that needs lists.
const Named kPlain{"plain", [](Recipe&) {}};

const std::vector<Named> kWays{
    {"best first", [](Recipe& r) { r.order = Order::Best, r.limits.max_leaves = 25; }},
    {"levels",
     [](Recipe& r) { r.order = Order::Breadth, r.limits.min_gain = 1e-4, r.limits.least_leaf = 9; }},
    {"random cuts", [](Recipe& r) { r.choice = Choice::Random, r.seed = 5, r.limits.max_depth = 9; }},
    {"drawn columns", [](Recipe& r) { r.max_columns = 2, r.seed = 3, r.limits.max_depth = 8; }},
    {"large leaves", [](Recipe& r) { r.limits.min_rows_leaf = 7, r.limits.min_impurity = 0.05; }},
    {"ledger", [](Recipe& r) { r.keeps_ledger = true, r.limits.max_depth = 6; }},
    {"monotone", [](Recipe& r) { r.monotone = {1, 0, -1, 0, 0, 1}, r.limits.max_depth = 7; }},
};

const std::vector<Named> kMissing{
    {"learned", [](Recipe& r) { r.missing = Missing::Learned; }},
    {"majority", [](Recipe& r) { r.missing = Missing::Majority; }},
    {"own branch", [](Recipe& r) { r.missing = Missing::OwnBranch; }},
    {"spread", [](Recipe& r) { r.missing = Missing::Spread; }},
    {"surrogates", [](Recipe& r) { r.missing = Missing::Surrogate, r.max_surrogates = 3; }},
    {"rows that stop",
     [](Recipe& r) {
       r.missing = Missing::Surrogate, r.max_surrogates = 1, r.lets_rows_stop = true;
       r.agreement = Agreement::OfKnown;
     }},
};

const std::vector<Named> kCategories{
    {"multiway", [](Recipe& r) { r.categories = Categories::Multiway, r.missing = Missing::Majority; }},
    {"one against the rest", [](Recipe& r) { r.categories = Categories::OneVsRest; }},
};

void c45(Recipe& r) {
  r.ranking = Ranking::AboveAverageGain;
  r.has_many_values = {false, false, true, false, false, false};
  r.categories = Categories::Multiway;
  r.missing = Missing::Spread;
  r.cut_at = CutAt::Observed;
  r.min_gap = 1e-5;
  r.limits.least_leaf = 2;
  r.limits.least_split = 4;
  r.quinlan.tolerance = 1e-9;
}

const std::vector<Named> kQuinlan{
    {"C4.5", c45},
    {"J48", [](Recipe& r) { c45(r), r.quinlan.tolerance = 1e-6, r.quinlan.is_strict = true; }},
    {"C4.5 in groups", [](Recipe& r) { c45(r), r.categories = Categories::Groups, r.keeps_ledger = true; }},
    {"textbook C4.5",
     [](Recipe& r) {
       c45(r);
       r.cut_at = CutAt::Middle;
       r.min_gap = 0;
       r.quinlan = {.charges_tries = false,
                    .scales_side = false,
                    .unknown_is_branch = false,
                    .every_cut_counts = true,
                    .is_strict = true,
                    .slack = 1e-9,
                    .tolerance = 1e-9};
     }},
};

// A criterion of the caller's: the difference between the means of the sides, times the lighter weight.
void score_by_means(const CutsToScore& given, std::span<double> scores) {
  std::vector<double> sums{0}, weights{0};
  for (std::size_t i = 0; i < given.weights.size(); ++i) {
    const double y = given.numbers.empty() ? static_cast<double>(given.classes[i]) : given.numbers[i];
    sums.push_back(sums.back() + y * given.weights[i]);
    weights.push_back(weights.back() + given.weights[i]);
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto at = static_cast<std::size_t>(given.cuts[i]);
    const double left = weights[at], right = weights.back() - left;
    scores[i] = std::abs(sums[at] / left - (sums.back() - sums[at]) / right) * std::min(left, right);
  }
}

void add(std::vector<Plan>& plans, const DrawnTable& table, const std::string& criterion, const Named& way,
         bool of_classes, bool is_weighted) {
  Plan plan{table.name + ", " + criterion + (of_classes ? " of classes, " : " of numbers, ") + way.name,
            &table,
            {},
            of_classes,
            is_weighted};
  if (is_weighted) plan.name += ", weighted";
  plan.recipe.criterion = find_criterion(criterion);
  if (criterion == "function") plan.recipe.function = score_by_means;
  if (criterion == "absolute_error") plan.recipe.leaf_value = LeafValue::Median;
  if (table.n_rows() > 65'535 || criterion == "function") plan.recipe.limits.max_depth = 6;
  way.change(plan.recipe);
  plans.push_back(std::move(plan));
}

}  // namespace

std::vector<DrawnTable> draw_tables() {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 40;
  std::vector<DrawnTable> tables;
  tables.push_back(draw_table("many values", Kind::Numbers, kMany, 2000, 2));
  tables.push_back(draw_table("300 values", Kind::Numbers, 300, 1500, 2));
  tables.push_back(draw_table("12 values", Kind::Numbers, 12, 6000, 2));
  tables.push_back(draw_table("12 values, 5 classes", Kind::Numbers, 12, 6000, 5));
  tables.push_back(draw_table("types", Kind::Types, std::uint64_t{1} << 60, 700, 4));
  tables.push_back(draw_table("categories", Kind::Categories, kMany, 1000, 2));
  tables.push_back(draw_table("gaps", Kind::Gaps, kMany, 800, 3));
  tables.push_back(draw_table("gaps, 2 classes", Kind::Gaps, kMany, 500, 2));
  // More rows than 16 bits can number.
  tables.push_back(draw_table("many rows", Kind::Numbers, kMany, 70'000, 2));
  return tables;
}

std::vector<Plan> plans_for(const std::vector<DrawnTable>& tables) {
  std::vector<Plan> plans;
  std::size_t turn = 0;
  for (const auto& table : tables) {
    const bool has_categories = table.drawn[1].n_categories > 0, is_large = table.n_rows() > 65'535;
    for (const bool of_classes : {true, false}) {
      const auto words =
          of_classes ? std::vector<std::string>{"gini",   "entropy",    "misclassification", "taylor_entropy",
                                                "twoing", "gain_ratio", "function"}
                     : std::vector<std::string>{"variance", "poisson", "absolute_error", "function"};
      for (const auto& word : words) {
        add(plans, table, word, kPlain, of_classes, false);
        const auto& way = kWays[++turn % kWays.size()];
        const bool suits = way.name != "monotone" || !(has_categories || (of_classes && table.n_classes > 2));
        if (!is_large) add(plans, table, word, suits ? way : kWays[0], of_classes, turn % 2 == 0);
      }
    }
    if (is_large) continue;
    for (const bool is_weighted : {false, true}) {
      if (!has_categories && is_weighted) continue;
      for (const auto& way : table.has_gaps ? kMissing : std::vector<Named>{}) {
        add(plans, table, "gini", way, true, is_weighted);
        add(plans, table, "variance", way, false, is_weighted);
        add(plans, table, "absolute_error", way, false, is_weighted);
      }
      for (const auto& way : has_categories ? kCategories : std::vector<Named>{}) {
        add(plans, table, "entropy", way, true, is_weighted);
        add(plans, table, "gain_ratio", way, true, is_weighted);
        add(plans, table, "variance", way, false, is_weighted);
      }
      for (const auto& way : kQuinlan) add(plans, table, "gain_ratio", way, true, is_weighted);
    }
  }
  return plans;
}

}  // namespace treewright::digests
