/// The functions of OpenCL that the library asks for. One device, which fails as JACOBI_EMULATED_FAULT says.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <stdexcept>

#include "objects.hpp"

using namespace jacobi::opencl;
using namespace jacobi::opencl::emulated;

struct _cl_platform_id {};
struct _cl_device_id {};
struct _cl_context {};
struct _cl_command_queue {};
struct _cl_program {
  std::string text, log;
  std::optional<Compiled> compiled;
};
struct _cl_kernel {
  std::string name;
  Compiled compiled;
  std::vector<Argument> arguments;
};

namespace {

bool asked_for(std::string_view fault) { return setting("JACOBI_EMULATED_FAULT") == fault; }

_cl_platform_id platform;
_cl_device_id device;
_cl_context context;
_cl_command_queue queue;
int kernels_run = 0;
bool was_misused = false;
std::set<Memory> memories;  // by which an argument that is one is told from a number

/// The device is lost after some kernels, and where one has misused it.
Int state() { return was_misused || (asked_for("lost") && kernels_run > 5) ? invalid_queue : success; }

Int tell(const void* value, std::size_t size, std::size_t room, void* to, std::size_t* needed) {
  if (needed) *needed = size;
  if (to) std::memcpy(to, value, std::min(room, size));
  return success;
}
Int tell(std::string_view text, std::size_t room, void* to, std::size_t* needed) {
  return tell(std::string(text).c_str(), text.size() + 1, room, to, needed);
}

}  // namespace

