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

/// Settings of the emulated device, for one test.
class Emulated : public testing::Test {
 protected:
  void SetUp() override { cuda::emulator::settings() = {}; }
  void TearDown() override { cuda::emulator::settings() = {}; }
  static cuda::emulator::Settings& settings() { return cuda::emulator::settings(); }
  static cuda::emulator::Counts& counts() { return cuda::emulator::counts(); }
};

}  // namespace jacobi::test
