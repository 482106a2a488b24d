# What each compiler is told: `same_bits` for all that includes the core, `core_options` for the core itself,
# `program_options` for its tests, `core_libraries` to link with it.
# Every flag stands behind the compiler that knows it; tests/test_cross.py runs this file for each of them.

if(CMAKE_CXX_COMPILER_ID STREQUAL "MSVC")
  message(FATAL_ERROR
    "treewright does not compile with MSVC's cl, which has no 128-bit integers. Use clang-cl, which comes "
    "with Visual Studio: cmake -T ClangCL, or -DCMAKE_CXX_COMPILER=clang-cl with Ninja.")
endif()

# No fused multiply-add behind our back (GCC fuses by itself where the CPU can, as on aarch64), no fast-math.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
  message(FATAL_ERROR
    "treewright is known to give the same trees with GCC and Clang only, not with ${CMAKE_CXX_COMPILER_ID}: "
    "set CMAKE_CXX_COMPILER to one of them.")
elseif(CMAKE_CXX_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")  # clang-cl takes cl's words
  set(same_bits /fp:precise /clang:-ffp-contract=off)
  set(core_options /O2 /W3 /clang:-fno-math-errno /clang:-fopenmp-simd)
  set(program_options /W3)
  # How 128-bit integers are divided is in a library of Clang's that cl's linker does not look into.
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" /clang:--rtlib=compiler-rt /clang:--print-libgcc-file-name
                  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE core_libraries)
else()
  set(same_bits -ffp-contract=off)
  set(warnings -Wall -Wextra -Wshadow -Wno-missing-field-initializers)
  set(core_options -O3 -fno-math-errno -fopenmp-simd ${warnings})
  set(program_options -O1 -fopenmp-simd ${warnings})
endif()
