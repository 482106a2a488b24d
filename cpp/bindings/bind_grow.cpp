#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>

#include "arrays.hpp"
#include "interruptible.hpp"
#include "tree_arrays.hpp"
#include "treewright/criteria/registry.hpp"  // for find_criterion
#include "treewright/engine/grow.hpp"
#include "treewright/recipe/random.hpp"
#include "treewright/table/table.hpp"

namespace treewright::bindings {
namespace {

using nb::literals::operator""_a;

template <class Value>
using Words = std::map<std::string, Value>;

// The core's choice for a word that Python gives.
template <class Value>
Value choose(const char* name, const std::string& word, const Words<Value>& words) {
  const auto found = words.find(word);
  if (found != words.end()) return found->second;
  std::string known;
  for (const auto& [each, value] : words) known += (known.empty() ? "'" : ", '") + each + "'";
  throw nb::value_error(
      (std::string(name) + "='" + word + "' is not known to the core; it knows " + known).c_str());
}

struct ClassTarget {
  Vector<std::int32_t> codes;
  int n_classes;

  ClassTarget(Vector<std::int32_t> given, int n_classes_given)
      : codes(std::move(given)), n_classes(n_classes_given) {
    check_n_classes(n_classes);
    for (std::size_t row = 0; row < codes.shape(0); ++row) checked(row, codes.data()[row]);
  }

  std::uint16_t checked(std::size_t row, std::int32_t code) const {
    return checked_class(row, code, n_classes);
  }
};

struct NumberTarget {
  Vector<double> values;

  explicit NumberTarget(Vector<double> given) : values(std::move(given)) {
    for (std::size_t row = 0; row < values.shape(0); ++row) checked(row, values.data()[row]);
  }

  static double checked(std::size_t row, double value) {
    if (!(std::abs(value) <= 1e150))
      refuse_entry("values", row, value, "targets must be finite and at most 1e150 in size");
    return value;
  }
};

// A Python function as the core calls it: it gets arrays of its own and returns one float64 per cut.
ScoreCuts score_cuts(nb::callable function) {
  return [function = std::move(function)](const CutsToScore& given, std::span<double> scores) {
    const nb::gil_scoped_acquire acquire;
    const auto copy = [](const auto& values) { return to_numpy(std::vector(values.begin(), values.end())); };
    const auto targets =
        given.numbers.empty() ? nb::cast(copy(given.classes)) : nb::cast(copy(given.numbers));
    const auto result = function(targets, copy(given.weights), copy(given.cuts));
    Vector<double> found;
    if (!nb::try_cast(result, found) || found.shape(0) != scores.size())
      throw nb::value_error("the criterion's function must give a float64 for each cut");
    std::copy_n(found.data(), scores.size(), scores.begin());
  };
}

// Copy the values of the rows that take part. `checked(row, value)` returns what is kept: it checks again, as
// other threads may have changed the value since the first check.
template <class Value, class Checked>
auto by_slot(std::span<const Value> by_row, const std::vector<bool>& takes_part, const Checked& checked) {
  std::vector<decltype(checked(0, Value{}))> kept;
  if (takes_part.empty()) kept.reserve(by_row.size());
  for (std::size_t row = 0; row < by_row.size(); ++row) {
    if (takes_part.empty() || takes_part[row]) kept.push_back(checked(row, by_row[row]));
  }
  return kept;
}

// The columns of a table, for any number of growths; put in order once, if growths need it.
class SharedTrainingSet {
 public:
  SharedTrainingSet(const std::vector<AnyColumn>& columns, std::size_t n_rows, int n_threads,
                    const std::optional<std::vector<std::uint32_t>>& n_categories)
      : columns_(columns), n_rows_(n_rows) {
    if (n_threads < 1) throw nb::value_error("n_threads must be at least 1");
    check_n_rows(std::max(n_rows, columns_.n_rows));
    if (n_rows == 0) throw nb::value_error("the table has no rows; a tree grows from one row or more");
    if (!columns.empty() && columns_.n_rows != n_rows)
      throw nb::value_error(("columns of " + with_commas(columns_.n_rows) + " rows, where " +
                             with_commas(n_rows) + " were told")
                                .c_str());
    auto categories = n_categories.value_or(std::vector<std::uint32_t>(columns.size()));
    take_codes(categories);
    table_ = interruptible([&] {
      Pool pool(threads_for(n_threads));
      return std::make_shared<Table>(
          read_table(columns_.views, std::move(categories), static_cast<std::uint32_t>(n_rows), pool));
    });
  }

