#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "interruptible.hpp"
#include "questions.hpp"

namespace treewright::bindings {

using nb::literals::operator""_a;

namespace {

using Block = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using OfNodes = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The answers of nodes in float64 or int64, a number or a row of numbers for each. Inspected once, as NumPy
// takes as long to expose an array as the tree to predict a few rows.
struct Answers {
  using Array = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

  Array array;
  bool are_floats;
  std::size_t n_nodes, width;

  explicit Answers(Array given) : array(std::move(given)), are_floats(array.dtype() == nb::dtype<double>()) {
    if (!are_floats && array.dtype() != nb::dtype<std::int64_t>())
      throw nb::type_error("of_nodes must be float64 or int64");
    if (array.ndim() != 1 && array.ndim() != 2)
      throw nb::value_error("of_nodes must have an entry, or a row of them, for each node");
    n_nodes = array.shape(0);
    width = array.ndim() == 2 ? array.shape(1) : 1;
  }
};

// The columns of a two-dimensional array of floats; where the tree splits on categories, they hold codes.
struct BlockColumns {
  std::vector<Column> views;
  std::vector<std::vector<std::int32_t>> codes;

  BlockColumns(const Predictor& predictor, const Block& block) {
    const bool is_double = block.dtype() == nb::dtype<double>();
    if (!is_double && block.dtype() != nb::dtype<float>()) {
      throw nb::type_error("a block must be float64 or float32");
    }
    const auto item = static_cast<std::ptrdiff_t>(block.itemsize());
    const auto* first = static_cast<const std::byte*>(block.data());
    const auto n_rows = block.shape(0), n_columns = block.shape(1);
    views.reserve(n_columns);
    for (std::size_t i = 0; i < n_columns; ++i)
      views.emplace_back(first + static_cast<std::ptrdiff_t>(i) * block.stride(1) * item,
                         block.stride(0) * item, is_double ? ValueType::Float64 : ValueType::Float32);
    for (const auto& [column, has_categories] : predictor.kinds()) {
      if (!has_categories || index(column) >= n_columns) continue;
      auto& view = views[index(column)];
      auto& own = codes.emplace_back(n_rows);
      for (std::size_t row = 0; row < n_rows; ++row) {
        const double code = view.number(row);
        own[row] = code >= 0 && code < 0x1p31 ? static_cast<std::int32_t>(code) : -1;
      }
      view = Column(own.data(), sizeof(std::int32_t), ValueType::Category);
    }
  }
};

// A thread costs as much as predicting thousands of rows.
Pool pool_for(std::size_t n_rows, int n_threads) { return Pool(n_rows < 40'000 ? 1 : n_threads); }

void check_of_nodes(const Predictor& predictor, std::size_t n_nodes) {
  if (n_nodes == predictor.n_nodes()) return;
  throw nb::value_error(("of_nodes has " + std::to_string(n_nodes) +
                         " entries; as many entries as nodes are wanted, " +
                         std::to_string(predictor.n_nodes()))
                            .c_str());
}

// Columns that repeat one value take no memory, but results for all their rows may need more than there is.
void check_room(std::size_t n_rows, std::size_t bytes_of_row) {
  if (bytes_of_row > 0 && n_rows > std::numeric_limits<std::ptrdiff_t>::max() / bytes_of_row)
    throw std::bad_alloc();
}

template <class Value>
nb::object take_values(const Predictor& predictor, std::span<const Column> columns, std::size_t n_rows,
                       const Answers& answers, bool takes_missing, int n_threads) {
  check_of_nodes(predictor, answers.n_nodes);
  const std::array<std::size_t, 2> shape{n_rows, answers.width};
  check_room(n_rows, answers.width * sizeof(Value));
  const NewArray<Value> out({shape.data(), answers.array.ndim()});
  const std::span<const Value> of_nodes(static_cast<const Value*>(answers.array.data()),
                                        answers.array.size());
  const bool answered = interruptible([&] {
    auto pool = pool_for(n_rows, n_threads);
    return predictor.take<Value>(columns, n_rows, {.infinities = true, .missing = !takes_missing}, of_nodes,
                                 answers.width, out.values, pool);
  });
  return answered ? out.array : nb::none();
}

template <class Rows>
nb::object take(const Predictor& predictor, const Rows& rows, const Answers& answers, bool takes_missing,
                int n_threads) {
  const auto take_as = answers.are_floats ? &take_values<double> : &take_values<std::int64_t>;
  if constexpr (std::is_same_v<Rows, Block>) {
    const BlockColumns columns(predictor, rows);
    return take_as(predictor, columns.views, rows.shape(0), answers, takes_missing, n_threads);
  } else {
    const Columns columns(rows);
    return take_as(predictor, columns.views, columns.n_rows, answers, takes_missing, n_threads);
  }
}

// A row in a dict as a block: finite floats as they are; all other values, and those of columns with codes,
// as `number_of` converts them. A list of one value counts as that value. None if a column is missing from
// the dict, or if `number_of` returns None.
nb::object plain_row(const nb::dict& row, const nb::tuple& columns, const nb::callable& number_of) {
  const std::array<std::size_t, 2> shape{1, columns.size()};
  const NewArray<double> out(shape);
  auto* to = out.values.data();
  for (const nb::handle column : columns) {
    const auto codes = nb::borrow(PyTuple_GetItem(column.ptr(), 1));
    auto* found = PyDict_GetItemWithError(row.ptr(), PyTuple_GetItem(column.ptr(), 0));
    if (found == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
    if (found == nullptr) return nb::none();
    if (PyList_CheckExact(found) && PyList_Size(found) == 1) found = PyList_GetItem(found, 0);
    const auto value = nb::borrow(found);
    if (codes.is_none() && PyFloat_CheckExact(found) && std::isfinite(*to = PyFloat_AsDouble(found))) {
      ++to;
      continue;
    }
    const nb::object number = number_of(value, codes);
    if (number.is_none()) return nb::none();
    *to++ = nb::cast<double>(number);
  }
  return out.array;
}

auto shapley_values(const Predictor& predictor, const std::vector<AnyColumn>& arrays, const OfNodes& of_nodes,
                    const Vector<double>& points, const Vector<double>& weights, int n_threads) {
  const Columns columns(arrays);
  check_of_nodes(predictor, of_nodes.shape(0));
  const auto width = of_nodes.shape(1), n_rows = columns.n_rows, n_columns = arrays.size();
  check_room(n_rows, n_columns * width * sizeof(double));
  std::vector<double> values(n_rows * n_columns * width);
  interruptible([&] {
    // Every row takes a walk over all nodes.
    auto pool = pool_for(n_rows * predictor.n_nodes(), n_threads);
    predictor.shapley_values(columns.views, n_rows, {of_nodes.data(), of_nodes.size()}, width,
                             {span_of(points), span_of(weights)}, values, pool);
  });
  return to_numpy(std::move(values), {n_rows, n_columns, width});
}

}  // namespace

void bind_predict(nb::module_& m) {
  nb::class_<Questions>(m, "Questions", "Questions side by side, in the arrays of a tree.")
      .def(nb::init<Vector<std::int32_t>, Vector<double>, Vector<std::int64_t>, Vector<std::int32_t>,
                    Vector<std::int32_t>, Vector<std::int32_t>>(),
           "column"_a, "cut"_a, "cut_integer"_a, "set_begin"_a, "set_code"_a, "set_branch"_a);
  nb::class_<Answers>(m, "Answers", "What the nodes of a tree say.")
      .def(nb::init<Answers::Array>(), "of_nodes"_a);
  nb::implicitly_convertible<Answers::Array, Answers>();
  m.def("plain_row", &plain_row, "row"_a, "columns"_a, "number_of"_a, "A row of a dict as a block.");
  nb::class_<Predictor>(m, "Router", "A tree laid out for prediction.")
      .def(
          "__init__",
          [](Predictor* self, const Questions& question, const Vector<std::int32_t>& child_begin,
             const Vector<std::int32_t>& child, const Vector<std::int32_t>& missing_branch,
             const Vector<double>& weight, const Vector<std::int32_t>& surrogate_begin,
             const Questions& surrogate, const Vector<std::int32_t>& surrogate_low_branch) {
            new (self) Predictor({.question = question.views(),
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
          [](const Predictor& predictor, const std::vector<AnyColumn>& arrays, int n_threads) {
            const Columns columns(arrays);
            std::vector<std::int32_t> leaves(columns.n_rows);
            interruptible([&] {
              auto pool = pool_for(columns.n_rows, n_threads);
              predictor.apply(columns.views, leaves, pool);
            });
            return to_numpy(std::move(leaves));
          },
          "columns"_a, "n_threads"_a, "Leaf of every row.")
      .def("take", &take<Block>, "rows"_a, "of_nodes"_a, "takes_missing"_a, "n_threads"_a,
           "What the leaf of every row says.")
      .def("take", &take<std::vector<AnyColumn>>, "rows"_a, "of_nodes"_a, "takes_missing"_a, "n_threads"_a)
      .def_prop_ro("spreads", &Predictor::spreads, "Whether rows without a value may reach several leaves.")
      .def(
          "spread",
          [](const Predictor& predictor, const std::vector<AnyColumn>& arrays) {
            const Columns columns(arrays);
            auto shares = interruptible([&] { return predictor.spread(columns.views, columns.n_rows); });
            return std::tuple(to_numpy(std::move(shares.begin)), to_numpy(std::move(shares.leaf)),
                              to_numpy(std::move(shares.share)));
          },
          "columns"_a, "Leaves of every row and the share of it that reaches each.")
      .def("shapley_values", &shapley_values, "columns"_a, "of_nodes"_a, "points"_a, "weights"_a,
           "n_threads"_a, "What every column is due of what the leaves say, for every row.");
}

}  // namespace treewright::bindings
