#include "treewright/table/large_pages.hpp"

#include <new>

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace treewright {

#ifdef __linux__

namespace {

constexpr std::size_t kPage = std::size_t{1} << 21;

std::size_t whole_pages(std::size_t n_bytes) { return (n_bytes + kPage - 1) & ~(kPage - 1); }

}  // namespace

void* take_pages(std::size_t n_bytes) {
  if (n_bytes < kPage) return ::operator new(n_bytes);
  // A page more than is needed, of which some lies before the first whole one and the rest behind.
  const auto n = whole_pages(n_bytes);
  void* all = mmap(nullptr, n + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<char*>(all);
  const auto n_before =
      whole_pages(reinterpret_cast<std::uintptr_t>(begin)) - reinterpret_cast<std::uintptr_t>(begin);
  if (n_before > 0) munmap(begin, n_before);
  munmap(begin + n_before + n, kPage - n_before);
  madvise(begin + n_before, n, MADV_HUGEPAGE);  // a wish: without it pages are small
  return begin + n_before;
}

void give_pages_back(void* begin, std::size_t n_bytes) {
  if (n_bytes < kPage) {
    ::operator delete(begin);
  } else {
    munmap(begin, whole_pages(n_bytes));
  }
}

#else

void* take_pages(std::size_t n_bytes) { return ::operator new(n_bytes); }
void give_pages_back(void* begin, std::size_t) { ::operator delete(begin); }

#endif

}  // namespace treewright
