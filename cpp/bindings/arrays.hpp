// NumPy arrays in and out of the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "treewright/table/column.hpp"
#include "treewright/tree/constant_or_vector.hpp"

namespace treewright::bindings {

namespace nb = nanobind;

using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

template <class Value>
using Vector = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::span<const Value> span_of(const Vector<Value>& array) {
  return {array.data(), array.shape(0)};
}

inline Column column_of(const AnyColumn& array, std::size_t position) {
  const auto stride =
      static_cast<std::ptrdiff_t>(array.stride(0)) * static_cast<std::ptrdiff_t>(array.itemsize());
  if (array.dtype() == nb::dtype<double>()) return {array.data(), stride, ValueType::Float64};
  if (array.dtype() == nb::dtype<float>()) return {array.data(), stride, ValueType::Float32};
  if (array.dtype() == nb::dtype<std::int64_t>()) return {array.data(), stride, ValueType::Int64};
  if (array.dtype() == nb::dtype<std::int32_t>()) return {array.data(), stride, ValueType::Category};
  throw nb::type_error(
      ("column " + std::to_string(position) + " must be float64, float32, int64, or int32 for categories")
          .c_str());
}

// The columns of a table, checked to be of one length.
struct Columns {
  std::vector<AnyColumn> kept;  // so that the memory outlives the views
  std::vector<Column> views;
  std::size_t n_rows = 0;

  explicit Columns(const std::vector<AnyColumn>& columns) : kept(columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0 && columns[i].shape(0) != n_rows) throw nb::value_error("columns of unequal length");
      n_rows = columns[i].shape(0);
      views.push_back(column_of(columns[i], i));
    }
  }
};

// Hand a vector over to NumPy without copying it.
template <class Value>
nb::ndarray<nb::numpy, Value> to_numpy(std::vector<Value>&& vector,
                                       std::initializer_list<std::size_t> shape) {
  auto kept = std::make_unique<std::vector<Value>>(std::move(vector));
  auto* data = kept->data();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  return nb::ndarray<nb::numpy, Value>(data, shape.size(), shape.begin(), owner);
}

template <class Value>
nb::ndarray<nb::numpy, Value> to_numpy(std::vector<Value>&& vector) {
  const auto n = vector.size();
  return to_numpy(std::move(vector), {n});
}

// Memory that the system gives as zeros costs nothing until it is written to.
template <class Value, int kUsual>
nb::ndarray<nb::numpy, Value> to_numpy(ConstantOrVector<Value, kUsual>&& list) {
  if (!list.is_plain() || kUsual != 0) return to_numpy(std::move(list).written_out());
  const std::size_t n = list.size();
  auto* zeros = static_cast<Value*>(std::calloc(std::max<std::size_t>(n, 1), sizeof(Value)));
  if (zeros == nullptr) throw std::bad_alloc();
  nb::capsule owner(zeros, [](void* p) noexcept { std::free(p); });
  return nb::ndarray<nb::numpy, Value>(zeros, 1, &n, owner);
}

}  // namespace treewright::bindings
