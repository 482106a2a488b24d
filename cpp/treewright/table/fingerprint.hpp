// A number for every row that depends on its values alone, not on its position or container.
#pragma once

#include "treewright/pool.hpp"          // for Pool
#include "treewright/table/column.hpp"  // for Column

namespace treewright {

// The 64 bits of every value (as float64 or as a whole number) times the odd constant of its column, summed
// modulo 2^64 and scrambled. Without weights every row weighs 1.
std::vector<std::uint64_t> numbers_of_rows(std::span<const Column> columns, const Column& target,
                                           const Column* weights, std::size_t n_rows, std::uint64_t seed);

// The sum of these numbers over the rows whose weight is not 0.
std::uint64_t fingerprint(std::span<const Column> columns, const Column& target, const Column* weights,
                          std::size_t n_rows, Pool& pool);

}  // namespace treewright
