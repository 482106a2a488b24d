// Large nodes counted by bins of values: their bounds and bins, and that trees are the same as with lists.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/criteria/registry.hpp"
#include "treewright/engine/coded_rows.hpp"
#include "treewright/engine/grow.hpp"
#include "treewright/engine/lists.hpp"
#include "treewright/portable.hpp"
#include "treewright/search/cut_bounds.hpp"
#include "treewright/table/value_bins.hpp"

using namespace treewright;

namespace {

constexpr std::size_t kIntervals = 8;

TwoClassCount drawn_count(std::mt19937_64& draw, std::uint32_t most) {
  const auto rows = static_cast<std::uint32_t>(draw() % (most + 1));
  return {{rows}, static_cast<std::uint32_t>(draw() % (rows + 1))};
}

template <class Value>
void check_bins(const std::vector<Value>& values, ValueType type) {
  const Column column(values.data(), sizeof(Value), type);
  const auto n = static_cast<std::uint32_t>(values.size());
  const ValueBins bins(column, n);
  std::vector<std::uint8_t> bin(n), place(n);
  bins.write_bins(column, 0, n, bin.data(), 1);
  for (std::uint32_t i = 0; i < n; ++i) place[i] = bins.place_of(bin[i], column.real(i));
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](auto row) { return values[row]; });
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto row = order[i];
    CHECK(bins.bin_of(static_cast<double>(values[row])) == bin[row]);
    if (bins.holds_one_value(bin[row])) CHECK(values[bins.row_of(bin[row])] == values[row]);
    if (i == 0) continue;
    const auto before = order[i - 1];
    CHECK(bin[before] < bin[row] || (bin[before] == bin[row] && place[before] <= place[row]));
    if (values[before] == values[row]) CHECK(bin[before] == bin[row] && place[before] == place[row]);
  }
}

struct Grown {
  Tree tree;
  std::string path;
};

Grown grow_on(const std::vector<double>& values, Target target, const char* criterion,
              std::optional<std::uint32_t> count_above, int n_threads) {
  constexpr std::size_t n_columns = 4;
  const auto n = static_cast<std::uint32_t>(values.size() / n_columns);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < n_columns; ++i)
    columns.emplace_back(values.data() + i, static_cast<std::ptrdiff_t>(n_columns * sizeof(double)),
                         ValueType::Float64);
  Pool pool(n_threads);
  auto table = read_table(columns, {}, n, pool);
  target.weights = equal_weights(n);
  Recipe recipe;
  recipe.criterion = find_criterion(criterion);
  recipe.count_above = count_above;
  Progress watch;
  auto tree = grow_tree(table, target, recipe, pool, watch);
  return {std::move(tree), watch.path};
}

bool are_same(const Tree& a, const Tree& b) {
  const auto is_same_cut = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.question.column == b.question.column &&
         std::ranges::equal(a.question.cut, b.question.cut, is_same_cut) && a.gain == b.gain &&
         a.child == b.child && a.n_rows == b.n_rows && a.value == b.value;
}

}  // namespace

TEST(no_cut_inside_an_interval_is_better_than_its_bound) {
  std::mt19937_64 draw(1);
  for (const auto* criterion : {"gini", "twoing", "entropy", "taylor_entropy", "misclassification"}) {
    const auto bounds = cut_bounds<TwoClassRows>(criterion);
    for (int round = 0; round < 300; ++round) {
      const auto before = drawn_count(draw, 60), behind = drawn_count(draw, 60);
      std::vector<TwoClassCount> intervals(kIntervals);
      TwoClassCount all = before + behind;
      for (auto& each : intervals) all += each = drawn_count(draw, 12);
      bounds->enter(all, {});
      std::vector<double> scores(intervals.size()), inside(intervals.size());
      bounds->bound(intervals, before, scores.data(), inside.data());
      auto left = before;
      for (std::size_t i = 0; i < intervals.size(); ++i) {
        const auto here = intervals[i];
        const double bound = std::max({bounds->score(left), scores[i], inside[i]});
        CHECK(std::abs(scores[i] - bounds->score(left + here)) <= 1e-9);
        for (std::uint32_t zeros = 0; zeros <= here.rows - here.ones; ++zeros) {
          for (std::uint32_t ones = 0; ones <= here.ones; ++ones)
            CHECK(bounds->floor_below(bounds->score(left + TwoClassCount{{zeros + ones}, ones})) <= bound);
        }
        left += here;
      }
    }
  }
}

