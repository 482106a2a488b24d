#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "treewright/predict.hpp"

namespace treewright::bindings {

using nb::literals::operator""_a;

void bind_predict(nb::module_& m) {
  nb::class_<Router>(m, "Router", "A tree laid out for prediction.")
      .def(
          "__init__",
          [](Router* self, const Vector<std::int32_t>& column, const Vector<double>& cut,
             const Vector<std::int64_t>& cut_integer, const Vector<std::int32_t>& child_begin,
             const Vector<std::int32_t>& child, const Vector<std::int32_t>& missing_branch,
             const std::optional<Vector<std::int32_t>>& branch_begin,
             const std::optional<Vector<std::int32_t>>& branch_of_code) {
            const std::vector<std::int32_t> no_sets(column.shape(0) + 1);
            const auto begin = branch_begin ? span_of(*branch_begin) : std::span<const std::int32_t>(no_sets);
            const auto sets = branch_of_code ? span_of(*branch_of_code) : std::span<const std::int32_t>();
            new (self) Router(span_of(column), span_of(cut), span_of(cut_integer), span_of(child_begin),
                              span_of(child), span_of(missing_branch), begin, sets);
          },
          "column"_a, "cut"_a, "cut_integer"_a, "child_begin"_a, "child"_a, "missing_branch"_a,
          "branch_begin"_a.none() = nb::none(), "branch_of_code"_a.none() = nb::none())
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
