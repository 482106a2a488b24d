// Functions compiled for more than one CPU; which one is called is settled when the program starts.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && defined(__linux__)
#define TREEWRIGHT_X86 1
#define TREEWRIGHT_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TREEWRIGHT_CLONES
#endif
