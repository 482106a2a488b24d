// The digest of a tree, 64 bits: FNV-1a over all numbers in its arrays, lowest byte first.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "treewright/tree/tree.hpp"

namespace treewright::digests {

class Hash {
 public:
  std::uint64_t value() const { return value_; }

  // Add the size of each list, then its numbers.
  template <class... Lists>
  void add(const Lists&... lists) {
    (add_list(lists), ...);
  }

  void add(const QuestionArrays& of) {
    add(of.column, of.cut, of.cut_integer, of.set_begin, of.set_code, of.set_branch);
  }

  void add(const Ledger& of) {
    const auto& rows = of.rows;
    add(of.row_begin, of.stop, of.average, rows.column, rows.verdict, rows.gain, rows.cut, rows.cut_integer);
    add(rows.missing, rows.missing_branch, rows.worth, rows.net_gain, rows.split_information, rows.n_tries);
    add(rows.outcome, rows.n_outcomes, rows.n_codes, rows.set_code, rows.set_branch);
  }

  void add(const Tree& of) {
    add(of.question);
    add(of.surrogate);
    add(of.ledger);
    add(of.missing_branch, of.search, of.gain, of.worth, of.net_gain, of.child_begin, of.child, of.n_rows);
    add(of.weight, of.value, of.impurity, of.ends, of.surrogate_begin, of.surrogate_low_branch);
    add(of.surrogate_agree, of.surrogate_adjusted, of.surrogate_n_placed);
  }

 private:
  void add_list(const auto& list) {
    add_bytes(list.size(), 8);
    for (std::size_t i = 0; i < list.size(); ++i) add_number(list[i]);
  }
  void add_number(double number) { add_bytes(std::bit_cast<std::uint64_t>(number), 8); }
  void add_number(std::integral auto number) { add_bytes(static_cast<std::uint64_t>(number), sizeof number); }
  void add_bytes(std::uint64_t bits, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) value_ = (value_ ^ (bits >> 8 * i & 255)) * 0x100000001B3u;
  }

  std::uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace treewright::digests
