/// Tests of what only an emulated device does on demand: errors, few multiprocessors, little memory; and of
/// its counts.
#pragma once
#include "cuda/on_device.hpp"

namespace jacobi::test {

class Emulated : public OnDevice {
 protected:
  static cuda::emulator::Settings& settings() { return cuda::emulator::settings(); }
  static cuda::emulator::Counts& counts() { return cuda::emulator::counts(); }
};

}  // namespace jacobi::test
