/// Preloaded into a program under test: lets fail what seldom does, as environment variables say.
///   JACOBI_FAIL_NEW=n      the n-th allocation by operator new throws; n = 0: none, and the number of them
///   is
///                          written to the file that JACOBI_COUNT_NEW names
///   JACOBI_FAIL_THREADS=n  more than n threads at a time cannot be started
///   JACOBI_FAIL_START=n    no thread can be started after the n-th
///   JACOBI_FAIL_RENAME=s   what is to be renamed to a name that ends in s is not
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>

namespace {

long number(const char* name, long otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atol(text) : otherwise;
}

std::atomic<long> allocations{0}, fails_at{-1};  // none is counted before libraries are ready
const long most_threads = number("JACOBI_FAIL_THREADS", -1), most_starts = number("JACOBI_FAIL_START", -1);

/// Written when the program ends.
const struct Count {
  Count() { fails_at = number("JACOBI_FAIL_NEW", -1); }
  ~Count() {
    if (const char* const path = std::getenv("JACOBI_COUNT_NEW"))
      if (std::FILE* const file = std::fopen(path, "w")) {
        std::fprintf(file, "%ld\n", allocations.load());
        std::fclose(file);
      }
  }
} count;

void* allocated(void* memory) {
  if (!memory || (fails_at >= 0 && ++allocations == fails_at)) throw std::bad_alloc();
  return memory;
}

template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

std::atomic<long> threads{0}, starts{0};

struct Start {
  void* (*run)(void*);
  void* argument;
};

void* run_counted(void* start) {
  const Start s = *static_cast<Start*>(start);
  std::free(start);
  void* const result = s.run(s.argument);
  --threads;
  return result;
}

}  // namespace

void* operator new(std::size_t size) { return allocated(std::malloc(size ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  return allocated(std::aligned_alloc(a, (size + a - 1) / a * a));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*),
                              void* argument) {
  static const auto real =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (most_starts >= 0 && ++starts > most_starts) return EAGAIN;
  if (most_threads < 0) return real(thread, how, run, argument);
  if (++threads > most_threads) {
    --threads;
    return EAGAIN;
  }
  auto* const start = static_cast<Start*>(std::malloc(sizeof(Start)));
  *start = {run, argument};
  return real(thread, how, run_counted, start);
}

extern "C" int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int(const char*, const char*)>("rename");
  const char* const ending = std::getenv("JACOBI_FAIL_RENAME");
  if (ending && std::string_view(to).ends_with(ending)) {
    errno = EPERM;
    return -1;
  }
  return real(from, to);
}
