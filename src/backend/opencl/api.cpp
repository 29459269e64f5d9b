#include "backend/opencl/api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "jacobi/error.hpp"

namespace jacobi::opencl {

namespace {

constexpr const char* library_names[] = {"libOpenCL.so.1", "libOpenCL.so",
                                         "/System/Library/Frameworks/OpenCL.framework/OpenCL"};

struct Opened {
  Api functions;
  std::string fault;

  Opened() {
    void* library = nullptr;
    for (const char* name : library_names)
      if (!library) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fault =
          "there is no libOpenCL: install ocl-icd-libopencl1 and a driver (for processors pocl-opencl-icd)";
      return;
    }
#define JACOBI_OPENCL_FIND(name, result, arguments)                                          \
  functions.name = reinterpret_cast<decltype(functions.name)>(::dlsym(library, "cl" #name)); \
  if (!functions.name && fault.empty()) fault = "libOpenCL has no cl" #name ": one of OpenCL 1.2 is needed";
    JACOBI_OPENCL_FUNCTIONS(JACOBI_OPENCL_FIND)
#undef JACOBI_OPENCL_FIND
  }
};

const char* known_words(Int code) {
  switch (code) {
    case device_not_found:
      return "no device found";
    case device_not_available:
      return "the device is lost or not available";
    case compiler_not_available:
      return "the driver has no compiler";
    case memory_allocation_failure:
      return "out of device memory";
    case out_of_resources:
      return "out of resources of the device";
    case out_of_host_memory:
      return "out of memory of the host";
    case build_program_failure:
      return "the program does not build";
    case invalid_queue:
      return "the queue has ended: the device is lost";
    case invalid_work_group_size:
      return "the device takes no groups of that size";
    case invalid_buffer_size:
      return "the device takes no buffer of that size";
    case platform_not_found:
      return "no platform found";
    default:
      return nullptr;
  }
}

}  // namespace

const Api& api() {
  static const Opened opened;
  if (!opened.fault.empty()) throw BackendError("opencl: " + opened.fault);
  return opened.functions;
}

std::string words_of_error(Int code) {
  const char* const words = known_words(code);
  return words ? fmt::format("{} (error {})", words, code) : fmt::format("error {}", code);
}

void require(Int code, const std::string& asked) {
  if (code != success) throw BackendError(fmt::format("opencl: {}: {}", asked, words_of_error(code)));
}

}  // namespace jacobi::opencl
