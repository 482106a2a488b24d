#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "interruptible.hpp"
#include "treewright/table/table.hpp"

namespace treewright::bindings {
namespace {

using nb::literals::operator""_a;

// Rows with their target and weights, checked to be of one length.
struct WholeRows {
  Columns columns;
  AnyColumn kept_target;
  std::optional<Vector<double>> kept_weights;
  Column target;
  std::optional<Column> weights;
  std::size_t n_rows;

  WholeRows(const std::vector<AnyColumn>& arrays, const AnyColumn& of_target,
            const std::optional<Vector<double>>& of_weights)
      : columns(arrays),
        kept_target(of_target),
        kept_weights(of_weights),
        target(column_of(of_target, arrays.size())),
        n_rows(of_target.shape(0)) {
    if (of_weights) weights.emplace(of_weights->data(), sizeof(double), ValueType::Float64);
    if ((!arrays.empty() && columns.n_rows != n_rows) || (of_weights && of_weights->shape(0) != n_rows))
      throw nb::value_error("columns, target and weights of unequal length");
  }

  const Column* weighing() const { return weights ? &*weights : nullptr; }
};

}  // namespace

void bind_fingerprint(nb::module_& m) {
  m.def(
      "numbers_of_rows",
      [](const std::vector<AnyColumn>& columns, const AnyColumn& target,
         const std::optional<Vector<double>>& weights, std::uint64_t seed) {
        const WholeRows rows(columns, target, weights);
        return to_numpy(interruptible([&] {
          return numbers_of_rows(rows.columns.views, rows.target, rows.weighing(), rows.n_rows, seed);
        }));
      },
      "columns"_a, "target"_a, "weights"_a.none(), "seed"_a,
      "A number for every row that what is in it decides, and nothing else.");
  m.def(
      "fingerprint",
      [](const std::vector<AnyColumn>& columns, const AnyColumn& target,
         const std::optional<Vector<double>>& weights, int n_threads) {
        const WholeRows rows(columns, target, weights);
        return interruptible([&] {
          Pool pool(rows.n_rows * columns.size() < 20'000 ? 1 : n_threads);
          return fingerprint(rows.columns.views, rows.target, rows.weighing(), rows.n_rows, pool);
        });
      },
      "columns"_a, "target"_a, "weights"_a.none(), "n_threads"_a = 1,
      "The sum of these numbers over rows of positive weight.");
}

}  // namespace treewright::bindings
