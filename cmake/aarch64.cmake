# Toolchain: 64-bit Arm with Debian's cross compiler, the libraries that scripts/fetch_sysroot.sh unpacks, and QEMU, which
# runs the tests. QEMU_CPU chooses the processor: cortex-a57 has NEON alone, max,sve-max-vq=N has vectors of up to N * 128 bits.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(windrow_sysroot ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot-arm64 ABSOLUTE)
if(NOT EXISTS ${windrow_sysroot}/fetched.txt)
  message(FATAL_ERROR "${windrow_sysroot} has no libraries for aarch64: run scripts/fetch_sysroot.sh arm64")
endif()
set(CMAKE_FIND_ROOT_PATH ${windrow_sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Where the linker looks for what these libraries need themselves.
foreach(folder IN ITEMS lib usr/lib)
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,-rpath-link,${windrow_sysroot}/${folder}/aarch64-linux-gnu")
endforeach()
set(CMAKE_SHARED_LINKER_FLAGS_INIT ${CMAKE_EXE_LINKER_FLAGS_INIT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;${windrow_sysroot})
