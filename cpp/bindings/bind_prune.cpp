#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <tuple>

#include "interruptible.hpp"
#include "questions.hpp"
#include "treewright/prune/prune.hpp"
#include "treewright/table/weights.hpp"
#include "treewright/tree/check_tree.hpp"  // for check_children, check_length, check_numbers

namespace treewright::bindings {

using nb::literals::operator""_a;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Weights by row, in fine units; 0 for rows without weight.
std::vector<std::int64_t> by_row(std::span<const double> given, double& unit) {
  std::vector<double> positive;
  positive.reserve(given.size());
  for (std::size_t row = 0; row < given.size(); ++row) {
    check_weight("weights", row, given[row]);
    if (given[row] > 0) positive.push_back(given[row]);
  }
  if (positive.empty()) throw nb::value_error("all weights are zero");
  auto fine = in_fine_units(whole_weights(std::move(positive)));
  unit = fine.unit;
  if (fine.of_slot.size() == given.size()) return std::move(fine.of_slot);
  std::vector<std::int64_t> weights;
  weights.reserve(given.size());
  std::size_t slot = 0;
  for (const double weight : given) weights.push_back(weight > 0 ? fine.of_slot[slot++] : 0);
  return weights;
}

template <class Value>
std::vector<Value> copy_of(const Vector<Value>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

}  // namespace

void bind_prune(nb::module_& m) {
  m.def(
      "weakest_links",
      [](const Vector<std::int32_t>& child_begin, const Vector<std::int32_t>& child,
         const Vector<double>& risk) {
        auto links = interruptible([&] {
          return weakest_links(check_children(span_of(child_begin), span_of(child)), span_of(risk));
        });
        return std::pair(to_numpy(std::move(links.nodes)), to_numpy(std::move(links.alphas)));
      },
      "child_begin"_a, "child"_a, "risk"_a,
      "Inner nodes in the order in which weakest-link pruning turns them into leaves, and the alpha of each "
      "step.");

  m.def(
      "complexities",
      [](const Vector<std::int32_t>& child_begin, const Vector<std::int32_t>& child,
         const Vector<double>& risk, double least) {
        return to_numpy(interruptible([&] {
          return complexities(check_children(span_of(child_begin), span_of(child)), span_of(risk), least);
        }));
      },
      "child_begin"_a, "child"_a, "risk"_a, "least"_a,
      "Up to which price of a leaf each node stays split, as rpart works it out.");

  m.def(
      "add_up",
      [](const Vector<std::int32_t>& child_begin, const Vector<std::int32_t>& child, const Matrix& values) {
        std::vector<double> sums(values.data(), values.data() + values.size());
        interruptible(
            [&] { add_up(check_children(span_of(child_begin), span_of(child)), sums, values.shape(1)); });
        return to_numpy(std::move(sums), {values.shape(0), values.shape(1)});
      },
      "child_begin"_a, "child"_a, "values"_a, "Values of every node and of all nodes below it, added up.");

  m.def(
      "no_worse_as_leaves",
      [](const Vector<std::int32_t>& child_begin, const Vector<std::int32_t>& child,
         const Vector<double>& as_leaf, const Vector<double>& slack, bool bottom_up) {
        return to_numpy(interruptible([&] {
          return no_worse_as_leaves(check_children(span_of(child_begin), span_of(child)), span_of(as_leaf),
                                    span_of(slack), bottom_up);
        }));
      },
      "child_begin"_a, "child"_a, "as_leaf"_a, "slack"_a, "bottom_up"_a,
      "Inner nodes that cost no more as leaves than their leaves do together, but for their slack.");

  m.def(
      "cut_at",
      [](const Vector<std::int32_t>& child_begin, const Vector<std::int32_t>& child,
         const Vector<std::int32_t>& leaves) {
        auto left = interruptible(
            [&] { return cut_at(check_children(span_of(child_begin), span_of(child)), span_of(leaves)); });
        return std::tuple(to_numpy(std::move(left.origin)), to_numpy(std::move(left.child_begin)),
                          to_numpy(std::move(left.child)));
      },
      "child_begin"_a, "child"_a, "leaves"_a,
      "What is left where some nodes become leaves: nodes by the number they had, and their children.");

  nb::class_<Pessimism>(m, "Pessimism", "How many errors to expect of a leaf beyond those it made.")
      .def(
          "__init__",
          [](Pessimism* self, double confidence, double deviate, double all_wrong, double least_extra,
             double no_errors, double one_error, bool adds_none) {
            new (self)
                Pessimism{confidence, deviate, all_wrong, least_extra, no_errors, one_error, adds_none};
          },
          nb::kw_only(), "confidence"_a, "deviate"_a, "all_wrong"_a, "least_extra"_a, "no_errors"_a,
          "one_error"_a, "adds_none"_a)
      .def("extra", &Pessimism::extra, "n"_a, "errors"_a, "Errors to add to `errors` among n cases.")
      .def_prop_ro("most_fewer", &Pessimism::most_fewer,
                   "By how much fewer may be expected of a leaf with more rows, at most; None: not known.");

  m.def(
      "prune_error_based",
      [](const std::vector<AnyColumn>& arrays, const Vector<std::int32_t>& codes, int n_classes,
         const Vector<double>& weights, const Questions& question, const Vector<std::int32_t>& child_begin,
         const Vector<std::int32_t>& child, const Vector<std::int32_t>& missing_branch,
         const Vector<double>& weight, const Vector<std::int32_t>& surrogate_begin,
         const Questions& surrogate, const Vector<std::int32_t>& surrogate_low_branch,
         const Vector<std::int32_t>& labels, const Pessimism& pessimism, bool raises, bool keeps_label_on_tie,
         double slack, double tolerance, const std::optional<Vector<std::int32_t>>& ends) {
        const Columns columns(arrays);
        check_n_rows(columns.n_rows);
        check_n_classes(n_classes);
        check_length("codes", codes.shape(0), columns.n_rows, "rows");
        check_length("weights", weights.shape(0), columns.n_rows, "rows");
        std::vector<std::uint16_t> classes;
        classes.reserve(codes.shape(0));
        for (const auto code : span_of(codes))
          classes.push_back(checked_class(classes.size(), code, n_classes));
        double unit = 1;
        const auto fine = by_row(span_of(weights), unit);
        // Copies, because other threads may change the arrays after they are checked.
        const auto own_begin = copy_of(child_begin), own_child = copy_of(child), own_labels = copy_of(labels);
        const auto own_ends = ends ? copy_of(*ends) : std::vector<std::int32_t>();
        const TreeViews tree{.question = question.views(),
                             .child_begin = own_begin,
                             .child = own_child,
                             .missing_branch = span_of(missing_branch),
                             .weight = span_of(weight),
                             .surrogate_begin = span_of(surrogate_begin),
                             .surrogate = surrogate.views(),
                             .surrogate_low_branch = span_of(surrogate_low_branch)};
        const Predictor predictor(tree);
        predictor.check_kinds(columns.views);
        check_length("labels", own_labels.size(), predictor.n_nodes(), "nodes");
        check_numbers("labels", own_labels, static_cast<std::size_t>(n_classes), "classes");
        auto out = interruptible([&] {
          const PrunedRows rows{.columns = columns.views,
                                .classes = classes,
                                .weights = fine,
                                .unit = unit,
                                .n_classes = n_classes,
                                .labels = own_labels,
                                .ends = own_ends};
          return prune_error_based(rows, predictor, {own_begin, own_child},
                                   {pessimism, raises, keeps_label_on_tie, slack, tolerance});
        });
        const auto n = out.origin.size();
        nb::dict result;
        result["origin"] = to_numpy(std::move(out.origin));
        result["label"] = to_numpy(std::move(out.label));
        result["child_begin"] = to_numpy(std::move(out.child_begin));
        result["child"] = to_numpy(std::move(out.child));
        result["n_rows"] = to_numpy(std::move(out.n_rows));
        result["weights"] = to_numpy(std::move(out.weights), {n, static_cast<std::size_t>(n_classes)});
        result["errors"] = to_numpy(std::move(out.errors));
        return result;
      },
      "columns"_a, "codes"_a, "n_classes"_a, "weights"_a, "question"_a, "child_begin"_a, "child"_a,
      "missing_branch"_a, "weight"_a, "surrogate_begin"_a, "surrogate"_a, "surrogate_low_branch"_a,
      "labels"_a, "pessimism"_a, "raises"_a, "keeps_label_on_tie"_a, "slack"_a, "tolerance"_a,
      "ends"_a = nb::none(),
      "Prune by pessimistic errors: what is left, in pre-order, by number of the node it was.");
}

}  // namespace treewright::bindings