TEST(what_is_inside_an_interval_is_as_good_as_its_best_order) {
  const TwoClassCount left{{10}, 2}, here{{6}, 3}, all{{30}, 15};
  for (const auto* criterion : {"gini", "entropy"}) {
    const auto bounds = cut_bounds<TwoClassRows>(criterion);
    bounds->enter(all, {});
    std::vector<TwoClassCount> intervals(kIntervals);
    intervals[0] = here;
    std::vector<double> scores(intervals.size()), inside(intervals.size());
    bounds->bound(intervals, left, scores.data(), inside.data());
    const double best =
        std::max(bounds->score(left + TwoClassCount{{3}, 0}), bounds->score(left + TwoClassCount{{3}, 3}));
    CHECK(std::abs(inside[0] - best) <= 1e-9);
  }
}

// In the criterion's own units, scores have the same order as the exact ones.
TEST(bounds_know_which_of_two_cuts_is_better) {
  std::mt19937_64 draw(4);
  for (const auto* criterion : {"gini", "twoing", "entropy"}) {
    const auto bounds = cut_bounds<TwoClassRows>(criterion);
    const std::vector<std::uint16_t> classes{0, 1};
    Target target{.n_classes = 2, .classes = classes, .weights = equal_weights(2)};
    Recipe recipe;
    recipe.criterion = find_criterion(criterion);
    Pool pool(1);
    Progress watch;
    Table table;
    const auto scan = recipe.criterion->make_scan({table, target, recipe, pool, watch});
    const auto judge = scan->make_narrow();
    judge->take(*scan, {});
    for (int round = 0; round < 500; ++round) {
      const auto a = drawn_count(draw, 1000) + TwoClassCount{{1}, 0};
      const auto b = drawn_count(draw, 1000) + TwoClassCount{{1}, 1};
      const auto c = drawn_count(draw, 1000) + TwoClassCount{{1}, 0};
      const auto all = a + b + c;
      bounds->enter(all, {});
      std::vector<std::int32_t> cells;
      for (const auto& each : {a, b, c}) {
        cells.push_back(static_cast<std::int32_t>(each.rows - each.ones));
        cells.push_back(static_cast<std::int32_t>(each.ones));
      }
      const std::array<std::int32_t, 2> totals{static_cast<std::int32_t>(all.rows - all.ones),
                                               static_cast<std::int32_t>(all.ones)};
      const std::vector<std::uint32_t> codes{0, 1, 2};
      judge->enter_counts(totals);
      Candidate best;
      judge->best_counted_cut({cells.data(), totals, codes}, {1, all.rows - 1}, best);
      const double first = bounds->score(a), second = bounds->score(a + b);
      const bool is_first = best.n_left == a.rows;
      CHECK(is_first ? first >= bounds->floor_below(second) : second >= bounds->floor_below(first));
    }
  }
}

TEST(bins_and_places_rise_with_values_of_any_kind) {
  std::mt19937_64 draw(2);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1, 2, 50, 5000, 40'000}) {
    std::vector<double> plain(n), heavy(n), few(n), mostly_zero(n), close(n), huge(n), tiny(n);
    std::vector<float> narrow(n);
    std::vector<std::int64_t> whole(n), wide(n), beyond(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double number = normal(draw);
      plain[i] = number;
      heavy[i] = std::exp(8 * number);
      few[i] = static_cast<double>(draw() % 7) - 3;
      mostly_zero[i] = draw() % 3 > 0 ? (draw() % 2 > 0 ? 0.0 : -0.0) : number;
      close[i] = draw() % 2 > 0 ? 1 : std::nextafter(1, 2);
      huge[i] = (draw() % 2 > 0 ? 1.7e308 : -1.7e308) * (static_cast<double>(draw() % 1000) / 1000);
      tiny[i] = number * 1e-310;
      narrow[i] = static_cast<float>(number);
      whole[i] = static_cast<std::int64_t>(draw() % 1000);
      wide[i] = std::max(static_cast<std::int64_t>(draw()), kMissingInteger + 1);
      beyond[i] = (std::int64_t{1} << 60) + static_cast<std::int64_t>(draw() % 3);
    }
    for (const auto& values : {plain, heavy, few, mostly_zero, close, huge, tiny})
      check_bins(values, ValueType::Float64);
    check_bins(narrow, ValueType::Float32);
    for (const auto& values : {whole, wide, beyond}) check_bins(values, ValueType::Int64);
  }
}

TEST(twenty_columns_take_no_more_than_104_bytes_a_row) {
  const std::vector<double> values(20 * 50, 1.0);
  std::vector<Column> columns(20, Column(values.data(), 20 * sizeof(double), ValueType::Float64));
  Pool pool(1);
  auto table = read_table(columns, {}, 50, pool);
  const Target target{.numbers = std::vector<double>(50), .weights = equal_weights(50)};
  const Recipe recipe;
  Progress watch;
  const CodedRows<NumberRows<SquaredDistance, false>> coded({table, target, recipe, pool, watch});
  // Two buffers of records, the places, and the members of nodes that go on in lists.
  CHECK(2 * coded.stride() + coded.n_columns() + sizeof(TableLists::Index) <= 104);
}

