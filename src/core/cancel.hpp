/// A wish to end what has no iterate to return yet, a diagnosis or a binding, and a limit of its time.
#pragma once
#include <cmath>
#include <stop_token>
#include <string>
#include <utility>

#include "core/clock.hpp"
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

/// From construction to destruction, what this thread does may take so many seconds. The inner one of two
/// holds.
class TimeLimit {
 public:
  /// words: of the error. Infinite seconds: there is no limit.
  TimeLimit(double seconds, std::string words)
      : begin_(Clock::now()),
        seconds_(seconds),
        words_(std::move(words)),
        before_(std::exchange(current(), std::isinf(seconds) ? nullptr : this)) {}
  ~TimeLimit() { current() = before_; }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  static TimeLimit*& current() {
    thread_local TimeLimit* limit = nullptr;
    return limit;
  }
  void throw_if_over() const {
    if (seconds_since(begin_) >= seconds_) throw BackendError(words_);
  }

 private:
  Clock::time_point begin_;
  double seconds_;
  std::string words_;
  TimeLimit* before_;
};

/// Between passes, outside of parallel regions. Throws: Interrupted where it is asked for; BackendError
/// beyond a limit of time.
inline void throw_if_cancelled() {
  if (const TimeLimit* const limit = TimeLimit::current()) limit->throw_if_over();
  if (Cancelling::current().stop_requested())
    throw Interrupted("ended as asked, before there was an iterate");
}

}  // namespace jacobi
