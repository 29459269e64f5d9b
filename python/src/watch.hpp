/// What Python wants of a running call: signals, a callback, a bar.
#pragma once
#include <chrono>
#include <future>
#include <type_traits>

#include "common.hpp"
#include "core/cancel.hpp"

namespace jacobi::python {

/// A check as Python sees it. The iterate can be had while the callback runs.
struct CheckView {
  Index sweeps = 0;
  double norm = 0, tolerance = 0;
  std::function<std::vector<double>()> iterate;
};

/// Made and asked with the GIL; works without it. The first Python exception ends the call and is kept.
class Watch {
 public:
  Watch() = default;
  Watch(nb::object callback, nb::object progress)
      : callback_(std::move(callback)), progress_(std::move(progress)) {}

  /// Lets a solve be watched. The watch must live as long.
  void attend(Stop& stop) {
    stop.cancel = source_.get_token();
    stop.progress = [this](const Progress& p) { return look(p); };
    if (!callback_.is_none()) stop.observe = [this](const Check& check) { return tell(check); };
  }
  std::stop_token token() const { return source_.get_token(); }

  /// Whose solve this thread makes; none where nothing could be returned.
  static Watch*& of_this_thread() {
    thread_local Watch* watch = nullptr;
    return watch;
  }
  /// Keeps a Ctrl-C that came while Python made a product, the first one of a solve: that then ends with an
  /// iterate. With the GIL.
  bool keeps_interrupt(nb::python_error& error) {
    if (!pending_.is_none() || !error.matches(PyExc_KeyboardInterrupt)) return false;
    keep(error);
    return true;
  }

  /// Runs what does not ask for signals by itself, but ends early where a stop is requested. Where it may
  /// take long that is done on a thread of its own, so that this one can ask. entries: about what it visits,
  /// in sweeps of a diagnosis.
  template <class Work>
  std::invoke_result_t<Work> beside(double entries, Work work) {
    constexpr double few = 1e6;
    if (entries < few) return work();
    auto done = std::async(std::launch::async, [&] {
      const Cancelling wish(token());
      return work();
    });
    while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const WithGil gil;
      ask_for_signals();
    }
    return done.get();
  }
  /// The same of what has no answer then, such as a diagnosis or a binding. Throws: Interrupted.
  template <class Work>
  std::invoke_result_t<Work> interruptibly(double entries, Work work) {
    const auto require_wanted = [this] {  // which the work may not have asked
      if (source_.stop_requested()) throw Interrupted("interrupted");
    };
    if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
      beside(entries, std::move(work));
      require_wanted();
    } else {
      auto answer = beside(entries, std::move(work));
      require_wanted();
      return answer;
    }
  }

  /// Whether work that has done so much may do more. Asks for signals, but not again within 50 ms; once no,
  /// always no.
  bool goes_on() {
    if (source_.stop_requested()) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(50)) return true;
    asked_ = now;
    const WithGil gil;
    return ask_for_signals();
  }

  /// What ended the call, None if nothing did. With the GIL.
  nb::object pending() const { return pending_; }
  /// Throws it, of Ctrl-C the package's Interrupted because of it. With the GIL.
  void raise_pending() const {
    if (pending_.is_none()) return;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(pending_.ptr())), pending_.ptr());
    nb::python_error error;
    const nb::object own = nb::module_::import_("pyjacobi._errors").attr("Interrupted");
    if (!error.matches(PyExc_KeyboardInterrupt) || error.matches(own)) throw error;
    nb::raise_from(error, own, "interrupted");
  }
  /// Whether the call goes on; what a signal's handler raised is kept. With the GIL.
  bool ask_for_signals() {
    if (or_sleep([] { return PyErr_CheckSignals(); }) == 0) return pending_.is_none();
    nb::python_error error;
    return keep(error);
  }

 private:
  bool keep(nb::python_error& error) {
    if (pending_.is_none()) pending_ = nb::borrow(error.value());
    source_.request_stop();
    return false;
  }
  bool look(const Progress& p) {
    const WithGil gil;
    if (!ask_for_signals()) return false;
    if (progress_.is_none()) return true;
    try {
      call_python(progress_, p.sweeps, p.norm, p.tolerance, p.seconds, p.seconds_left);
      return true;
    } catch (nb::python_error& error) {
      return keep(error);
    }
  }
  bool tell(const Check& check) {
    const WithGil gil;
    if (!pending_.is_none()) return false;
    try {
      const Shown shown{nb::cast(CheckView{check.sweeps, check.norm, check.tolerance, check.iterate})};
      const nb::object answer = call_python(callback_, shown.check);
      const int more = answer.is_none() ? 1 : PyObject_IsTrue(answer.ptr());  // NumPy's False too
      if (more < 0) throw nb::python_error();
      return more == 1 && ask_for_signals();
    } catch (nb::python_error& error) {
      return keep(error);
    }
  }

  /// It may be kept, but when the callback has ended, however it did, there is nothing more to ask.
  struct Shown {
    nb::object check;
    ~Shown() { nb::cast<CheckView&>(check).iterate = {}; }
  };

  nb::object callback_ = nb::none(), progress_ = nb::none();
  nb::object pending_ = nb::none();
  std::stop_source source_;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

/// While one lives, the watch is that of this thread.
class Solving {
 public:
  explicit Solving(Watch& watch) : before_(std::exchange(Watch::of_this_thread(), &watch)) {}
  ~Solving() { Watch::of_this_thread() = before_; }
  Solving(const Solving&) = delete;
  Solving& operator=(const Solving&) = delete;

 private:
  Watch* before_;
};

/// Without the GIL; a Python exception that ended the work is thrown instead of Interrupted. Those that come
/// out of a caller's products pass through.
template <class Work>
void freely(Watch& watch, Work work) {
  bool raised = false;
  {
    const WithoutGil free;
    try {
      work();
    } catch (const Interrupted&) {
      raised = true;
    }
  }
  if (raised) watch.raise_pending();
  if (raised) throw Interrupted("interrupted");
}

/// work() without the GIL; Ctrl-C ends it. entries: about what it visits.
template <class Work>
void interruptibly(double entries, Work work) {
  Watch watch;
  freely(watch, [&] { watch.interruptibly(entries, work); });
}

}  // namespace jacobi::python
