# Files made at configure time, in ${jacobi_generated_dir}; rewritten only when their content changes.
set(jacobi_generated_dir ${PROJECT_BINARY_DIR}/generated)

function(jacobi_write_if_different path content)
  file(WRITE ${path}.new "${content}")
  file(COPY_FILE ${path}.new ${path} ONLY_IF_DIFFERENT)
  file(REMOVE ${path}.new)
endfunction()

# version.hpp
jacobi_write_if_different(${jacobi_generated_dir}/version.hpp
  "#pragma once\n#define JACOBI_VERSION \"${PROJECT_VERSION}\"\n")

# blas_library.hpp: where the BLAS lies. No definition of the compiler's, which would make every object another one than in
# builds without a BLAS, as that of the Python module.
set(blas)
if(JACOBI_BLAS)
  set(blas "#define JACOBI_BLAS_LIBRARY \"${JACOBI_BLAS}\"\n")
endif()
jacobi_write_if_different(${jacobi_generated_dir}/blas_library.hpp "#pragma once\n${blas}")

# backends.inc: one line per backend compiled in.
set(backends "JACOBI_BACKEND(serial)\nJACOBI_BACKEND(threads)\n")
if(JACOBI_CUDA)
  string(APPEND backends "JACOBI_BACKEND(cuda)\n")
endif()
if(JACOBI_OPENCL)
  string(APPEND backends "JACOBI_BACKEND(opencl)\n")
endif()
jacobi_write_if_different(${jacobi_generated_dir}/backends.inc "${backends}")

# published.hpp: every published/*.json and *.csv as text. In pieces: some compilers limit one literal to 16 KiB.
file(GLOB published CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/published/*.json ${PROJECT_SOURCE_DIR}/published/*.csv)
set(header "/// The sources' tables, embedded.\n#pragma once\n#pragma GCC diagnostic push\n"
           "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace jacobi::published {\n\n")
string(CONCAT header ${header})
foreach(file IN LISTS published)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  cmake_path(GET file STEM stem)
  string(MAKE_C_IDENTIFIER "${stem}" stem)
  file(READ ${file} rest)
  string(APPEND header "inline constexpr const char* k_${stem} =")
  while(NOT rest STREQUAL "")
    string(SUBSTRING "${rest}" 0 12000 piece)
    string(LENGTH "${piece}" length)
    string(SUBSTRING "${rest}" ${length} -1 rest)
    string(APPEND header " R\"json(${piece})json\"\n")
  endwhile()
  string(APPEND header "    \"\";\n\n")
endforeach()
string(APPEND header "}  // namespace jacobi::published\n#pragma GCC diagnostic pop\n")
jacobi_write_if_different(${jacobi_generated_dir}/published.hpp "${header}")

# opencl_kernels.hpp: every file of kernels as text, which a driver compiles at run time.
file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/opencl/kernels/*.cl)
set(header "/// The kernels of the opencl backend, embedded.\n#pragma once\n\nnamespace jacobi::opencl {\n\n")
string(APPEND header "struct KernelFile {\n  const char *name, *text;\n};\ninline constexpr KernelFile kernel_files[] = {\n")
foreach(file IN LISTS kernels)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  cmake_path(GET file STEM stem)
  file(READ ${file} text)
  string(APPEND header "    {\"${stem}\", R\"cl(${text})cl\"},\n")
endforeach()
string(APPEND header "};\n\n}  // namespace jacobi::opencl\n")
jacobi_write_if_different(${jacobi_generated_dir}/opencl_kernels.hpp "${header}")