  std::size_t n_rows() const { return n_rows_; }

  // The rows that take part (empty: all), in order. The last growth takes over the orders themselves.
  Table take(const std::vector<bool>& takes_part, bool is_last, int n_threads) {
    if (!table_)
      throw std::invalid_argument("a training set that was handed over has nothing left to grow on");
    const auto table = is_last ? std::exchange(table_, nullptr) : table_;
    if (is_last && takes_part.empty() && table.use_count() == 1) return std::move(*table);
    return interruptible([&] {  // without the GIL: other threads may take rows now, too
      Pool pool(threads_for(n_threads));
      const std::lock_guard lock(ordering_);
      if (!is_last) order_columns(*table, pool);  // for all that come
      return take_rows(*table, takes_part, pool);
    });
  }

 private:
  // Copy the codes of categories while checking them: growth uses them as indices again and again, and other
  // threads may change the caller's array. Numbers are only compared, and stay where they are.
  void take_codes(const std::vector<std::uint32_t>& n_categories) {
    if (n_categories.size() != columns_.views.size())
      throw nb::value_error("n_categories must have one entry a column");
    codes_.resize(n_categories.size());
    for (std::size_t i = 0; i < n_categories.size(); ++i) {
      auto& column = columns_.views[i];
      if ((n_categories[i] > 0) != (column.type() == ValueType::Category))
        throw nb::value_error("a column of int32 codes needs its number of categories, others have none");
      if (n_categories[i] == 0) continue;
      if (n_categories[i] > kMostRows)
        refuse_entry("n_categories", i, n_categories[i],
                     "int32 codes tell no more than " + with_commas(kMostRows));
      auto& codes = codes_[i];
      codes.resize(columns_.n_rows);
      std::int32_t most = -1;
      for (std::size_t row = 0; row < codes.size(); ++row)
        most = std::max(most, codes[row] = column.code(row));
      const auto last = static_cast<std::int32_t>(n_categories[i] - 1);
      if (most > last) {
        const auto wrong = std::ranges::find_if(codes, [=](auto code) { return code > last; });
        refuse_entry(("columns[" + std::to_string(i) + "]").c_str(),
                     static_cast<std::size_t>(wrong - codes.begin()), *wrong,
                     "the column has " + with_commas(n_categories[i]) + " categories");
      }
      column = {codes.data(), sizeof(std::int32_t), ValueType::Category};
      columns_.kept[i] = {};
    }
  }

  int threads_for(int n_threads) const { return n_rows_ * columns_.views.size() < 20'000 ? 1 : n_threads; }

  Columns columns_;
  std::vector<std::vector<std::int32_t>> codes_;  // by column; empty for numeric ones
  std::size_t n_rows_;
  std::shared_ptr<Table> table_;  // null: handed over to a growth
  std::mutex ordering_;           // held while columns are put in order
};

// The rows of a training set that take part, with their target; for one growth.
class LocalEngine {
 public:
  LocalEngine(SharedTrainingSet& training_set, const std::variant<ClassTarget, NumberTarget>& target,
              const std::optional<Vector<double>>& weights, int n_threads,
              const std::optional<Vector<double>>& own_weights, bool is_last)
      : n_threads_(n_threads) {
    const std::size_t n_rows = training_set.n_rows();
    if (n_threads < 1) throw nb::value_error("n_threads must be at least 1");
    if (std::visit([](const auto& t) { return rows_of(t); }, target) != n_rows)
      throw nb::value_error("columns and target of unequal length");
    std::vector<bool> takes_part;
    std::vector<double> given;
    if (weights) {
      if (weights->shape(0) != n_rows) throw nb::value_error("weights and target of unequal length");
      for (const double w : span_of(*weights)) {
        check_weight("weights", takes_part.size(), w);
        takes_part.push_back(w > 0);
        if (w > 0) given.push_back(w);
      }
      if (given.empty()) throw nb::value_error("all weights are zero");
      if (given.size() == n_rows) takes_part.clear();
    }
    if (const auto* classes = std::get_if<ClassTarget>(&target)) {
      target_.classes = by_slot(span_of(classes->codes), takes_part, [&](std::size_t row, std::int32_t code) {
        return classes->checked(row, code);
      });
      target_.n_classes = classes->n_classes;
    } else {
      target_.numbers =
          by_slot(span_of(std::get<NumberTarget>(target).values), takes_part, &NumberTarget::checked);
    }
    std::vector<double> own;
    if (own_weights) {
      if (own_weights->shape(0) != n_rows) throw nb::value_error("own_weights and target of unequal length");
      own = by_slot(span_of(*own_weights), takes_part, [](std::size_t row, double weight) {
        check_weight("own_weights", row, weight);
        if (weight == 0) refuse_entry("own_weights", row, weight, "a row that takes part weighs something");
        return weight;
      });
    }
    const auto n_slots = static_cast<std::uint32_t>(weights ? given.size() : n_rows);
    target_.weights = weights ? whole_weights(std::move(given)) : equal_weights(n_slots);
    table_ = training_set.take(takes_part, is_last, n_threads);
    if (own_weights) {
      auto whole = whole_weights(std::move(own));
      if (whole.all_equal()) whole.of_slot.assign(n_slots, 1);
      table_.own_weights = std::move(whole.of_slot);
    }
  }

