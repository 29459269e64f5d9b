#include "core/blas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <mutex>
#include <string>

#include "jacobi/error.hpp"

namespace jacobi {

namespace {

enum Order : int { row_major = 101, column_major = 102 };  // as CBLAS numbers them
constexpr int not_transposed = 111;

template <class T>
using Gemv = void (*)(int order, int transposed, int rows, int columns, T alpha, const T* a, int leading,
                      const T* x, int step_x, T beta, T* y, int step_y);

using Potrf = void (*)(const char* triangle, const int* n, double* a, const int* leading, int* info,
                       std::size_t length);

/// Not linked with: its threads start when it is loaded, and most runs have no use for them.
struct Blas {
  Gemv<double> in_double = nullptr;
  Gemv<float> in_float = nullptr;
  Potrf potrf = nullptr;               ///< where LAPACK is with it
  void (*set_threads)(int) = nullptr;  ///< of OpenBLAS
  int threads = 0;                     ///< set last
  std::mutex lock;
  std::string fault;

  Blas() {
#ifdef JACOBI_BLAS_LIBRARY
    void* const library = ::dlopen(JACOBI_BLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fault = fmt::format("the BLAS {} cannot be opened: {}", JACOBI_BLAS_LIBRARY, ::dlerror());
      return;
    }
    in_double = reinterpret_cast<Gemv<double>>(::dlsym(library, "cblas_dgemv"));
    in_float = reinterpret_cast<Gemv<float>>(::dlsym(library, "cblas_sgemv"));
    potrf = reinterpret_cast<Potrf>(::dlsym(library, "dpotrf_"));
    set_threads = reinterpret_cast<void (*)(int)>(::dlsym(library, "openblas_set_num_threads"));
    if (!in_double || !in_float) fault = fmt::format("{} has no cblas_dgemv", JACOBI_BLAS_LIBRARY);
#else
    fault = "this build has no BLAS: install libopenblas-dev and build again";
#endif
  }

  void use(int number) {
    if (set_threads && threads != number) set_threads(number);
    threads = number;
  }
};

Blas& opened() {
  static Blas library;
  return library;
}

Blas& blas() {
  if (!opened().fault.empty()) throw BackendError("rung 'blas': " + opened().fault);
  return opened();
}

template <class T>
void call(Gemv<T> gemv, Blas& b, bool by_rows, Index n, const T* a, Index leading, const T* x, T* r,
          int threads) {
  const std::lock_guard one_at_a_time(b.lock);  // the number of threads is the whole process's
  b.use(threads);
  gemv(by_rows ? row_major : column_major, not_transposed, static_cast<int>(n), static_cast<int>(n), T(-1), a,
       static_cast<int>(leading), x, 1, T(1), r, 1);
}

}  // namespace

void subtract_product(bool by_rows, Index n, const double* a, Index leading, const double* x, double* r,
                      int threads) {
  Blas& b = blas();
  call(b.in_double, b, by_rows, n, a, leading, x, r, threads);
}

void subtract_product(bool by_rows, Index n, const float* a, Index leading, const float* x, float* r,
                      int threads) {
  Blas& b = blas();
  call(b.in_float, b, by_rows, n, a, leading, x, r, threads);
}

void require_blas() { blas(); }

bool has_cholesky() { return opened().potrf != nullptr; }

bool factor_cholesky(Index n, double* a) {
  Blas& b = opened();
  if (!b.potrf) throw BackendError("this build has no LAPACK: install libopenblas-dev and build again");
  const std::lock_guard one_at_a_time(b.lock);
  b.use(1);
  const int size = static_cast<int>(n);
  int info = 0;
  b.potrf("L", &size, a, &size, &info, 1);
  return info == 0;
}

}  // namespace jacobi
