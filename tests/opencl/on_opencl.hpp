/// OpenCL's first device, and the same with smaller limits.
#pragma once
#include "backend/opencl/dense.hpp"
#include "backend/opencl/stencil.hpp"
#include "device/cases.hpp"
#include "device/dense.hpp"
#include "device/on_device.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {

inline const opencl::Device& first_device() { return opencl::Device::open(0); }

/// As a device that lacks what `change` takes away.
template <class Change>
opencl::Device lacking(Change&& change) {
  opencl::Properties properties = first_device().properties();
  change(properties);
  return {first_device(), properties};
}

/// Whether it is the one of tests/opencl/emulated.
inline bool is_emulated() { return first_device().properties().name == "Emulated device"; }

inline Plan in_groups(const std::array<Index, 3>& items, const std::string& rung = {}) {
  return {plain(), rung, {items}};
}

}  // namespace jacobi::test
