// NumPy arrays in and out of the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "treewright/table/column.hpp"
#include "treewright/tree/question.hpp"

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

// Row numbers have 32 bits, of which lists and trees use 31.
inline constexpr std::size_t kMostRows = (std::size_t{1} << 31) - 1;

// With commas between thousands.
inline std::string with_commas(std::size_t number) {
  auto text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

inline void check_n_rows(std::size_t n_rows) {
  if (n_rows <= kMostRows) return;
  throw nb::value_error(("the table has " + with_commas(n_rows) +
                         " rows; one process grows and prunes trees of " + with_commas(kMostRows) +
                         " rows at most. Give it a sample of them.")
                            .c_str());
}

// Says which entry of an array is wrong.
template <class Value>
[[noreturn]] void refuse_entry(const char* name, std::size_t at, const Value& value, const std::string& why) {
  std::ostringstream text;
  text << name << "[" << at << "] is " << value << "; " << why;
  throw nb::value_error(text.str().c_str());
}

inline void check_weight(const char* name, std::size_t at, double weight) {
  if (!(weight >= 0 && weight <= 1e150))
    refuse_entry(name, at, weight, "weights must be at least 0 and at most 1e150");
  if (weight > 0 && weight < 1e-150) refuse_entry(name, at, weight, "weights must be 0 or at least 1e-150");
}

inline void check_n_classes(int n_classes) {
  if (n_classes < 1 || n_classes > 65535)
    throw nb::value_error(
        ("n_classes is " + std::to_string(n_classes) + "; it must be between 1 and 65535").c_str());
}

inline std::uint16_t checked_class(std::size_t at, std::int32_t code, int n_classes) {
  if (code < 0 || code >= n_classes)
    refuse_entry("codes", at, code, "class codes must lie in 0 .. " + std::to_string(n_classes - 1));
  return static_cast<std::uint16_t>(code);
}

// The columns of a table, checked to be of one length.
struct Columns {
  std::vector<AnyColumn> kept;  // keeps the memory of the views alive
  std::vector<Column> views;
  std::size_t n_rows = 0;

  explicit Columns(const std::vector<AnyColumn>& columns) : kept(columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0 && columns[i].shape(0) != n_rows)
        throw nb::value_error(("columns of unequal length: column " + std::to_string(i) + " has " +
                               std::to_string(columns[i].shape(0)) + " rows, those before it have " +
                               std::to_string(n_rows))
                                  .c_str());
      n_rows = columns[i].shape(0);
      views.push_back(column_of(columns[i], i));
    }
  }
};

// `numpy.empty`, and NumPy's types: signed integers, unsigned ones and floats, by their size in bytes.
inline nb::handle numpy_empty;
inline std::array<std::array<nb::handle, 9>, 3> numpy_types;

// Done once, when the module is loaded, so that no thread has to wait for another that imports.
inline void load_numpy() {
  const auto numpy = nb::module_::import_("numpy");
  numpy_empty = nb::object(numpy.attr("empty")).release();
  for (const std::string type : {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"}) {
    const auto code = std::string("iuf").find(type[0]);
    numpy_types[code][static_cast<std::size_t>(type[1] - '0')] = numpy.attr("dtype")(type.c_str()).release();
  }
}

// A new array and its values, which are yet to be written. NumPy makes one in a fraction of a microsecond;
// handing memory over to NumPy takes longer than many a prediction.
template <class Value>
struct NewArray {
  static_assert(std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>, "numpy_types has no other");
  nb::object array;
  std::span<Value> values;

  explicit NewArray(std::span<const std::size_t> shape) {
    const auto sizes = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    for (std::size_t i = 0; i < shape.size(); ++i)
      PyTuple_SetItem(sizes.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromSize_t(shape[i]));
    array = numpy_empty(sizes, numpy_types[nb::dtype<Value>().code][sizeof(Value)]);
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE) != 0) throw nb::python_error();
    values = {static_cast<Value*>(buffer.buf), static_cast<std::size_t>(buffer.len) / sizeof(Value)};
    PyBuffer_Release(&buffer);  // the array keeps its memory alive
  }
};

// A vector as an array: a short one is copied, a long one handed over.
template <class Value>
nb::object to_numpy(std::vector<Value>&& vector, std::initializer_list<std::size_t> shape) {
  if (vector.size() * sizeof(Value) <= 8192) {
    NewArray<Value> copy({shape.begin(), shape.size()});
    std::ranges::copy(vector, copy.values.begin());
    return copy.array;
  }
  auto kept = std::make_unique<std::vector<Value>>(std::move(vector));
  auto* data = kept->data();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Value>(data, shape.size(), shape.begin(), owner));
}

template <class Value>
nb::object to_numpy(std::vector<Value>&& vector) {
  const auto n = vector.size();
  return to_numpy(std::move(vector), {n});
}

// Zeroed memory from the system costs nothing until it is written to.
template <class Value>
nb::object to_numpy(MostlyZeros<Value>&& list) {
  if (!list.has_none_else()) return to_numpy(std::move(list).written_out());
  const std::size_t n = list.size();
  auto* zeros = static_cast<Value*>(std::calloc(std::max<std::size_t>(n, 1), sizeof(Value)));
  if (zeros == nullptr) throw std::bad_alloc();
  nb::capsule owner(zeros, [](void* p) noexcept { std::free(p); });
  return nb::cast(nb::ndarray<nb::numpy, Value>(zeros, 1, &n, owner));
}

}  // namespace treewright::bindings
