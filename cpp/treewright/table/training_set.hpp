// A table put in order once, to be grown on many times: on all of its rows or on some of them, under other
// targets and weights. Folds, audits and forests share one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "treewright/pool.hpp"         // for Pool
#include "treewright/table/table.hpp"  // for Table

namespace treewright {

class TrainingSet {
 public:
  TrainingSet(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
              Pool& pool)
      : table_(order_table(std::move(columns), std::move(n_categories), n_rows, {}, pool)) {}

  const Table& table() const { return table_; }

  // The rows that take part, in their orders; empty: all. In proportion to the rows, without sorting.
  Table of_rows(const std::vector<bool>& takes_part, Pool& pool) const;

  // The last growth needs no copy. Nothing is left here.
  Table hand_over() { return std::move(table_); }

 private:
  Table table_;
};

}  // namespace treewright
