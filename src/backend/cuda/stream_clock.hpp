/// What load(), advance() and store() take, by the device's own clock.
#pragma once
#include <optional>

#include "backend/cuda/device.hpp"
#include "core/executed.hpp"

namespace jacobi::cuda {

/// Of a sweeper's stream: the last call of each.
class StreamClock {
 public:
  explicit StreamClock(const Stream& stream) : stream_(&stream) {}
  template <class Work>
  void load(Work&& work) {
    upload_ = seconds_of(*stream_, work);
  }
  template <class Work>
  void store(Work&& work) {
    download_ = seconds_of(*stream_, work);
  }
  /// Does not wait for what work() launches. Returns what it returns.
  template <class Work>
  Norms advance(Work&& work) {
    end_.reset();
    begin_.emplace(*stream_);
    const Norms norms = work();
    end_.emplace(*stream_);
    return norms;
  }
  /// Waits for the last advance().
  void tell(Executed& ran) const {
    ran.upload_seconds = upload_;
    ran.download_seconds = download_;
    ran.sweep_seconds = end_ ? end_->seconds_since(*begin_) : 0;
  }

 private:
  const Stream* stream_;
  double upload_ = 0, download_ = 0;
  std::optional<Event> begin_, end_;
};

}  // namespace jacobi::cuda
