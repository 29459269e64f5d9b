# jacobi_tests: every kind of test; jacobi_tests_long: the ones that take minutes (label `long`).
enable_testing()
include(GoogleTest)
find_package(GTest REQUIRED)

# Where the command line and the project lie: a header, so that objects which do not ask are the same in every clone.
jacobi_write_if_different(${jacobi_generated_dir}/paths_of_tests.hpp
  "#pragma once\n#define JACOBI_BINARY \"${PROJECT_BINARY_DIR}/bin/jacobi\"\n#define JACOBI_SOURCE_DIR \"${PROJECT_SOURCE_DIR}\"\n#define JACOBI_FAULTS \"${PROJECT_BINARY_DIR}/libjacobi_faults.so\"\n#define JACOBI_EMULATED_OPENCL \"${PROJECT_BINARY_DIR}/emulated_opencl\"\n")

file(GLOB test_helpers CONFIGURE_DEPENDS tests/*.cpp)
if(JACOBI_SANITIZE MATCHES address)  # whose tests are not optimised: theirs take two minutes more
  set_source_files_properties(tests/dense_eigenvalues.cpp PROPERTIES COMPILE_OPTIONS -O1)
endif()
file(GLOB long_tests CONFIGURE_DEPENDS tests/long/*.cpp)
set(kinds ladder)
option(JACOBI_ONLY_LADDERS "Of the tests only the ladders" OFF)
mark_as_advanced(JACOBI_ONLY_LADDERS)
if(JACOBI_BUILD_CLI AND NOT JACOBI_ONLY_LADDERS)  # most tests need what reads and writes files
  list(APPEND kinds unit property amg)
endif()
if(JACOBI_BUILD_CLI AND NOT JACOBI_SANITIZE AND NOT JACOBI_ONLY_LADDERS)  # the command line is not built then
  list(APPEND kinds published cli)
endif()
list(TRANSFORM kinds REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/tests/\\1/*.cpp" OUTPUT_VARIABLE patterns)
file(GLOB tests CONFIGURE_DEPENDS ${patterns})
if(NOT JACOBI_OPENCL)
  list(FILTER tests EXCLUDE REGEX "/cli_opencl[.]cpp$")
endif()
set(filter "*")
if(JACOBI_SANITIZE STREQUAL "thread")  # only what has several threads
  set(test_helpers tests/fixed_teams.cpp)  # the others are for diagnoses
  set(filter "*Threads*:*Ladder*:*Tiled*-*TextbookEqualsTheNaive*:*Control*")
  foreach(file IN LISTS tests)
    file(STRINGS ${file} named REGEX "^(TEST|INSTANTIATE|TYPED).*(Threads|Ladder|Tiled)")
    if(NOT named)
      list(REMOVE_ITEM tests ${file})
    endif()
  endforeach()
endif()

# A process per test; with a sanitizer or under qemu, where starting one takes longer than most tests, eight for all.
function(jacobi_discover_tests target filter label timeout)
  set(passive "OMP_WAIT_POLICY=passive")  # tests share the cores: no spinning
  if(JACOBI_SANITIZE OR CMAKE_CROSSCOMPILING)
    foreach(shard RANGE 7)
      add_test(NAME ${target}.${shard} COMMAND ${target} --gtest_filter=${filter})
      set_tests_properties(${target}.${shard} PROPERTIES TIMEOUT 900 LABELS ${label}
                           FAIL_REGULAR_EXPRESSION "Running 0 tests"  # a filter that names nothing
                           ENVIRONMENT "${passive};GTEST_TOTAL_SHARDS=8;GTEST_SHARD_INDEX=${shard}")
    endforeach()
  else()
    # Teams larger than the cores that others leave wait for time slices: five times as long as by themselves.
    set(teams "*Ladder*:DenseWays.*")
    set(on_1 "${filter}-${teams}")
    set(on_2 "${teams}")
    foreach(processors 1 2)
      gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_FILTER "${on_${processors}}"
                           TEST_LIST "${target}_on_${processors}"
                           PROPERTIES TIMEOUT ${timeout} LABELS ${label} ENVIRONMENT ${passive}
                                      PROCESSORS ${processors})
    endforeach()
  endif()
endfunction()

function(jacobi_add_tests target label timeout)
  add_executable(${target} ${ARGN} ${test_helpers})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} src tests ${jacobi_generated_dir})
  target_compile_options(${target} PRIVATE -Wno-conversion -Wno-shadow -Wno-dangling-else)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -Og)  # three fifths of what -O1 takes to compile
  endif()
  target_link_libraries(${target} PRIVATE jacobi_internal fmt::fmt GTest::gtest GTest::gtest_main Eigen3::Eigen)
  if(TARGET OpenMP::OpenMP_CXX)  # arrays are touched first by the threads that sweep them
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  endif()
  if(JACOBI_SANITIZE STREQUAL "thread" OR CMAKE_CROSSCOMPILING)
    target_compile_definitions(${target} PRIVATE JACOBI_TEST_SHARE=15)  # twenty times slower and more
  elseif(JACOBI_SANITIZE)
    target_compile_definitions(${target} PRIVATE JACOBI_TEST_SHARE=8)  # seven times slower
  endif()
  if(JACOBI_SANITIZE)
    target_compile_definitions(${target} PRIVATE JACOBI_TEST_SANITIZED)
  endif()
  # Three fifths of their time to compile: what a sanitizer looks for is the libraries'.
  if(JACOBI_SANITIZE AND BUILD_SHARED_LIBS)
    target_compile_options(${target} PRIVATE -fno-sanitize=${JACOBI_SANITIZE} -O0)
  endif()
  if(JACOBI_BUILD_CLI AND NOT JACOBI_SANITIZE STREQUAL "thread")  # whose tests read no files
    target_link_libraries(${target} PRIVATE jacobi_io ZLIB::ZLIB)
  endif()
  if(JACOBI_BUILD_CLI AND NOT JACOBI_SANITIZE)
    add_dependencies(${target} jacobi_cli jacobi_faults)
    if(JACOBI_OPENCL)
      add_dependencies(${target} jacobi_emulated_opencl)
    endif()
    target_link_libraries(${target} PRIVATE jacobi_cli_core)
  endif()
  jacobi_discover_tests(${target} "${filter}" ${label} ${timeout})
endfunction()

if(tests)
  jacobi_add_tests(jacobi_tests fast 300 ${tests})
endif()

# What the command line's tests preload to let allocations, threads and renames fail.
if(JACOBI_BUILD_CLI AND NOT JACOBI_SANITIZE)
  add_library(jacobi_faults MODULE tests/faults/faults.cpp)
  target_link_libraries(jacobi_faults PRIVATE ${CMAKE_DL_LIBS})
endif()

# The device's tests on OpenCL's first device, as a rule PoCL's. A process has many tests: each builds programs.
if(JACOBI_OPENCL AND NOT JACOBI_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  add_subdirectory(tests/opencl)
endif()

# The device's tests on the emulated device, some of them, with the address sanitizer; bench/gpu.sh --emulated runs all.
# The thread sanitizer knows no fibers, and foreign processors run them no differently.
set(has_fibers ON)
if(JACOBI_SANITIZE STREQUAL "thread" OR CMAKE_CROSSCOMPILING)
  set(has_fibers OFF)
endif()
if(has_fibers AND JACOBI_SANITIZE)
  add_subdirectory(tests/cuda)
endif()

# Neither the long tests nor the installation are of use with a sanitizer, or without a command line.
if(JACOBI_BUILD_CLI AND NOT JACOBI_SANITIZE)
  if(long_tests)
    jacobi_add_tests(jacobi_tests_long long 1800 ${long_tests})
  endif()
  add_test(NAME Install.ConsumerBuildsAgainstInstalledTree
           COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/run.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND}
                   ${CMAKE_CXX_COMPILER})
  set_tests_properties(Install.ConsumerBuildsAgainstInstalledTree PROPERTIES TIMEOUT 300 LABELS install COST 90)
endif()

# Several processes, where there is an MPI.
if(NOT JACOBI_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  add_subdirectory(tests/mpi)
endif()

# What `make test` runs: all test programs that there are here, but those of long tests.
add_custom_target(jacobi_short_tests)
foreach(target jacobi_cli jacobi_tests jacobi_opencl_tests jacobi_mpi_test)
  if(TARGET ${target})
    add_dependencies(jacobi_short_tests ${target})
  endif()
endforeach()
