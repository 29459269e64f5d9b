/// A wish to end what has no iterate to return yet: a diagnosis, a binding.
#pragma once
#include <stop_token>
#include <utility>

#include "jacobi/error.hpp"

namespace jacobi {

/// From construction to destruction, what this thread does may be asked to end.
class Cancelling {
 public:
  explicit Cancelling(std::stop_token asked) : before_(std::exchange(current(), std::move(asked))) {}
  ~Cancelling() { current() = std::move(before_); }
  Cancelling(const Cancelling&) = delete;
  Cancelling& operator=(const Cancelling&) = delete;

  static std::stop_token& current() {
    thread_local std::stop_token asked;
    return asked;
  }

 private:
  std::stop_token before_;
};

/// Between passes, outside of parallel regions. Throws: Interrupted where it is asked for.
inline void throw_if_cancelled() {
  if (Cancelling::current().stop_requested())
    throw Interrupted("ended as asked, before there was an iterate");
}

}  // namespace jacobi
