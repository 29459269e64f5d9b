#include "io/unfinished.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <ctime>

namespace jacobi::io {
namespace {

struct Name {
  std::atomic<bool> is_listed = false;
  std::array<char, PATH_MAX> text{};
};

std::array<Name, 32> names;
std::atomic<int> undisturbed = 0;  ///< threads
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler reads them");

}  // namespace

Undisturbed::Undisturbed() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  ++undisturbed;
}

Undisturbed::~Undisturbed() {
  --undisturbed;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void list_unfinished(const std::string& name) {
  if (name.size() >= PATH_MAX) return;
  for (Name& one : names) {
    if (one.is_listed) continue;
    std::memcpy(one.text.data(), name.c_str(), name.size() + 1);
    one.is_listed = true;
    return;
  }
}

void unlist_unfinished(const std::string& name) {
  for (Name& one : names)
    if (one.is_listed && name == one.text.data()) one.is_listed = false;
}

void remove_unfinished() noexcept {
  for (int tries = 0; undisturbed > 0 && tries < 100; ++tries) {
    const timespec a_moment{0, 1'000'000};
    ::nanosleep(&a_moment, nullptr);
  }
  for (Name& one : names)
    if (one.is_listed) ::unlink(one.text.data());
}

}  // namespace jacobi::io
