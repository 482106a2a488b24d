// Room in large pages, where the system has them: a page is made when it is first written to, which takes
// about a microsecond, and a list that grows large has thousands of the usual ones.
#pragma once

#include <cstddef>

namespace treewright {

void* take_pages(std::size_t n_bytes);
void give_pages_back(void* begin, std::size_t n_bytes);

// For containers.
template <class Value>
struct InLargePages {
  using value_type = Value;

  InLargePages() = default;
  template <class Other>
  InLargePages(const InLargePages<Other>&) {}

  Value* allocate(std::size_t n) { return static_cast<Value*>(take_pages(n * sizeof(Value))); }
  void deallocate(Value* begin, std::size_t n) { give_pages_back(begin, n * sizeof(Value)); }

  template <class Other>
  bool operator==(const InLargePages<Other>&) const {
    return true;
  }
};

}  // namespace treewright
