# The library's sources. Kernels hold one copy of their code per instruction set, so each is a translation
# unit of its own; the rest may be compiled in three large pieces, which share what they instantiate (UNITY_BUILD).
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH jacobi_root)
file(GLOB jacobi_core CONFIGURE_DEPENDS ${jacobi_root}/src/core/*.cpp ${jacobi_root}/src/heat/*.cpp
     ${jacobi_root}/src/backend/*.cpp ${jacobi_root}/src/backend/device/*.cpp)
file(GLOB jacobi_cpu CONFIGURE_DEPENDS ${jacobi_root}/src/backend/cpu/*.cpp)
file(GLOB jacobi_opencl CONFIGURE_DEPENDS ${jacobi_root}/src/backend/opencl/*.cpp)
file(GLOB jacobi_machine CONFIGURE_DEPENDS ${jacobi_root}/src/machine/*.cpp)
file(GLOB jacobi_diagnosis CONFIGURE_DEPENDS ${jacobi_root}/src/diagnosis/*.cpp)
# what is said of reports, diagnoses and forecasts, and the lists of checkpoints: the only part that writes JSON
file(GLOB jacobi_report CONFIGURE_DEPENDS ${jacobi_root}/src/report/*.cpp)
file(GLOB_RECURSE jacobi_sweeps CONFIGURE_DEPENDS ${jacobi_root}/src/sweep/*.cpp)
set(jacobi_kernels ${jacobi_sweeps})
list(FILTER jacobi_kernels INCLUDE REGEX "/(ladder|multigrid)_[^/]*$|/(kernels|product)[.]cpp$")
list(REMOVE_ITEM jacobi_sweeps ${jacobi_kernels})

function(jacobi_compile_in_pieces target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${jacobi_core} ${jacobi_cpu} PROPERTIES UNITY_GROUP core)
  # by themselves: another backend.cpp may take its place (scripts/check-cuda.sh), and blas.cpp names this machine's BLAS
  set_source_files_properties(${jacobi_root}/src/backend/backend.cpp ${jacobi_root}/src/core/blas.cpp
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_source_files_properties(${jacobi_report} PROPERTIES UNITY_GROUP report)
  set_source_files_properties(${jacobi_opencl} PROPERTIES UNITY_GROUP opencl)
  set_source_files_properties(${jacobi_machine} ${jacobi_diagnosis} PROPERTIES UNITY_GROUP diagnosis)
  set_source_files_properties(${jacobi_sweeps} PROPERTIES UNITY_GROUP sweep)
endfunction()
