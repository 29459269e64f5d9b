/// What is used of OpenCL 1.2, declared here: neither a header of it nor its library is needed to build.
/// libOpenCL is opened when it is first asked for. tests/opencl compares this with the published headers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

// NOLINTBEGIN(bugprone-reserved-identifier): their own names
struct _cl_platform_id;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_program;
struct _cl_kernel;
struct _cl_event;
// NOLINTEND(bugprone-reserved-identifier)

namespace jacobi::opencl {

using Int = std::int32_t;
using Uint = std::uint32_t;
using Bits = std::uint64_t;
using Info = std::intptr_t;
using PlatformId = ::_cl_platform_id*;
using DeviceId = ::_cl_device_id*;
using ContextId = ::_cl_context*;
using QueueId = ::_cl_command_queue*;
using Memory = ::_cl_mem*;
using ProgramId = ::_cl_program*;
using KernelId = ::_cl_kernel*;
using EventId = ::_cl_event*;

inline constexpr Int success = 0, device_not_found = -1, device_not_available = -2,
                     compiler_not_available = -3, memory_allocation_failure = -4, out_of_resources = -5,
                     out_of_host_memory = -6, build_program_failure = -11, invalid_queue = -36,
                     invalid_work_group_size = -54, invalid_buffer_size = -61, platform_not_found = -1001;

inline constexpr Uint platform_name = 0x0902, device_type = 0x1000, device_units = 0x1002,
                      device_most_items = 0x1004, device_largest_buffer = 0x1010, device_memory = 0x101F,
                      device_local_memory = 0x1023, device_available = 0x1027, device_compiler = 0x1028,
                      device_name = 0x102B, device_version = 0x102F, device_double = 0x1032,
                      program_build_log = 0x1183, kernel_most_items = 0x11B0;

inline constexpr Bits type_cpu = 2, type_gpu = 4, type_accelerator = 8, every_type = 0xFFFFFFFF,
                      read_and_write = 1, copies_host = 32, fused_multiply_add = 32;

/// name, result, arguments.
#define JACOBI_OPENCL_FUNCTIONS(F)                                                                         \
  F(GetPlatformIDs, Int, (Uint, PlatformId*, Uint*))                                                       \
  F(GetPlatformInfo, Int, (PlatformId, Uint, std::size_t, void*, std::size_t*))                            \
  F(GetDeviceIDs, Int, (PlatformId, Bits, Uint, DeviceId*, Uint*))                                         \
  F(GetDeviceInfo, Int, (DeviceId, Uint, std::size_t, void*, std::size_t*))                                \
  F(CreateContext, ContextId,                                                                              \
    (const Info*, Uint, const DeviceId*, void (*)(const char*, const void*, std::size_t, void*), void*,    \
     Int*))                                                                                                \
  F(ReleaseContext, Int, (ContextId))                                                                      \
  F(CreateCommandQueue, QueueId, (ContextId, DeviceId, Bits, Int*))                                        \
  F(ReleaseCommandQueue, Int, (QueueId))                                                                   \
  F(CreateBuffer, Memory, (ContextId, Bits, std::size_t, void*, Int*))                                     \
  F(ReleaseMemObject, Int, (Memory))                                                                       \
  F(CreateProgramWithSource, ProgramId, (ContextId, Uint, const char**, const std::size_t*, Int*))         \
  F(BuildProgram, Int, (ProgramId, Uint, const DeviceId*, const char*, void (*)(ProgramId, void*), void*)) \
  F(GetProgramBuildInfo, Int, (ProgramId, DeviceId, Uint, std::size_t, void*, std::size_t*))               \
  F(ReleaseProgram, Int, (ProgramId))                                                                      \
  F(CreateKernel, KernelId, (ProgramId, const char*, Int*))                                                \
  F(ReleaseKernel, Int, (KernelId))                                                                        \
  F(SetKernelArg, Int, (KernelId, Uint, std::size_t, const void*))                                         \
  F(GetKernelWorkGroupInfo, Int, (KernelId, DeviceId, Uint, std::size_t, void*, std::size_t*))             \
  F(EnqueueNDRangeKernel, Int,                                                                             \
    (QueueId, KernelId, Uint, const std::size_t*, const std::size_t*, const std::size_t*, Uint,            \
     const EventId*, EventId*))                                                                            \
  F(EnqueueReadBuffer, Int,                                                                                \
    (QueueId, Memory, Uint, std::size_t, std::size_t, void*, Uint, const EventId*, EventId*))              \
  F(EnqueueWriteBuffer, Int,                                                                               \
    (QueueId, Memory, Uint, std::size_t, std::size_t, const void*, Uint, const EventId*, EventId*))        \
  F(EnqueueCopyBuffer, Int,                                                                                \
    (QueueId, Memory, Memory, std::size_t, std::size_t, std::size_t, Uint, const EventId*, EventId*))      \
  F(EnqueueFillBuffer, Int,                                                                                \
    (QueueId, Memory, const void*, std::size_t, std::size_t, std::size_t, Uint, const EventId*, EventId*)) \
  F(Flush, Int, (QueueId))                                                                                 \
  F(Finish, Int, (QueueId))

struct Api {
#define JACOBI_OPENCL_MEMBER(name, result, arguments) result(*name) arguments = nullptr;
  JACOBI_OPENCL_FUNCTIONS(JACOBI_OPENCL_MEMBER)
#undef JACOBI_OPENCL_MEMBER
};

/// Throws: BackendError in words where there is no libOpenCL, or one that lacks a function.
const Api& api();

/// "out of resources", "error -9999".
std::string words_of_error(Int code);
/// Throws: BackendError naming what was asked, unless code is success.
void require(Int code, const std::string& asked);

}  // namespace jacobi::opencl