extern "C" {

Int clGetPlatformIDs(Uint count, PlatformId* to, Uint* found) {
  if (asked_for("no platform")) return platform_not_found;
  if (found) *found = 1;
  if (count > 0 && to) *to = &platform;
  return success;
}
Int clGetPlatformInfo(PlatformId, Uint, std::size_t room, void* to, std::size_t* needed) {
  return tell("Emulated platform", room, to, needed);
}
Int clGetDeviceIDs(PlatformId, Bits, Uint count, DeviceId* to, Uint* found) {
  if (asked_for("no device")) return device_not_found;
  if (found) *found = 1;
  if (count > 0 && to) *to = &device;
  return success;
}
Int clGetDeviceInfo(DeviceId, Uint what, std::size_t room, void* to, std::size_t* needed) {
  if (what == device_name) return tell("Emulated device", room, to, needed);
  if (what == device_version) return tell("OpenCL 1.2", room, to, needed);
  const auto number = [&](auto value) { return tell(&value, sizeof value, room, to, needed); };
  if (what == device_type) return number(type_gpu);
  if (what == device_units) return number(Uint{4});
  if (what == device_available) return number(Uint{!asked_for("not available")});
  if (what == device_compiler) return number(Uint{!asked_for("no compiler")});
  if (what == device_most_items) return number(std::size_t{256});
  if (what == device_local_memory) return number(Bits{32768});
  if (what == device_memory) return number(Bits{asked_for("little memory") ? 20000U : 1U << 30});
  if (what == device_largest_buffer) return number(Bits{asked_for("small buffers") ? 1000U : 1U << 28});
  if (what == device_double) return number(Bits{asked_for("no double") ? 0U : 63U});
  return number(Uint{0});
}
ContextId clCreateContext(const Info*, Uint, const DeviceId*,
                          void (*)(const char*, const void*, std::size_t, void*), void*, Int* code) {
  *code = asked_for("busy") ? device_not_available : success;
  return &context;
}
Int clReleaseContext(ContextId) { return success; }
QueueId clCreateCommandQueue(ContextId, DeviceId, Bits, Int* code) {
  *code = success;
  return &queue;
}
Int clReleaseCommandQueue(QueueId) { return success; }
Memory clCreateBuffer(ContextId, Bits, std::size_t size, void*, Int* code) {
  *code = asked_for("memory taken") && size > 1000 ? memory_allocation_failure : success;
  return *code == success ? *memories.insert(new _cl_mem{Guarded(size)}).first : nullptr;
}
Int clReleaseMemObject(Memory memory) {
  memories.erase(memory);
  delete memory;
  return success;
}
ProgramId clCreateProgramWithSource(ContextId, Uint, const char** text, const std::size_t*, Int* code) {
  *code = success;
  return new _cl_program{*text, {}, {}};
}
Int clBuildProgram(ProgramId program, Uint, const DeviceId*, const char*, void (*)(ProgramId, void*), void*) {
  const bool in_double = program->text.find("HAS_DOUBLE\n") < program->text.find("#pragma");
  if (asked_for("double in name only") && in_double) return build_program_failure;
  if (asked_for("no build")) program->text += "nothing at_all;\n";
  if (asked_for("fusing")) {
    const std::string twice = "values[0] * values[1] + values[2]";
    const std::size_t at = program->text.find(twice);
    if (at != std::string::npos)
      program->text.replace(at, twice.size(), "fma(values[0], values[1], values[2])");
  }
  try {
    program->compiled = compile(program->text);
    return success;
  } catch (const std::runtime_error& error) {
    program->log = error.what();
    return build_program_failure;
  }
}
Int clGetProgramBuildInfo(ProgramId program, DeviceId, Uint, std::size_t room, void* to,
                          std::size_t* needed) {
  return tell(program->log, room, to, needed);
}
Int clReleaseProgram(ProgramId program) {
  delete program;
  return success;
}
KernelId clCreateKernel(ProgramId program, const char* name, Int* code) {
  *code = success;
  return new _cl_kernel{name, *program->compiled, {}};
}
Int clReleaseKernel(KernelId kernel) {
  delete kernel;
  return success;
}
Int clSetKernelArg(KernelId kernel, Uint at, std::size_t size, const void* value) {
  if (kernel->arguments.size() <= at) kernel->arguments.resize(at + 1);
  Argument& a = kernel->arguments[at] = {};
  if (!value) {
    a.local = size;
    return success;
  }
  std::memcpy(a.bytes.data(), value, size);
  if (size == sizeof(Memory) && memories.count(*static_cast<const Memory*>(value)) > 0)
    a.memory = *static_cast<const Memory*>(value);
  return success;
}
Int clGetKernelWorkGroupInfo(KernelId, DeviceId, Uint, std::size_t room, void* to, std::size_t* needed) {
  const std::size_t most = 256;
  return tell(&most, sizeof most, room, to, needed);
}
Int clEnqueueNDRangeKernel(QueueId, KernelId kernel, Uint, const std::size_t*, const std::size_t* all,
                           const std::size_t* group, Uint, const EventId*, EventId*) {
  ++kernels_run;
  if (asked_for("no resources") && kernel->name != "probe") return out_of_resources;
  const std::string fault = run(kernel->compiled, kernel->arguments, all, group);
  if (!fault.empty())
    std::fprintf(stderr, "emulated device: kernel %s: %s\n", kernel->name.c_str(), fault.c_str());
  was_misused = was_misused || !fault.empty();
  return success;
}
Int clEnqueueReadBuffer(QueueId, Memory from, Uint, std::size_t at, std::size_t size, void* to, Uint,
                        const EventId*, EventId*) {
  std::memcpy(to, from->memory.data() + at, size);
  return state();
}
Int clEnqueueWriteBuffer(QueueId, Memory to, Uint, std::size_t at, std::size_t size, const void* from, Uint,
                         const EventId*, EventId*) {
  std::memcpy(to->memory.data() + at, from, size);
  return state();
}
Int clEnqueueCopyBuffer(QueueId, Memory from, Memory to, std::size_t, std::size_t, std::size_t size, Uint,
                        const EventId*, EventId*) {
  std::memcpy(to->memory.data(), from->memory.data(), size);
  return state();
}
Int clEnqueueFillBuffer(QueueId, Memory to, const void* pattern, std::size_t size, std::size_t at,
                        std::size_t bytes, Uint, const EventId*, EventId*) {
  for (std::size_t k = 0; k < bytes; k += size) std::memcpy(to->memory.data() + at + k, pattern, size);
  return state();
}
Int clFlush(QueueId) { return state(); }
Int clFinish(QueueId) { return state(); }

}  // extern "C"