namespace {

// Bounds hold for any order of the classes.
template <class Kind>
void check_class_bounds(std::uint64_t seed, std::int64_t most_weight) {
  std::mt19937_64 draw(seed);
  using Count = typename Kind::Count;
  constexpr auto kClasses = std::min<std::size_t>(5, Kind::kMost);
  const auto weight = [&](std::size_t k) {
    return Kind::kWeighted ? 1 + static_cast<std::int64_t>(k * 7919 + 1) % most_weight : 1;
  };
  const auto drawn = [&](std::uint64_t most) {
    Count count;
    for (std::size_t k = 0; k < kClasses; ++k) {
      for (auto n = draw() % most; n > 0; --n) count.add_row(k, weight(k));
    }
    return count;
  };
  for (const auto* criterion : {"gini", "twoing", "entropy", "taylor_entropy", "misclassification"}) {
    const auto bounds = cut_bounds<Kind>(criterion);
    const bool is_slow = criterion[0] == 'e' && Kind::kMost > 8;
    CHECK((bounds != nullptr) == (Kind::kWeighted ? criterion[0] != 'm' : !is_slow));
    for (int round = 0; bounds && round < 300; ++round) {
      const auto before = round % 4 == 0 ? Count{} : drawn(30), behind = round % 4 == 1 ? Count{} : drawn(30);
      std::vector<Count> intervals(kIntervals);
      auto all = before + behind;
      for (auto& each : intervals) all += each = drawn(1 + draw() % 8);
      if (all.rows == 0) continue;
      bounds->enter(all, {});
      std::vector<double> scores(intervals.size()), inside(intervals.size());
      bounds->bound(intervals, before, scores.data(), inside.data());
      auto left = before;
      for (std::size_t i = 0; i < intervals.size(); ++i) {
        const double bound = std::max({bounds->score(left), scores[i], inside[i]});
        std::vector<std::size_t> here;
        for (std::size_t k = 0; k < kClasses; ++k)
          here.insert(here.end(), static_cast<std::size_t>(intervals[i].of[k] / weight(k)), k);
        for (int order = 0; order < 8; ++order) {
          if (order > 0) std::ranges::shuffle(here, draw);
          auto some = left;
          for (const auto k : here) {
            some.add_row(k, weight(k));
            CHECK(bounds->floor_below(bounds->score(some)) <= bound);
          }
        }
        left += intervals[i];
        CHECK(std::abs(scores[i] - bounds->score(left)) <= 1e-9 * static_cast<double>(all.weight()));
      }
    }
  }
}

// Bounds hold for rows in any order, and for any number of them on the left; some numbers are outliers.
template <class Kind>
void check_number_bounds(const char* criterion) {
  std::mt19937_64 draw(5);
  std::normal_distribution<double> normal;
  constexpr bool kIsPoisson = std::is_same_v<typename Kind::Criterion, PoissonDeviance>;
  using Count = typename Kind::Count;
  const auto bounds = cut_bounds<Kind>(criterion);
  for (int round = 0; round < 1000; ++round) {
    const std::uint32_t n = 2 + draw() % 40;
    Target target;
    std::vector<double> weights;
    for (std::uint32_t row = 0; row < n; ++row) {
      target.numbers.push_back(normal(draw) * (draw() % 8 == 0 ? 1e6 : 1) + (round % 3 == 0 ? 1e9 : 0));
      if (kIsPoisson) target.numbers.back() = std::max(0.0, target.numbers.back());
      weights.push_back(round % 2 == 0 ? 1 + static_cast<double>(row % 3)
                                       : 0.1 + 1e-3 * static_cast<double>(row));
    }
    target.weights = Kind::kWeighted ? whole_weights(weights) : equal_weights(n);
    if (target.weights.all_equal() == Kind::kWeighted) continue;
    const typename Kind::Summary summary(target, 0, n);
    const typename Kind::Measure measure(target, summary);
    std::vector<Count> intervals(kIntervals);
    const auto before = draw() % 3 == 0 ? 0 : draw() % n;  // rows before the first interval
    std::vector<std::size_t> interval_of(n, intervals.size());
    Count all, left;
    for (std::uint32_t row = 0; row < n; ++row) {
      const auto count = measure.count(row);
      all += count;
      if (row < before) left += count;
      if (row >= before && draw() % 4 > 0) interval_of[row] = (row - before) * 3 / n;
    }
    // Rows of no interval come after all intervals.
    for (std::uint32_t row = 0; row < n; ++row) {
      if (interval_of[row] < intervals.size()) intervals[interval_of[row]] += measure.count(row);
    }
    bounds->enter(all, measure);
    std::vector<double> scores(intervals.size()), inside(intervals.size());
    bounds->bound(intervals, left, scores.data(), inside.data());
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const double closer = bounds->closer(left, intervals[i], inside[i]);
      CHECK(closer <= inside[i]);
      const double bound = std::max({bounds->score(left), scores[i], closer});
      CHECK(scores[i] == bounds->score(left + intervals[i]));
      std::vector<std::uint32_t> here;
      for (std::uint32_t row = 0; row < n; ++row) {
        if (interval_of[row] == i) here.push_back(row);
      }
      for (int order = 0; order < 20; ++order) {
        std::ranges::shuffle(here, draw);
        if (order < 2) std::ranges::sort(here, {}, [&](auto row) { return target.numbers[row]; });
        if (order == 1) std::ranges::reverse(here);
        auto some = left;
        for (const auto row : here) {
          some += measure.count(row);
          CHECK(bounds->floor_below(bounds->score(some)) <= bound);
        }
      }
      left += intervals[i];
    }
  }
}

}  // namespace

