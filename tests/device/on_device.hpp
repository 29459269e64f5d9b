/// Running a device's backend: the emulated or a real device of CUDA's (tests/cuda), or one of OpenCL's
/// (tests/opencl), whichever is linked.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "ladder/naive.hpp"
#include "ladder/run.hpp"
#include "random.hpp"

namespace jacobi::test {

/// The first device of the backend that is linked.
std::shared_ptr<const Backend> device();
/// Why the tests cannot run; empty where they can.
std::string why_no_device();
/// As before any test.
void reset_device();
/// Whether a new kernel costs next to nothing. Else each test takes the kernels that others take too, in
/// double as a rule; all of them run among the long tests.
bool compiles_at_once();
/// The seed of the order in which threads run; a real device has an order of its own.
void order_threads(unsigned seed);

template <class T, int D>
std::unique_ptr<Sweeper<T>> on_device(const Stencil<T, D>& a, const Plan& plan = {}) {
  return device()->bind(Operator<T>(a), plan);
}

/// The rung that the device takes.
template <class T, int D>
std::string rung_of(const Stencil<T, D>& a, const Plan& plan = {}) {
  const auto sweeper = on_device(a, plan);
  sweeper->advance({}, Want::nothing);
  return sweeper->executed().rung;
}

/// Rung 0 of the host, on an instruction set with fma.
template <class T, int D>
std::unique_ptr<Sweeper<T>> rung_0(const Stencil<T, D>& a) {
  return backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
}

/// Whether rung 0 of this machine fuses multiply and add as the device does.
inline bool host_fuses() { return fuses(simd::chosen()); }
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
        order_threads(seed);
        if (!same_bits(expected, swept(sweeper, b, x, kind, n))) ++different;
      }
    }
  return different;
}

/// What an error of this kind says.
template <class Error, class Run>
std::string words_of(Run&& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool says(const std::string& words, const std::string& part) {
  return words.find(part) != std::string::npos;
}

inline const char* const among_the_long =
    "needs kernels of its own, which this device compiles slowly: a long test";

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    reset_device();
    if (!host_fuses()) GTEST_SKIP() << no_fusing;
    if (const std::string why = why_no_device(); !why.empty()) GTEST_SKIP() << why;
  }
  void TearDown() override { reset_device(); }
};

}  // namespace jacobi::test