  std::int64_t n_rows() const { return table_.n_slots; }

  nb::object n_missing() const {
    std::vector<std::int64_t> missing;
    for (const auto& ordering : table_.orderings) missing.push_back(table_.n_slots - ordering.n_known);
    return to_numpy(std::move(missing));
  }

  auto first_infinite() const { return table_.first_infinite; }

  Tree grow(Recipe recipe, const std::optional<std::function<void(std::int64_t, std::int64_t)>>& progress) {
    if (std::exchange(is_used_up_, true)) throw nb::value_error("an engine grows one tree; make another");
    recipe.limits.measure_in(target_.weights.unit);
    Progress watch;
    const auto report = [&] {
      if (progress) (*progress)(watch.rows_settled.load(), table_.n_slots);
    };
    const auto grow = [&] {
      // A Python function has only one thread to run in.
      const bool is_alone = recipe.function || std::size_t{table_.n_slots} * table_.columns.size() < 20'000;
      Pool pool(is_alone ? 1 : n_threads_);
      if (recipe.cut_at == CutAt::Observed) table_.remember_order(pool);
      auto tree = grow_tree(table_, target_, recipe, pool, watch);
      n_threads_ = pool.n_threads();
      return tree;
    };
    auto tree = interruptible(grow, report);
    work_ = watch.work;
    max_depth_ = tree.max_depth;
    path_ = std::move(watch.path);
    return tree;
  }

  nb::dict work() const {
    nb::dict out;
    out["path"] = path_;
    out["n_threads"] = n_threads_;
    out["n_sorted"] = work_.sorted;
    out["n_scanned"] = work_.scanned;
    out["n_moved"] = work_.moved;
    out["n_alone"] = work_.alone;
    out["n_rounds"] = work_.rounds;
    out["max_depth"] = max_depth_;
    out["n_nodes"] = nb::make_tuple(work_.n_nodes[0], work_.n_nodes[1], work_.n_nodes[2]);
    return out;
  }

 private:
  static std::size_t rows_of(const ClassTarget& target) { return target.codes.shape(0); }
  static std::size_t rows_of(const NumberTarget& target) { return target.values.shape(0); }

