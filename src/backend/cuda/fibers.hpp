/// Fibers: functions that stop in the middle and go on later, all on one thread of the host.
#pragma once
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace jacobi::cuda::emulator {

/// One stack of code. The switch tells the address sanitizer where it goes.
class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Gives it a stack on which `body` begins, once it is entered; it must not return.
  void begin_with(void (*body)()) {
    void* memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    bottom_ = memory;
    bytes_ = size;
    getcontext(&first_);
    first_.uc_stack.ss_sp = memory;
    static unsigned made = 0;  // tops in different sets of the caches
    first_.uc_stack.ss_size = size - made++ % 61 * 320 / 64 * 64;
    first_.uc_link = nullptr;
    makecontext(&first_, body, 0);
    fresh_ = true;
  }
  /// Goes on in another one; returns when somebody goes on in this one. makecontext() makes the stack, but
  /// switches by the faster longjmp(), which leaves signals alone.
  void switch_to(Context& next) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fake_stack_, next.bottom_, next.bytes_);
    next.before_ = this;
#endif
    if (_setjmp(at_) == 0) {
      if (next.fresh_) {
        next.fresh_ = false;
        setcontext(&next.first_);
      }
      _longjmp(next.at_, 1);
    }
    entered();
  }
  /// First thing in a body.
  void entered() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack_, &before_->bottom_, &before_->bytes_);
#endif
  }

 private:
  static constexpr std::size_t size = 64 << 10;
  ucontext_t first_{};
  jmp_buf at_{};
  bool fresh_ = false;
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack_ = nullptr;
  Context* before_ = nullptr;
#endif
};

}  // namespace jacobi::cuda::emulator
