/// Running the cuda backend: on the emulated device (emulated.cpp) or a real one (real.cpp), whichever is
/// linked.
#pragma once
#include "backend/cuda/cuda.hpp"
#include "backend/cuda/device.hpp"
#include "device/on_device.hpp"

namespace jacobi::test {

/// Whether the device has so many; an emulated one then has exactly these.
bool has_multiprocessors(int count);

}  // namespace jacobi::test
