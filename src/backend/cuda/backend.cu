#include "backend/cuda/bandwidth.hpp"
#include "backend/cuda/csr.hpp"
#include "backend/cuda/cuda.hpp"
#include "backend/cuda/dense.hpp"
#include "backend/cuda/device.hpp"
#include "backend/cuda/stencil.hpp"
#include "backend/device/backend.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda {

namespace {

class Device final : public device::Backend<Device> {
 public:
  explicit Device(int device) : device_(device) {}
  std::string name() const override { return "cuda:" + std::to_string(device_); }
  template <class A>
  auto bind_one(const A& a, const Plan& plan) const {
    return cuda::bind(a, plan, device_);
  }
  Methods methods() const override { return {.multigrid = true, .products = false}; }
  DeviceRungs device_rungs() const override { return {"graph", "fused", "on-chip", ""}; }
  double copy_bandwidth() const override { return cuda::copy_bandwidth(device_); }

 private:
  int device_;
};

int parse_device(std::string_view text) {
  int device = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || text.size() > 3)
      throw UsageError("'" + std::string(text) +
                       "' is not a number of a CUDA device: cuda, cuda:0, cuda:1 ...");
    device = 10 * device + (c - '0');
  }
  if (text.empty()) throw UsageError("'cuda:' names no device: cuda, cuda:0, cuda:1 ...");
  return device;
}

}  // namespace

std::shared_ptr<const Backend> open(std::string_view, std::optional<std::string_view> number) {
  const int device = number ? parse_device(*number) : 0;
  properties_of(device);
  return std::make_shared<Device>(device);
}

BackendInfo about() {
  BackendInfo info{"cuda", true, false, {}};
  try {
    const Properties p = properties_of(0);
    info.usable = true;
    info.note = p.name + ", sm_" + std::to_string(p.major) + std::to_string(p.minor) + ", " +
                std::to_string(p.multiprocessors) + " multiprocessors, " + std::to_string(p.memory >> 30) +
                " GiB";
    if (const int devices = count_devices(); devices > 1)
      info.note += ", the first of " + std::to_string(devices) + " devices";
  } catch (const BackendError& error) {
    info.note = error.what();
  }
  return info;
}

}  // namespace jacobi::cuda
