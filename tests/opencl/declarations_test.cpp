/// The backend's own declarations are those of the published headers.
#include <gtest/gtest.h>

#include "backend/opencl/api.hpp"

#if __has_include(<CL/cl.h>)
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <type_traits>

namespace jacobi::opencl {
namespace {

#define JACOBI_OPENCL_SAME(name, result, arguments) \
  static_assert(std::is_same_v<decltype(Api::name), decltype(&::cl##name)>);
JACOBI_OPENCL_FUNCTIONS(JACOBI_OPENCL_SAME)
#undef JACOBI_OPENCL_SAME

static_assert(device_not_found == CL_DEVICE_NOT_FOUND && device_not_available == CL_DEVICE_NOT_AVAILABLE &&
              compiler_not_available == CL_COMPILER_NOT_AVAILABLE &&
              memory_allocation_failure == CL_MEM_OBJECT_ALLOCATION_FAILURE &&
              out_of_resources == CL_OUT_OF_RESOURCES && out_of_host_memory == CL_OUT_OF_HOST_MEMORY &&
              build_program_failure == CL_BUILD_PROGRAM_FAILURE &&
              invalid_queue == CL_INVALID_COMMAND_QUEUE &&
              invalid_work_group_size == CL_INVALID_WORK_GROUP_SIZE &&
              invalid_buffer_size == CL_INVALID_BUFFER_SIZE);
static_assert(platform_name == CL_PLATFORM_NAME && device_type == CL_DEVICE_TYPE &&
              device_units == CL_DEVICE_MAX_COMPUTE_UNITS &&
              device_most_items == CL_DEVICE_MAX_WORK_GROUP_SIZE &&
              device_largest_buffer == CL_DEVICE_MAX_MEM_ALLOC_SIZE &&
              device_memory == CL_DEVICE_GLOBAL_MEM_SIZE && device_local_memory == CL_DEVICE_LOCAL_MEM_SIZE &&
              device_available == CL_DEVICE_AVAILABLE && device_compiler == CL_DEVICE_COMPILER_AVAILABLE &&
              device_name == CL_DEVICE_NAME && device_version == CL_DEVICE_VERSION &&
              device_double == CL_DEVICE_DOUBLE_FP_CONFIG && program_build_log == CL_PROGRAM_BUILD_LOG);
static_assert(type_cpu == CL_DEVICE_TYPE_CPU && type_gpu == CL_DEVICE_TYPE_GPU &&
              every_type == CL_DEVICE_TYPE_ALL && read_and_write == CL_MEM_READ_WRITE);

TEST(OpenClDeclarations, AreThoseOfThePublishedHeaders) { SUCCEED() << "compared when this was compiled"; }

}  // namespace
}  // namespace jacobi::opencl
#else
TEST(OpenClDeclarations, AreThoseOfThePublishedHeaders) { GTEST_SKIP() << "there is no CL/cl.h"; }
#endif
