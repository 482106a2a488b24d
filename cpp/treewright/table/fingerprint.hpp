// A number for every row that what is in it decides, and nothing else: neither its place nor its container.
#pragma once

#include "treewright/pool.hpp"          // for Pool
#include "treewright/table/column.hpp"  // for Column

namespace treewright {

// The 64 bits of every value (a float64, or a whole number) times the odd constant of its column, added up
// modulo 2^64 and scrambled. Without weights every row weighs 1.
std::vector<std::uint64_t> numbers_of_rows(std::span<const Column> columns, const Column& target,
                                           const Column* weights, std::size_t n_rows, std::uint64_t seed);

// The sum of these numbers over the rows that weigh something.
std::uint64_t fingerprint(std::span<const Column> columns, const Column& target, const Column* weights,
                          std::size_t n_rows, Pool& pool);

}  // namespace treewright
