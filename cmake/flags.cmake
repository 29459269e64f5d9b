# Compiler settings of every target of this project, and of no other: variables and options of this folder.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)  # GCC and Clang: -O3 -DNDEBUG
  endif()
  include(${CMAKE_CURRENT_LIST_DIR}/ccache.cmake)
endif()

# fma only where it is written: the same bits from every rung, tile and thread count. Kernels choose their
# instruction set at run time, from SSE4 on, which every x86-64 processor of the last ten years has.
add_compile_options(-ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  if(NOT CMAKE_CXX_FLAGS MATCHES "-march=")  # another one may be chosen
    add_compile_options(-march=x86-64-v2)
  endif()
  add_compile_definitions(HWY_DISABLE_PCLMUL_AES)  # which Highway else asks of SSE4, and no kernel uses
endif()
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # a loop marked simd that it leaves scalar; `#pragma GCC ivdep`, which it does not know
  add_compile_options(-Wno-pass-failed -Wno-unknown-pragmas)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # false positive in std::string operator+ (GCC bug 105651)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(-Wno-subobject-linkage)  # takes what is in an anonymous namespace for a header's
endif()
# Intel's processors up to Skylake's family decode a loop anew in every turn when its jump touches a 32-byte
# boundary: up to 1.6x slower vector loops, by the chance of where a loop lands.
include(CheckCXXCompilerFlag)
foreach(flag -mbranches-within-32B-boundaries -Wa,-mbranches-within-32B-boundaries)
  string(MAKE_C_IDENTIFIER "JACOBI_HAS${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  if(${has_flag})
    add_compile_options(${flag})
    break()
  endif()
endforeach()
# Kernels keep vectors in arrays and structs, which needs a size: SVE is compiled for vectors of 256 bits. Of 128
# bits it is as wide as NEON.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  add_compile_definitions("HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE2_128)")
  add_compile_options(-msve-vector-bits=256)
endif()
if(JACOBI_WERROR)
  add_compile_options(-Werror)
endif()

if(JACOBI_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "JACOBI_BUILD_FUZZERS needs Clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  set(JACOBI_SANITIZE address,undefined)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(JACOBI_SANITIZE)
  # One instruction set: three take three times as long to build. That of this machine; for races AVX2, the least that has
  # lines in strips and grids in one array; for parsers SSE4 does.
  add_compile_definitions(HWY_COMPILE_ONLY_STATIC)
  if(JACOBI_SANITIZE MATCHES address AND NOT JACOBI_BUILD_FUZZERS)
    add_compile_options(-march=native)
  elseif(JACOBI_SANITIZE STREQUAL "thread" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-march=x86-64-v3)
  endif()
  add_compile_options(-fsanitize=${JACOBI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${JACOBI_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # False positives in instrumented code, the compiler's own headers included.
    add_compile_options(-Wno-maybe-uninitialized -Wno-uninitialized)
    # A check at every access or sum of a pointer: two fifths of the time to compile, for what the address sanitizer or the
    # processor finds as well.
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
  endif()
endif()
