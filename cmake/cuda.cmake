# CUDA as a language, its toolkit, and C++20 there; the architectures are set before.
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know what nvcc calls it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
endif()
