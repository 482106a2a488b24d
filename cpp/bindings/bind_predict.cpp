#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "treewright/predict.hpp"

namespace treewright::bindings {

using nb::literals::operator""_a;

namespace {

// Questions side by side, as Python holds them.
struct Questions {
  Vector<std::int32_t> column;
  Vector<double> cut;
  Vector<std::int64_t> cut_integer;
  Vector<std::int32_t> set_begin, set_code, set_branch;

  QuestionViews views() const {
    return {span_of(column),    span_of(cut),      span_of(cut_integer),
            span_of(set_begin), span_of(set_code), span_of(set_branch)};
  }
};

}  // namespace

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
             const Vector<std::int32_t>& surrogate_begin, const Questions& surrogate,
             const Vector<std::int32_t>& surrogate_low_branch) {
            new (self) Router({.question = question.views(),
                               .child_begin = span_of(child_begin),
                               .child = span_of(child),
                               .missing_branch = span_of(missing_branch),
                               .surrogate_begin = span_of(surrogate_begin),
                               .surrogate = surrogate.views(),
                               .surrogate_low_branch = span_of(surrogate_low_branch)});
          },
          "question"_a, "child_begin"_a, "child"_a, "missing_branch"_a, "surrogate_begin"_a, "surrogate"_a,
          "surrogate_low_branch"_a)
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
          "columns"_a, "n_threads"_a, "Leaf of every row.");
}

}  // namespace treewright::bindings
