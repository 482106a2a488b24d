// The arrays of a tree's splits, as Python holds them.
#pragma once

#include "arrays.hpp"
#include "treewright/predict/predict.hpp"

namespace treewright::bindings {

struct Questions {
  Vector<std::int32_t> column;
  Vector<double> cut;
  Vector<std::int64_t> cut_integer;
  Vector<std::int32_t> set_begin, set_code, set_branch;

  QuestionViews views() const {
    return {span_of(column),    span_of(cut),      span_of(cut_integer),
            span_of(set_begin), span_of(set_code), span_of(set_branch)};
  }
};

}  // namespace treewright::bindings
