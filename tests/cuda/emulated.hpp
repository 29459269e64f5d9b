/// Running the cuda backend on the emulated device, and on a real one where tests are built for it.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "backend/cuda/device.hpp"
#include "jacobi/jacobi.hpp"
#include "ladder/run.hpp"
#include "random.hpp"

namespace jacobi::test {

inline std::shared_ptr<const Backend> device() { return cuda::open("cuda:0", "0"); }

template <class T, int D>
std::unique_ptr<Sweeper<T>> on_device(const Stencil<T, D>& a, const Plan& plan = {}) {
  return device()->bind(Operator<T>(a), plan);
}

/// Rung 0 of the host, on an instruction set with fma.
template <class T, int D>
std::unique_ptr<Sweeper<T>> rung_0(const Stencil<T, D>& a) {
  return backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
}

/// Whether rung 0 of this machine fuses multiply and add as the device does.
inline bool host_fuses() { return simd::chosen() != "baseline" && simd::chosen() != "sse4"; }
inline const char* const no_fusing = "rung 0 has no fused multiply-add here: other bits than the device's";

/// How many of the runs a sweeper spoils: every number of sweeps, every kind of step, every seed, one load
/// each.
template <class T, int D>
int differences(const Stencil<T, D>& a, Sweeper<T>& sweeper, std::initializer_list<int> sweeps,
                int kinds = 3) {
  const auto b = random_values<T>(a.rows(), -1, 1, 7), x = random_values<T>(a.rows(), -1, 1, 8);
  const auto right = rung_0(a);
  int different = 0;
  for (int kind = 0; kind < kinds; ++kind)
    for (const int n : sweeps) {
      const auto expected = swept(*right, b, x, kind, n);
      for (const unsigned seed : {1U, 20U}) {
        cuda::emulator::settings().seed = seed;
        if (!same_bits(expected, swept(sweeper, b, x, kind, n))) ++different;
      }
    }
  return different;
}

/// Settings of the emulated device, for one test.
class Emulated : public testing::Test {
 protected:
  void SetUp() override {
    cuda::emulator::settings() = {};
    if (!host_fuses()) GTEST_SKIP() << no_fusing;
  }
  void TearDown() override { cuda::emulator::settings() = {}; }
  static cuda::emulator::Settings& settings() { return cuda::emulator::settings(); }
  static cuda::emulator::Counts& counts() { return cuda::emulator::counts(); }
};

}  // namespace jacobi::test
