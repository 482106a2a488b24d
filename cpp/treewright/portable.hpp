// What differs between compilers and CPUs. No other file uses builtins, or asks what the CPU supports.
#pragma once

#include "treewright/standard.hpp"

// Exact scores need 128 bits: GCC and Clang (Apple's too, clang-cl on Windows) have them for 64-bit CPUs.
#ifndef __SIZEOF_INT128__
#error "treewright needs 128-bit integers: use GCC or Clang (clang-cl on Windows) for a 64-bit CPU"
#endif

// On Windows only the portable kernels are built: GCC does not align AVX2 values on the stack there, and
// clang-cl's library does not say what the CPU supports.
#if defined(__x86_64__) && !defined(_WIN32)
#define TREEWRIGHT_X86 1
#define TREEWRIGHT_AVX2 __attribute__((target("avx2")))
#else
#define TREEWRIGHT_AVX2
#endif

#define TREEWRIGHT_INLINE [[gnu::always_inline]] inline
#define TREEWRIGHT_NOINLINE [[gnu::noinline]]
// A vector of values, in whatever registers there are; added and multiplied elementwise.
#define TREEWRIGHT_VECTOR(bytes) __attribute__((vector_size(bytes)))

// A loop for the maximum of what it computes, several at a time. Clang cannot do this for doubles, and warns.
#ifdef __clang__
#define TREEWRIGHT_SIMD_MAX(top)
#else
#define TREEWRIGHT_PRAGMA(words) _Pragma(#words)
#define TREEWRIGHT_SIMD_MAX(top) TREEWRIGHT_PRAGMA(omp simd reduction(max : top))
#endif

namespace treewright {

using Int128 = __int128;
using UInt128 = unsigned __int128;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Load what will be read soon into the cache.
TREEWRIGHT_INLINE void prefetch(const void* at) { __builtin_prefetch(at); }

// Convert a vector elementwise. (Compilers warn about a function that returns a wide register.)
template <class From, class To>
TREEWRIGHT_INLINE void convert(const From& from, To& to) {
  to = __builtin_convertvector(from, To);
}

TREEWRIGHT_INLINE std::uint64_t swap_bytes(std::uint64_t bits) { return __builtin_bswap64(bits); }

// Whether kernels for AVX2 are called. The CPU is asked once; tests set it to false for the portable twins.
inline bool uses_avx2 = [] {
#ifdef TREEWRIGHT_X86
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0;
#else
  return false;
#endif
}();

// An inlined function, compiled for AVX2 and for any CPU; `call` calls the version for this CPU.
template <auto kFunction>
struct Twins;

template <class Result, class... Arguments, Result (*kFunction)(Arguments...)>
struct Twins<kFunction> {
  static Result call(Arguments... arguments) {
    return uses_avx2 ? for_avx2(arguments...) : kFunction(arguments...);
  }
  TREEWRIGHT_AVX2 static Result for_avx2(Arguments... arguments) { return kFunction(arguments...); }
};

}  // namespace treewright
