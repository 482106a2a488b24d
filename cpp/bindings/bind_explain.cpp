#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <bit>
#include <string>
#include <tuple>

#include "arrays.hpp"
#include "interruptible.hpp"
#include "treewright/explain/general_rule.hpp"

namespace treewright::bindings {

using nb::literals::operator""_a;

namespace {

// Words of 64 rows each, the first row in the lowest bit of the first byte.
std::uint64_t as_in_memory(std::uint64_t word) {
  return std::endian::native == std::endian::little ? word : swap_bytes(word);
}

void check_entries(const std::string& what, std::size_t n, std::size_t wanted, const std::string& of) {
  if (n == wanted) return;
  throw nb::value_error(
      (what + " has " + std::to_string(n) + " entries; " + std::to_string(wanted) + " are wanted, of " + of)
          .c_str());
}

using Bits = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

}  // namespace

void bind_explain(nb::module_& m) {
  m.def(
      "general_rule",
      [](const Bits& fails, const Vector<std::int32_t>& targets, const Vector<double>& weights,
         std::int32_t answer, const Pessimism& pessimism, double default_error) {
        const RuleRows rows{span_of(targets), span_of(weights), pessimism};
        check_entries("weights", weights.shape(0), targets.shape(0), "a row each");
        check_entries("a condition of fails", fails.shape(1), rows.n_words(), "64 rows each");
        std::vector<std::uint64_t> words(fails.data(), fails.data() + fails.size());
        std::ranges::transform(words, words.begin(), as_in_memory);
        auto rule = interruptible([&] { return general_rule(rows, words, answer, default_error); });
        std::ranges::transform(rule.met, rule.met.begin(), as_in_memory);
        return std::tuple(to_numpy(std::move(rule.left)), rule.error, to_numpy(std::move(rule.met)));
      },
      "fails"_a, "targets"_a, "weights"_a, "answer"_a, "pessimism"_a, "default_error"_a,
      "The rule of a leaf without the conditions that do no good.");
}

}  // namespace treewright::bindings
