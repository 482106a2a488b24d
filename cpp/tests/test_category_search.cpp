#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/criteria/classes.hpp"
#include "treewright/search/categories.hpp"
#include "treewright/search/classes.hpp"

using namespace treewright;

namespace {

constexpr int kTables = 1000;

// Categories with their class weights, of five kinds in turn.
std::vector<ClassBucket> random_table(std::mt19937& draw, int character, std::size_t n_categories,
                                      std::size_t n_classes) {
  std::vector<ClassBucket> buckets(n_categories);
  for (auto& bucket : buckets) {
    bucket.weights.resize(n_classes);
    const auto any = [&] { return draw() % n_classes; };
    const auto favourite = any();
    const auto n_rows = 1 + draw() % (2u << draw() % 8);
    switch (character % 5) {
      case 0:  // every class about equally likely in every category
        for (auto& weight : bucket.weights) weight = draw() % 21;
        break;
      case 1:  // so few rows that many sets tie
        for (auto& weight : bucket.weights) weight = draw() % 4;
        break;
      case 2:  // of any size, each with a favourite class
        for (std::uint32_t i = 0; i < n_rows; ++i) ++bucket.weights[draw() % 2 ? favourite : any()];
        break;
      case 3:  // of any size, all with the same distribution
        for (std::uint32_t i = 0; i < n_rows; ++i) ++bucket.weights[std::min(any(), any())];
        break;
      default:  // one class outweighs the others
        for (std::uint32_t i = 0; i < n_rows; ++i) ++bucket.weights[draw() % 4 ? 0 : any()];
    }
    // No category is empty and no class is absent: there are more categories than classes.
    ++bucket.weights[static_cast<std::size_t>(&bucket - buckets.data()) % n_classes];
    for (const auto weight : bucket.weights) bucket.weight += weight;
    bucket.rows = bucket.weight;
  }
  return buckets;
}

// The worth of the best set found, if all sets are tried for up to `most_enumerated` categories.
template <class Impurity>
double best_worth(Impurity impurity, const std::vector<ClassBucket>& storage, std::size_t most_enumerated) {
  const auto n_classes = storage[0].weights.size();
  std::vector<std::int64_t> totals(n_classes);
  std::vector<std::uint16_t> present;
  for (std::size_t k = 0; k < n_classes; ++k) {
    for (const auto& bucket : storage) totals[k] += bucket.weights[k];
    present.push_back(static_cast<std::uint16_t>(k));
  }
  Sides sides;
  impurity.enter(sides.start(totals, present));
  auto with_missing = storage;
  with_missing.push_back({std::vector<std::int64_t>(n_classes)});
  ClassBuckets<Impurity> buckets(impurity, sides, with_missing);
  const Limits limits;
  Candidate best;
  Grouping grouping;
  CategorySearch search(buckets, limits, best, grouping);
  search.find({Categories::Subset, std::nullopt}, most_enumerated);
  CHECK(grouping.search == (storage.size() > most_enumerated ? Search::Heuristic : Search::Exact));
  return best.score.worth;
}

// How often orders and single moves find the best set, on tables of 8 to 14 categories and 3 to 6 classes.
template <class Impurity>
int n_optimal(const Impurity& impurity) {
  std::mt19937 draw(1);
  int found = 0;
  for (int table = 0; table < kTables; ++table) {
    const auto n_categories = 8 + draw() % 7, n_classes = 3 + draw() % 4;
    auto buckets = random_table(draw, table, n_categories, n_classes);
    const double best = best_worth(impurity, buckets, 14), ours = best_worth(impurity, buckets, 0);
    CHECK(ours <= best);
    found += ours == best;
  }
  return found;
}

template <class Impurity>
int n_optimal_with_logs() {
  std::vector<double> logs(1 << 12);
  for (std::size_t x = 0; x < logs.size(); ++x) logs[x] = x_log_x(static_cast<double>(x));
  Impurity impurity;
  impurity.share_table(&logs);
  return n_optimal(impurity);
}

constexpr int kEnough = kTables * 99 / 100;

}  // namespace

TEST(the_search_for_sets_finds_the_best_by_gini) { CHECK(n_optimal(GiniOfClasses<false>{}) >= kEnough); }
TEST(the_search_for_sets_finds_the_best_by_entropy) {
  CHECK(n_optimal_with_logs<EntropyOfClasses>() >= kEnough);
}
TEST(the_search_for_sets_finds_the_best_by_gain_ratio) {
  CHECK(n_optimal_with_logs<GainRatioOfClasses>() >= kEnough);
}
TEST(the_search_for_sets_finds_the_best_by_twoing) { CHECK(n_optimal(TwoingOfClasses{}) >= kEnough); }
TEST(the_search_for_sets_finds_the_best_by_taylor_entropy) {
  CHECK(n_optimal(TaylorEntropyOfClasses<false>{}) >= kEnough);
}
TEST(the_search_for_sets_finds_the_best_by_misclassification) {
  CHECK(n_optimal(MisclassificationOfClasses{}) >= kEnough);
}
