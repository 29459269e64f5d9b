/// What load(), advance() and store() take, from asking to having: by the host's clock.
#pragma once
#include <utility>

#include "backend/opencl/device.hpp"
#include "core/clock.hpp"
#include "core/executed.hpp"

namespace jacobi::opencl {

class CallClock {
 public:
  template <class Work>
  void load(Work&& work) {
    upload_ = seconds_of(work);
  }
  template <class Work>
  void store(Work&& work) {
    download_ = seconds_of(work);
  }
  template <class Work>
  Norms advance(Work&& work) {
    Norms norms;
    sweep_ = seconds_of([&] { norms = work(); });
    return norms;
  }
  void tell(Executed& ran) const {
    ran.upload_seconds = upload_;
    ran.download_seconds = download_;
    ran.sweep_seconds = sweep_;
  }

 private:
  template <class Work>
  static double seconds_of(Work&& work) {
    const auto begin = Clock::now();
    work();
    return seconds_since(begin);
  }
  double upload_ = 0, download_ = 0, sweep_ = 0;
};

/// Of a device, as a report tells it; with what makes its bits differ, if anything does.
std::string name_in_report(const Device& device);

/// A model, not measured: what a norm costs beside a sweep that moves so many bytes.
double cost_of_check(const Device& device, double bytes, bool needs_pass);

}  // namespace jacobi::opencl
