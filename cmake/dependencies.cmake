# Finds every library used. Collects what libjacobi links privately (jacobi_private_libraries and
# _definitions) and what users of a static libjacobi must find in turn (jacobi_config_dependencies for CMake,
# jacobi_pc_requires and _libs for pkg-config).
set(jacobi_private_libraries)
set(jacobi_private_definitions)
set(jacobi_config_dependencies)
set(jacobi_pc_requires libhwy)
set(jacobi_pc_libs)

find_package(hwy CONFIG QUIET)
if(hwy_FOUND)
  set(jacobi_hwy hwy::hwy)
  list(APPEND jacobi_config_dependencies "find_dependency(hwy CONFIG)")
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
  set(jacobi_hwy PkgConfig::hwy)
  list(APPEND jacobi_config_dependencies
       "find_dependency(PkgConfig)" "pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)")
endif()
list(APPEND jacobi_private_libraries ${jacobi_hwy})

# Headers only: whoever loads libjacobi loads none of them.
find_package(fmt CONFIG REQUIRED)
find_package(Eigen3 CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
list(APPEND jacobi_private_libraries $<BUILD_INTERFACE:fmt::fmt-header-only> $<BUILD_INTERFACE:Eigen3::Eigen>
     $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)

list(APPEND jacobi_private_libraries -pthread)
string(APPEND jacobi_pc_libs " -pthread")

if(JACOBI_OPENMP)
  find_package(OpenMP COMPONENTS CXX)
  if(OpenMP_CXX_FOUND)
    list(APPEND jacobi_private_libraries OpenMP::OpenMP_CXX)
    list(APPEND jacobi_private_definitions JACOBI_HAS_OPENMP=1)
    list(APPEND jacobi_config_dependencies "find_dependency(OpenMP COMPONENTS CXX)")
    string(APPEND jacobi_pc_libs " ${OpenMP_CXX_FLAGS}")
  else()
    message(STATUS "OpenMP not found: its settings of threads and places are not read")
    set(JACOBI_OPENMP OFF)
  endif()
endif()

if(JACOBI_BUILD_CLI)
  find_package(CLI11 CONFIG REQUIRED)
endif()
set(jacobi_cli_libraries)
if(JACOBI_BUILD_CLI OR JACOBI_CUDA_BEFORE)
  find_package(ZLIB REQUIRED)
  find_package(muparser CONFIG REQUIRED)
  find_package(TBB CONFIG REQUIRED)  # what C++ parallel algorithms run on: apps/bench
  set(jacobi_cli_libraries muparser::muparser TBB::tbb fmt::fmt ZLIB::ZLIB)
  find_package(PNG)
  if(PNG_FOUND)
    list(APPEND jacobi_cli_libraries PNG::PNG)
  else()
    message(STATUS "libpng not found: masks are read from .npy files and formulas only")
  endif()
endif()

if(JACOBI_OPENCL)  # libOpenCL, which is opened at run time
  list(APPEND jacobi_private_libraries ${CMAKE_DL_LIBS})
endif()

# Opened at run time, by the rung that compares with it: nobody else need load its threads.
find_library(JACOBI_BLAS NAMES openblas cblas blas DOC "A library with CBLAS, for the dense rung blas")
if(JACOBI_BLAS)
  list(APPEND jacobi_private_libraries ${CMAKE_DL_LIBS})
else()
  message(STATUS "No BLAS found: no dense rung blas")
endif()
