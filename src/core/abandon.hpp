/// Work of a library that cannot be asked to end.
#pragma once
#include <chrono>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/cancel.hpp"

namespace jacobi {

/// work() on a thread of its own, where this one may be asked to end: then that thread is left behind, to end
/// by itself. So the work must own all that it reads and writes. Throws: Interrupted; as the work.
template <class Work>
std::invoke_result_t<Work> or_abandon(Work work) {
  using Result = std::invoke_result_t<Work>;
  if (!Cancelling::current().stop_possible()) return work();
  auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
  std::future<Result> done = task->get_future();  // which waits for nothing when it goes
  try {
    std::thread([task] { (*task)(); }).detach();
  } catch (const std::system_error&) {  // no thread can be had
    (*task)();
  }
  while (done.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) throw_if_cancelled();
  return done.get();
}

}  // namespace jacobi
