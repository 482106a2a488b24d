# Debian's compiler for 64-bit ARM. Programs are linked statically, so that qemu needs nothing else to run them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# GCC notes that it passes pairs as it did before version 10; nothing here is linked with code that old.
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)