  int n_threads_;
  Table table_;
  Target target_;
  bool is_used_up_ = false;
  Work work_;
  std::int32_t max_depth_ = 0;
  std::string path_;
};

}  // namespace

void bind_grow(nb::module_& m) {
  nb::class_<ClassTarget>(m, "Classes",
                          "Target of a classification tree: a code per row, 0 .. n_classes - 1.")
      .def(nb::init<Vector<std::int32_t>, int>(), "codes"_a, "n_classes"_a);
  nb::class_<NumberTarget>(m, "Numbers", "Target of a regression tree: a finite float per row.")
      .def(nb::init<Vector<double>>(), "values"_a);

  nb::class_<Quinlan>(m, "Quinlan", "The numbers that tell C4.5 and its variants apart.")
      .def(
          "__init__",
          [](Quinlan* self, bool by_ratio, bool charges_tries, bool scales_side, bool unknown_is_branch,
             bool every_cut_counts, bool is_strict, std::int64_t n_classes, double slack, double tolerance) {
            new (self) Quinlan{.by_ratio = by_ratio,
                               .charges_tries = charges_tries,
                               .scales_side = scales_side,
                               .unknown_is_branch = unknown_is_branch,
                               .every_cut_counts = every_cut_counts,
                               .is_strict = is_strict,
                               .n_classes = n_classes,
                               .slack = slack,
                               .tolerance = tolerance};
          },
          nb::kw_only(), "by_ratio"_a = true, "charges_tries"_a = true, "scales_side"_a = true,
          "unknown_is_branch"_a = true, "every_cut_counts"_a = false, "is_strict"_a = false,
          "n_classes"_a = 0, "slack"_a = 1e-3, "tolerance"_a = 0.0);

  nb::class_<Recipe>(m, "Recipe", "One choice per seam, in the core's words.")
      .def(
          "__init__",
          [](Recipe* self, const std::string& criterion, const std::string& splitter,
             const std::string& missing, const std::string& order, std::int64_t max_depth,
             std::int64_t min_rows_split, std::int64_t min_rows_leaf, double min_weight_leaf,
             std::int64_t max_leaves, double min_gain, double min_impurity, std::int64_t max_columns,
             std::uint64_t seed, const std::string& categorical, const std::string& leaf_value,
             const std::vector<std::int8_t>& monotone, std::size_t max_surrogates,
             const std::vector<bool>& surrogates_for, const std::string& agreement, bool lets_rows_stop,
             const std::string& ranking, const Quinlan& quinlan, const std::vector<bool>& has_many_values,
             const std::string& penalty, const std::string& cut_at, double min_gap, double min_weight_split,
             double min_weight_once_unknown, bool needs_gain, const std::optional<nb::callable>& function,
             bool keeps_ledger, bool lists_every_cut, std::uint64_t root_path, double root_low,
             double root_high, std::optional<std::uint32_t> count_above) {
            static const Words<Choice> choices{{"best", Choice::Best}, {"random", Choice::Random}};
            static const Words<Missing> policies{
                {"learned", Missing::Learned},  {"majority", Missing::Majority},
                {"branch", Missing::OwnBranch}, {"surrogate", Missing::Surrogate},
                {"spread", Missing::Spread},    {"refuse", Missing::Refuse}};
            static const Words<Categories> kinds{{"subset", Categories::Subset},
                                                 {"multiway", Categories::Multiway},
                                                 {"one-vs-rest", Categories::OneVsRest},
                                                 {"groups", Categories::Groups}};
            static const Words<Order> orders{
                {"depth", Order::Depth}, {"breadth", Order::Breadth}, {"best", Order::Best}};
            static const Words<LeafValue> values{{"mean", LeafValue::Mean}, {"median", LeafValue::Median}};
            static const Words<Agreement> styles{{"all", Agreement::OfAll}, {"known", Agreement::OfKnown}};
            static const Words<Ranking> rankings{{"best_score", Ranking::BestScore},
                                                 {"above_average_gain", Ranking::AboveAverageGain}};
            static const Words<Penalty> penalties{
                {"linear", Penalty::Linear}, {"quadratic", Penalty::Quadratic}, {"none", Penalty::None}};
            static const Words<CutAt> places{{"middle", CutAt::Middle}, {"observed", CutAt::Observed}};
            if (min_rows_leaf < 1) throw nb::value_error("min_rows_leaf must be at least 1");
            auto& recipe = *new (self) Recipe{};
            recipe.criterion = find_criterion(criterion);
            if (recipe.criterion == nullptr) throw nb::value_error(("no criterion: " + criterion).c_str());
            if (function) recipe.function = score_cuts(*function);
            recipe.choice = choose("splitter", splitter, choices);
            recipe.missing = choose("missing", missing, policies);
            recipe.order = choose("order", order, orders);
            recipe.categories = choose("categorical", categorical, kinds);
            recipe.limits = {.max_depth = max_depth,
                             .min_rows_split = min_rows_split,
                             .min_rows_leaf = min_rows_leaf,
                             .least_leaf = min_weight_leaf,
                             .least_split = min_weight_split,
                             .max_leaves = max_leaves,
                             .min_gain = min_gain,
                             .needs_gain = needs_gain,
                             .min_impurity = min_impurity};
            recipe.leaf_value = choose("leaf_value", leaf_value, values);
            recipe.monotone = monotone;
            recipe.max_columns = max_columns;
            recipe.seed = seed;
            recipe.max_surrogates = max_surrogates;
            recipe.agreement = choose("agreement", agreement, styles);
            recipe.lets_rows_stop = lets_rows_stop;
            recipe.ranking = choose("ranking", ranking, rankings);
            recipe.quinlan = quinlan;
            recipe.has_many_values = has_many_values;
            recipe.penalty = choose("penalty", penalty, penalties);
            recipe.cut_at = choose("cut_at", cut_at, places);
            recipe.min_gap = min_gap;
            if (min_weight_once_unknown > 0) {
              auto& limits = recipe.limits_once_unknown.emplace(recipe.limits);
              limits.least_leaf = min_weight_once_unknown;
              limits.least_split = 2 * min_weight_once_unknown;
            }
            recipe.keeps_ledger = keeps_ledger;
            recipe.lists_every_cut = lists_every_cut;
            recipe.root_path = root_path;
            recipe.root_bounds = {root_low, root_high};
            recipe.count_above = count_above;
            recipe.surrogates_for = surrogates_for;
          },
          nb::kw_only(), "criterion"_a = "gini", "splitter"_a = "best", "missing"_a = "learned",
          "order"_a = "depth", "max_depth"_a = -1, "min_rows_split"_a = 2, "min_rows_leaf"_a = 1,
          "min_weight_leaf"_a = 0.0, "max_leaves"_a = -1, "min_gain"_a = 0.0, "min_impurity"_a = 0.0,
          "max_columns"_a = -1, "seed"_a = 0, "categorical"_a = "subset", "leaf_value"_a = "mean",
          "monotone"_a = std::vector<std::int8_t>{}, "max_surrogates"_a = 5,
          "surrogates_for"_a = std::vector<bool>{}, "agreement"_a = "all", "lets_rows_stop"_a = false,
          "ranking"_a = "best_score", "quinlan"_a = Quinlan{}, "has_many_values"_a = std::vector<bool>{},
          "penalty"_a = "linear", "cut_at"_a = "middle", "min_gap"_a = 0.0, "min_weight_split"_a = 0.0,
          "min_weight_once_unknown"_a = 0.0, "needs_gain"_a = false, "function"_a.none() = nb::none(),
          "keeps_ledger"_a = false, "lists_every_cut"_a = false, "root_path"_a = 0,
          "root_low"_a = -std::numeric_limits<double>::infinity(),
          "root_high"_a = std::numeric_limits<double>::infinity(), "count_above"_a.none() = nb::none());

  nb::class_<SharedTrainingSet>(m, "TrainingSet",
                                "The columns of a table, each put in order once, for any number of growths.")
      .def(nb::init<const std::vector<AnyColumn>&, std::size_t, int,
                    const std::optional<std::vector<std::uint32_t>>&>(),
           "columns"_a, "n_rows"_a, "n_threads"_a, "n_categories"_a.none() = nb::none());

  nb::class_<LocalEngine>(m, "LocalEngine",
                          "Rows of a training set in this process; `is_last` hands its orders over.")
      .def(nb::init<SharedTrainingSet&, const std::variant<ClassTarget, NumberTarget>&,
                    const std::optional<Vector<double>>&, int, const std::optional<Vector<double>>&, bool>(),
           "training_set"_a, "target"_a, "weights"_a.none(), "n_threads"_a,
           "own_weights"_a.none() = nb::none(), "is_last"_a = false, nb::keep_alive<1, 2>())
      .def_prop_ro("n_rows", &LocalEngine::n_rows, "Rows of positive weight.")
      .def_prop_ro("n_missing", &LocalEngine::n_missing, nb::rv_policy::move,
                   "Rows without a value, by column.")
      .def_prop_ro("first_infinite", &LocalEngine::first_infinite,
                   "Column and row of an infinite value, or None.")
      .def_prop_ro("work", &LocalEngine::work, "How the tree was grown, and what that took in operations.");

  m.def(
      "path_of",
      [](const std::vector<std::uint64_t>& branches) {
        std::uint64_t path = 0;
        for (const auto branch : branches) path = path_of_child(path, branch);
        return path;
      },
      "branches"_a, "Key of the random draws of the node that these branches lead to from the root.");

  m.def(
      "grow",
      [](LocalEngine& engine, const Recipe& recipe,
         const std::optional<std::function<void(std::int64_t, std::int64_t)>>& progress) {
        return arrays_of(engine.grow(recipe, progress), recipe.keeps_ledger);
      },
      "engine"_a, "recipe"_a, "progress"_a.none() = nb::none(),
      "Grow one tree; its arrays are in pre-order, root 0. `progress(rows_settled, rows)` is called now and "
      "then.");
}

}  // namespace treewright::bindings
