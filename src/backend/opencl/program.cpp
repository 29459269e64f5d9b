/// Programs: their text, their build, and what a device makes of fma and of products followed by sums.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "backend/opencl/kernel.hpp"
#include "jacobi/error.hpp"
#include "opencl_kernels.hpp"

namespace jacobi::opencl {

namespace {

std::string file_named(const std::string& name) {
  for (const auto& file : kernel_files)
    if (name == file.name) return file.text;
  throw UsageError("opencl: no file of kernels is named " + name);
}

/// The first line of a build's log that tells of an error; else the first line.
std::string first_error(const std::string& log) {
  std::string first;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string line = log.substr(at, end - at);
    if (line.find("error") != line.npos) return line;
    if (first.empty()) first = line;
    at = end + 1;
  }
  return first.empty() ? "its log says nothing" : first;
}

std::string log_of(ProgramId program, DeviceId device) {
  std::size_t bytes = 0;
  if (api().GetProgramBuildInfo(program, device, program_build_log, 0, nullptr, &bytes) != success) return "";
  std::string log(bytes, '\0');
  if (api().GetProgramBuildInfo(program, device, program_build_log, bytes, log.data(), nullptr) != success)
    return "";
  log.resize(std::strlen(log.c_str()));
  return log;
}

}  // namespace

ProgramId Device::program(const Source& source) const {
  std::string text = source.definitions;
  for (const std::string& used : source.uses) text += file_named(used);
  text += file_named(source.kernel);
  const std::lock_guard one_at_a_time(lock_);
  if (const auto known = programs_.find(text); known != programs_.end()) return known->second.get();
  const char* const pointer = text.c_str();
  const char* texts[] = {pointer};
  Int code = success;
  Owned<ProgramId> made(api().CreateProgramWithSource(context_, 1, texts, nullptr, &code),
                        api().ReleaseProgram);
  require(code, "making a program of kernel " + source.kernel);
  code = api().BuildProgram(made.get(), 1, &properties_.id, "-cl-std=CL1.2", nullptr, nullptr);
  if (code != success)
    throw BackendError(fmt::format("opencl: kernel {} does not build on {}: {}", source.kernel,
                                   properties_.name, first_error(log_of(made.get(), properties_.id))));
  return programs_.emplace(std::move(text), std::move(made)).first->second.get();
}

void Device::require_double() const {
  if (properties_.doubles == 0)
    throw BackendError(fmt::format("opencl: device {} {}", properties_.name, lack_of_double(properties_)));
}

bool Device::builds_double() const {
  try {
    program({"probe", {}, "#define T double\n#define HAS_DOUBLE\n"});
    return true;
  } catch (const BackendError&) {
    return false;
  }
}

/// Three values that tell whether a device rounds once where fma is written, and twice where it is not, and
/// keeps numbers below the least normal one.
std::string Device::probe() const {
  const Queue queue(*this);
  const Kernel kernel(queue, {"probe", {}, "#define T float\n"});
  const float a = 1 + 0x1p-12F, tiny = 0x1p-126F;
  const Buffer<float> values(queue, std::vector<float>{a, a, -1, tiny, 0.5F}, "a probe"),
      out(queue, 3, "a probe");
  kernel.run({}, values, out);
  std::vector<float> got(3);
  out.read(got);
  const volatile float product = a * a;
  std::string doubts;
  const auto doubt = [&](bool holds, const char* words) {
    if (!holds) doubts += (doubts.empty() ? "" : "; ") + std::string(words);
  };
  doubt(got[0] == std::fma(a, a, -1.0F), "fma rounds twice");
  doubt(got[1] == product - 1, "products are fused with sums");
  doubt(got[2] == tiny / 2, "subnormal numbers become 0");
  return doubts;
}

Kernel::Kernel(const Queue& queue, const Source& source) : queue_(&queue), name_(source.kernel) {
  Int code = success;
  const KernelId made = api().CreateKernel(queue.device().program(source), source.kernel.c_str(), &code);
  require(code, "making kernel " + name_);
  kernel_ = {made, api().ReleaseKernel};
}

void Kernel::set(Uint at, std::size_t bytes, const void* value) const {
  require(api().SetKernelArg(kernel_.get(), at, bytes, value),
          fmt::format("argument {} of kernel {}", at, name_));
}

void Kernel::enqueue(const Range& range) const {
  std::size_t all[2], group[2];
  for (int d = 0; d < 2; ++d) {
    group[d] = static_cast<std::size_t>(range.items[d]);
    all[d] = group[d] * static_cast<std::size_t>(range.groups[d]);
  }
  require(
      api().EnqueueNDRangeKernel(queue_->get(), kernel_.get(), 2, nullptr, all, group, 0, nullptr, nullptr),
      "kernel " + name_);
}

}  // namespace jacobi::opencl
