/// The steps of a call of advance() on the device.
#pragma once
#include <algorithm>
#include <vector>

#include "backend/cuda/device.hpp"
#include "backend/device/plan.hpp"

namespace jacobi::cuda {

using device::is_three_term;  // such sweeps have two arrays more

/// Uploaded only where they differ from those that are there: plain sweeps never again.
class DeviceSteps {
 public:
  explicit DeviceSteps(const Stream& stream) : stream_(&stream) {}
  const Step* take(std::span<const Step> steps) {
    const auto same = [](const Step& a, const Step& b) { return a.omega == b.omega && a.rho == b.rho; };
    if (steps.size() > there_.size() || !std::equal(steps.begin(), steps.end(), there_.begin(), same)) {
      there_.assign(steps.begin(), steps.end());
      if (static_cast<Index>(there_.size()) > memory_.size())
        memory_ = Buffer<Step>(*stream_, std::max<Index>(256, 2 * static_cast<Index>(there_.size())));
      copy(*stream_, memory_.data(), there_.data(), static_cast<Index>(there_.size() * sizeof(Step)));
    }
    return memory_.data();
  }

 private:
  const Stream* stream_;
  std::vector<Step> there_;
  Buffer<Step> memory_;
};

}  // namespace jacobi::cuda
