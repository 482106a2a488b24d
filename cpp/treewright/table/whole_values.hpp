// Which columns hold few distinct whole numbers? These get their codes as the table is read, once, with no
// keys in between: what a value is tells where to look its code up.
#pragma once

#include <cstddef>

#include "treewright/table/table.hpp"  // for Table

namespace treewright {

// Code those of the columns [begin, end), which lie side by side, for which this serves; the other ones stay
// without codes.
void code_whole_values(Table& table, std::size_t begin, std::size_t end);

}  // namespace treewright