TEST(no_cut_inside_an_interval_of_many_classes_is_better_than_its_bound) {
  check_class_bounds<ClassRows<8, false>>(7, 1);
  check_class_bounds<ClassRows<32, false>>(8, 1);
  check_class_bounds<ClassRows<2, true>>(9, 5);
  check_class_bounds<ClassRows<8, true>>(10, std::int64_t{1} << 50);
  check_class_bounds<ClassRows<32, true>>(11, 3);
}

TEST(no_cut_inside_an_interval_of_numbers_is_better_than_its_bound) {
  check_number_bounds<NumberRows<SquaredDistance, false>>("variance");
  check_number_bounds<NumberRows<SquaredDistance, true>>("variance");
  check_number_bounds<NumberRows<PoissonDeviance, false>>("poisson");
  check_number_bounds<NumberRows<PoissonDeviance, true>>("poisson");
}

// The judge rounds the numbers of a node to steps of its own; the engine may use the wider steps of an
// ancestor.
TEST(scores_of_wider_steps_are_near_those_of_the_judge) {
  std::mt19937_64 draw(6);
  std::normal_distribution<double> normal;
  using Kind = NumberRows<SquaredDistance, false>;
  const auto bounds = cut_bounds<Kind>("variance");
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t n = 4 + draw() % 300, n_above = n + 1000;
    Target target;
    for (std::uint32_t row = 0; row < n_above; ++row)
      target.numbers.push_back(row < n ? 0.1 * normal(draw) : normal(draw));
    const Kind::Measure measure(target, {target, 0, n_above});
    const Kind::Summary summary(target, 0, n);
    const NumberGrid grid(summary.low, summary.high - summary.low, n);
    Kind::Count all, left;
    Int128 exact_all = 0, exact_left = 0;
    for (std::uint32_t row = 0; row < n; ++row) {
      all += measure.count(row);
      exact_all += grid.whole(target.numbers[row]);
    }
    bounds->enter(all, measure);
    for (std::uint32_t row = 0; row + 1 < n; ++row) {
      left += measure.count(row);
      exact_left += grid.whole(target.numbers[row]);
      const double away = static_cast<double>(exact_left * n - exact_all * (row + 1)) / n;
      const double steps = std::ldexp(away, grid.exponent - measure.grid.exponent);
      const double exact = steps * steps * n / ((row + 1.0) * (n - row - 1.0));
      const double score = bounds->score(left);
      CHECK(bounds->floor_below(score) <= exact && bounds->floor_below(exact) <= score);
    }
  }
}

TEST(counted_nodes_give_the_tree_of_lists) {
  std::mt19937_64 draw(3);
  std::normal_distribution<double> normal;
  constexpr std::size_t kRows = 40'000;
  for (const double noise : {0.2, 1000.0}) {
    std::vector<double> values;
    Target classes{.n_classes = 2}, numbers;
    for (std::size_t row = 0; row < kRows; ++row) {
      const double a = normal(draw), b = normal(draw), c = normal(draw);
      values.insert(values.end(), {a, std::round(4 * b), std::exp(5 * c), normal(draw)});
      const double number = a + b * c + noise * normal(draw);
      numbers.numbers.push_back(number);
      classes.classes.push_back(number > 0);
    }
    for (const auto* criterion : {"gini", "twoing", "entropy", "variance"}) {
      const auto& target = criterion[0] == 'v' ? numbers : classes;
      const auto by_lists = grow_on(values, target, criterion, {}, 1);
      CHECK(!by_lists.path.starts_with("large nodes counted by bins"));
      const bool had = uses_avx2;
      for (const int n_threads : {1, 2}) {
        for (const bool has_avx2 : {had, false}) {
          uses_avx2 = has_avx2;
          const auto counted = grow_on(values, target, criterion, 500, n_threads);
          uses_avx2 = had;
          CHECK(counted.path.starts_with("large nodes counted by bins"));
          CHECK(are_same(counted.tree, by_lists.tree));
        }
      }
    }
  }
}
