/// The interpreter's lock, for threads that may outlive the interpreter.
#pragma once
#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <utility>

#include "core/clock.hpp"

namespace jacobi::python {

namespace nb = nanobind;

/// Until the process ends.
[[noreturn]] inline void sleep_to_the_end() {
  for (;;) ::pause();
}

/// call(), which may ask for the lock. Once the interpreter ends, CPython before 3.14 ends a daemon thread
/// that does so by unwinding its stack, which would run destructors without the lock and meet `noexcept`.
/// Such a thread sleeps here, as it does since 3.14.
template <class Call>
auto or_sleep(Call&& call) {
  try {
    return call();
  } catch (abi::__forced_unwind&) {
    sleep_to_the_end();
  }
}

/// Whether this thread ends the interpreter, and so is the only one that still has the lock.
inline thread_local bool ends_interpreter = false;

/// call(), which asks for the lock. After the interpreter's end CPython reads freed memory for it, while the
/// process runs its last handlers: whoever comes then sleeps as well.
template <class Call>
auto ask_for_lock(Call&& call) {
  if (!Py_IsInitialized() && !ends_interpreter) sleep_to_the_end();
  return or_sleep(std::forward<Call>(call));
}

/// The answer of a Python function. With the lock. Throws: its exception.
template <class... Arguments>
nb::object call_python(nb::handle function, const Arguments&... arguments) {
  const nb::tuple given = nb::make_tuple(arguments...);
  PyObject* const answer = or_sleep([&] { return PyObject_CallObject(function.ptr(), given.ptr()); });
  if (!answer) throw nb::python_error();
  return nb::steal(answer);
}

class WithGil {
 public:
  WithGil() : state_(ask_for_lock([] { return PyGILState_Ensure(); })) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Seconds that this thread has spent in the library, for benchmarks.
inline thread_local double seconds_in_cpp = 0;

/// Releases the lock while the library works.
class WithoutGil {
 public:
  WithoutGil() : state_(release()) {}
  ~WithoutGil() {
    seconds_in_cpp += seconds_since(begin_);
    ask_for_lock([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  static PyThreadState* release() {
    ends_interpreter = !Py_IsInitialized();
    return PyEval_SaveThread();
  }

  PyThreadState* state_;
  Clock::time_point begin_ = Clock::now();
};

/// Lets the garbage collector see what an object of class C keeps alive, as C::each_kept(visit) tells; cycles
/// are broken at objects of Python.
template <class C>
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  int told = 0;
  nb::inst_ptr<C>(self)->each_kept([&](nb::handle kept) {
    if (told == 0 && kept.ptr()) told = visit(kept.ptr(), arg);
  });
  return told;
}
template <class C>
inline PyType_Slot slots_of[] = {{Py_tp_traverse, reinterpret_cast<void*>(&traverse<C>)}, {0, nullptr}};

}  // namespace jacobi::python
