// A list of numbers that nearly always are all the same, and then take no room.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace treewright {

// Integers and gaps, categories and surrogates: most trees have none, and large ones feel every byte a node.
template <class Value, int kUsualNumber = 0>
class ConstantOrVector {
 public:
  std::size_t size() const { return size_; }
  bool is_plain() const { return kept_.empty(); }  // nothing but the usual value
  Value operator[](std::size_t i) const { return is_plain() ? kUsual : kept_[i]; }

  void push_back(Value value) {
    if (value != kUsual || !is_plain()) [[unlikely]]
      keep().push_back(value);
    ++size_;
  }

  // Append entries [begin, end) of another list.
  void append(const ConstantOrVector& from, std::size_t begin, std::size_t end) {
    if (!from.is_plain()) {
      keep().insert(kept_.end(), from.kept_.begin() + static_cast<std::ptrdiff_t>(begin),
                    from.kept_.begin() + static_cast<std::ptrdiff_t>(end));
    } else if (!is_plain()) {
      kept_.insert(kept_.end(), end - begin, kUsual);
    }
    size_ += end - begin;
  }

  // The same, times a factor.
  void append(const ConstantOrVector& from, std::size_t begin, std::size_t end, Value factor)
    requires(kUsualNumber == 0)
  {
    append(from, begin, end);
    if (factor == 1 || from.is_plain()) return;
    for (auto i = size_ - (end - begin); i < size_; ++i) kept_[i] *= factor;
  }

  // The whole list, written out.
  std::vector<Value> written_out() && { return std::move(keep()); }

 private:
  static constexpr Value kUsual = kUsualNumber;

  std::vector<Value>& keep() {
    if (is_plain()) kept_.assign(size_, kUsual);
    return kept_;
  }

  std::size_t size_ = 0;
  std::vector<Value> kept_;  // empty: all are usual
};

}  // namespace treewright
