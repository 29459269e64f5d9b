#include "core/blas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>

#include "blas_library.hpp"
#include "core/teams.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

constexpr int row_major = 101, column_major = 102, no_transpose = 111,
              transpose = 112;  // as CBLAS numbers them

/// y = alpha A x + beta y, and C = alpha A B + beta C.
template <class T>
struct Products {
  void (*gemv)(int order, int transposed, int rows, int columns, T alpha, const T* a, int leading, const T* x,
               int step_x, T beta, T* y, int step_y) = nullptr;
  void (*gemm)(int order, int a_transposed, int b_transposed, int rows, int columns, int inner, T alpha,
               const T* a, int leading_a, const T* b, int leading_b, T beta, T* c, int leading_c) = nullptr;

  bool find(void* library, const char* gemv_name, const char* gemm_name) {
    gemv = reinterpret_cast<decltype(gemv)>(::dlsym(library, gemv_name));
    gemm = reinterpret_cast<decltype(gemm)>(::dlsym(library, gemm_name));
    return gemv && gemm;
  }
};

using OwnPotrf = void (*)(const char* triangle, const int* n, double* a, const int* leading, int* info,
                          std::size_t length);

/// A library's name of its kernels, of OpenBLAS; else nothing.
std::string kernel_of(void* library) {
  const auto name = reinterpret_cast<const char* (*)()>(::dlsym(library, "openblas_get_corename"));
  return name ? name() : "";
}

/// What to ask of OpenBLAS instead: a processor younger than it gets the kernels of 2004, with vectors of
/// two.
const char* better_kernel([[maybe_unused]] const std::string& name) {
#if defined(__x86_64__)
  if (name == "Prescott" && !std::getenv("OPENBLAS_CORETYPE")) {
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
  }
#endif
  return nullptr;
}

[[maybe_unused]] void* open_library(const char* path) {
  const int others = cores_of_affinity() - 1;  // OpenBLAS ends the process where it cannot start them
  if (started_at_once(others) < others) ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  void* const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char* const better = library ? better_kernel(kernel_of(library)) : nullptr;
  if (!better || ::dlclose(library) != 0) return library;
  ::setenv("OPENBLAS_CORETYPE", better, 1);  // read when it is loaded
  void* const again = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  ::unsetenv("OPENBLAS_CORETYPE");  // not to choose for another OpenBLAS of this process
  return again;
}

/// Not linked with: its threads start when it is loaded, and most runs have no use for them.
struct Blas {
  Products<double> in_double;
  Products<float> in_float;
  OwnPotrf potrf = nullptr;            ///< where LAPACK is with it
  std::atomic<Potrf> lent = nullptr;   ///< where it is not
  void (*set_threads)(int) = nullptr;  ///< of OpenBLAS
  int threads = 0;                     ///< set last
  std::mutex lock;
  std::string kernel, fault;

  Blas() {
#ifdef JACOBI_BLAS_LIBRARY
    void* const library = open_library(JACOBI_BLAS_LIBRARY);
    if (!library) {
      fault = fmt::format("the BLAS {} cannot be opened: {}", JACOBI_BLAS_LIBRARY, ::dlerror());
      return;
    }
    kernel = kernel_of(library);
    potrf = reinterpret_cast<OwnPotrf>(::dlsym(library, "dpotrf_"));
    set_threads = reinterpret_cast<void (*)(int)>(::dlsym(library, "openblas_set_num_threads"));
    if (!in_double.find(library, "cblas_dgemv", "cblas_dgemm") ||
        !in_float.find(library, "cblas_sgemv", "cblas_sgemm"))
      fault = fmt::format("{} has no CBLAS", JACOBI_BLAS_LIBRARY);
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
void call(const Products<T>& products, Blas& b, bool by_rows, Index rows, const T* a, Index leading,
          const T* x, T* r, Index width, int threads) {
  const std::lock_guard one_at_a_time(b.lock);  // the number of threads is the whole process's
  b.use(threads);
  const int n = static_cast<int>(rows), lead = static_cast<int>(leading), w = static_cast<int>(width);
  if (w == 1)
    products.gemv(by_rows ? row_major : column_major, no_transpose, n, n, T(-1), a, lead, x, 1, T(1), r, 1);
  else
    products.gemm(row_major, by_rows ? no_transpose : transpose, no_transpose, n, w, n, T(-1), a, lead, x, w,
                  T(1), r, w);
}

}  // namespace

void subtract_product(bool by_rows, Index n, const double* a, Index leading, const double* x, double* r,
                      Index width, int threads) {
  Blas& b = blas();
  call(b.in_double, b, by_rows, n, a, leading, x, r, width, threads);
}

void subtract_product(bool by_rows, Index n, const float* a, Index leading, const float* x, float* r,
                      Index width, int threads) {
  Blas& b = blas();
  call(b.in_float, b, by_rows, n, a, leading, x, r, width, threads);
}

bool has_blas() {
#ifdef JACOBI_BLAS_LIBRARY
  return true;
#else
  return false;
#endif
}

void require_blas() { blas(); }

std::string blas_kernel() { return blas().kernel; }

void lend_cholesky(Potrf potrf) { opened().lent = potrf; }

bool has_cholesky() { return opened().potrf || opened().lent; }

bool factor_cholesky(Index n, double* a) {
  Blas& b = opened();
  int size = static_cast<int>(n), info = 0;
  if (b.potrf) {
    const std::lock_guard one_at_a_time(b.lock);
    b.use(1);
    b.potrf("L", &size, a, &size, &info, 1);
  } else if (const Potrf lent = b.lent) {
    char lower[] = "L";
    lent(lower, &size, a, &size, &info);
  } else {
    throw BackendError("this build has no LAPACK: install libopenblas-dev and build again");
  }
  return info == 0;
}

}  // namespace jacobi
