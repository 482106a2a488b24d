// Memory for values that are written before they are read, so it is not filled with zeros.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

template <class Value>
class UninitializedBuffer {
 public:
  UninitializedBuffer() = default;
  explicit UninitializedBuffer(std::size_t n) { make_room(n); }

  // Make room for n values. If there was too little, only the first `n_kept` values stay.
  void make_room(std::size_t n, std::size_t n_kept = 0) {
    if (n <= size_) return;
    size_ = std::max(n, 2 * size_);
    auto values = std::make_unique_for_overwrite<Value[]>(size_);
    std::copy_n(values_.get(), n_kept, values.get());
    values_ = std::move(values);
  }

  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }
  Value& operator[](std::size_t at) { return values_[at]; }
  const Value& operator[](std::size_t at) const { return values_[at]; }

 private:
  std::unique_ptr<Value[]> values_;
  std::size_t size_ = 0;
};

}  // namespace treewright
