#include "jacobi/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "backend/device/backend.hpp"
#include "backend/opencl/csr.hpp"
#include "backend/opencl/dense.hpp"
#include "backend/opencl/opencl.hpp"
#include "backend/opencl/stencil.hpp"
#include "core/clock.hpp"
#include "jacobi/error.hpp"

namespace jacobi::opencl {

namespace {

class OnDevice final : public device::Backend<OnDevice> {
 public:
  explicit OnDevice(int number) : number_(number), device_(Device::open(number)) {}
  std::string name() const override { return fmt::format("opencl:{}", number_); }
  template <class A>
  auto bind_one(const A& a, const Plan& plan) const {
    return opencl::bind(a, plan, device_);
  }
  Methods methods() const override { return {.multigrid = false, .products = false}; }
  DeviceRungs device_rungs() const override { return {"fused", "waiting", "", "tiled"}; }
  double copy_bandwidth() const override {
    static std::mutex lock;
    static std::map<int, double> measured;
    const std::lock_guard one_at_a_time(lock);
    double& bandwidth = measured[number_];
    if (bandwidth == 0) bandwidth = measure_copies();
    return bandwidth;
  }

 private:
  /// The best of five copies of a sixteenth of the memory, at most 256 MiB.
  double measure_copies() const {
    const Queue queue(device_);
    const Properties& p = device_.properties();
    const Index bytes = std::min({Index{256} << 20, p.memory / 16, p.largest_buffer});
    const Buffer<std::byte> from(queue, bytes, "a measurement"), to(queue, bytes, "a measurement");
    double best = 0;
    for (int turn = 0; turn < 6; ++turn) {
      queue.wait();
      const auto begin = Clock::now();
      to.copy_from(from);
      queue.wait();
      if (turn > 0) best = std::max(best, 2 * static_cast<double>(bytes) / seconds_since(begin));
    }
    return best;
  }

  int number_;
  const Device& device_;
};

/// The first device of that kind.
int first_of(Bits type, const char* words) {
  const std::vector<Properties> all = list_devices();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Properties& p) { return (p.type & type) != 0; });
  if (found == all.end())
    throw BackendError(fmt::format("opencl: no {} among {} device{}: 'jacobi info' lists them", words,
                                   all.size(), all.size() == 1 ? "" : "s"));
  return static_cast<int>(found - all.begin());
}

int number_of(std::string_view which) {
  if (which == "cpu") return first_of(type_cpu, "processor");
  if (which == "gpu") return first_of(type_gpu, "GPU");
  int number = 0;
  for (const char c : which) {
    if (c < '0' || c > '9' || which.size() > 3)
      throw UsageError(fmt::format(
          "'{}' is not a number of an OpenCL device: opencl:0, opencl:1 ..., opencl:cpu, opencl:gpu", which));
    number = 10 * number + (c - '0');
  }
  if (which.empty())
    throw UsageError("'opencl:' names no device: opencl:0, opencl:1 ..., opencl:cpu, opencl:gpu");
  return number;
}

}  // namespace

std::shared_ptr<const Backend> open(std::string_view, std::optional<std::string_view> which) {
  return std::make_shared<OnDevice>(which ? number_of(*which) : 0);
}

BackendInfo about() {
  BackendInfo info{"opencl", true, false, {}};
  try {
    const std::vector<Properties> all = list_devices();
    info.note = fmt::format("{} device{}", all.size(), all.size() == 1 ? "" : "s");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Properties device = Device::tried(static_cast<int>(i), all[i]);
      info.devices.push_back(fmt::format("opencl:{}  {}", i, in_words(device)));
      if (i == 0) info.usable = device.available && device.compiles && device.fault.empty();
    }
  } catch (const BackendError& error) {
    info.note = error.what();
  }
  return info;
}

}  // namespace jacobi::opencl
