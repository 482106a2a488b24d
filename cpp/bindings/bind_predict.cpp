#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "questions.hpp"

namespace treewright::bindings {

using nb::literals::operator""_a;

void bind_predict(nb::module_& m) {
  nb::class_<Questions>(m, "Questions", "Questions side by side, in the arrays of a tree.")
      .def(nb::init<Vector<std::int32_t>, Vector<double>, Vector<std::int64_t>, Vector<std::int32_t>,
                    Vector<std::int32_t>, Vector<std::int32_t>>(),
           "column"_a, "cut"_a, "cut_integer"_a, "set_begin"_a, "set_code"_a, "set_branch"_a);
  nb::class_<Router>(m, "Router", "A tree laid out for prediction.")
      .def(
          "__init__",
          [](Router* self, const Questions& question, const Vector<std::int32_t>& child_begin,
             const Vector<std::int32_t>& child, const Vector<std::int32_t>& missing_branch,
             const Vector<double>& weight, const Vector<std::int32_t>& surrogate_begin,
             const Questions& surrogate, const Vector<std::int32_t>& surrogate_low_branch) {
            new (self) Router({.question = question.views(),
                               .child_begin = span_of(child_begin),
                               .child = span_of(child),
                               .missing_branch = span_of(missing_branch),
                               .weight = span_of(weight),
                               .surrogate_begin = span_of(surrogate_begin),
                               .surrogate = surrogate.views(),
                               .surrogate_low_branch = span_of(surrogate_low_branch)});
          },
          "question"_a, "child_begin"_a, "child"_a, "missing_branch"_a, "weight"_a, "surrogate_begin"_a,
          "surrogate"_a, "surrogate_low_branch"_a)
      .def(
          "apply",
          [](const Router& router, const std::vector<AnyColumn>& arrays, int n_threads) {
            const Columns columns(arrays);
            std::vector<std::int32_t> leaves(columns.n_rows);
            {
              const nb::gil_scoped_release release;
              Pool pool(columns.n_rows < 40'000 ? 1 : n_threads);
              router.apply(columns.views, leaves, pool);
            }
            return to_numpy(std::move(leaves));
          },
          "columns"_a, "n_threads"_a, "Leaf of every row.")
      .def_prop_ro("spreads", &Router::spreads, "Whether rows without a value may reach several leaves.")
      .def(
          "spread",
          [](const Router& router, const std::vector<AnyColumn>& arrays) {
            const Columns columns(arrays);
            Router::Shares shares;
            {
              const nb::gil_scoped_release release;
              shares = router.spread(columns.views, columns.n_rows);
            }
            return std::tuple(to_numpy(std::move(shares.begin)), to_numpy(std::move(shares.leaf)),
                              to_numpy(std::move(shares.share)));
          },
          "columns"_a, "Leaves of every row and the share of it that reaches each.");
}

}  // namespace treewright::bindings
