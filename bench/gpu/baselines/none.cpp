/// Where NVIDIA's libraries are not.
#include "gpu/baselines.hpp"

namespace jacobi::bench {

#define JACOBI_INSTANTIATE(T)                                                            \
  template <>                                                                            \
  std::unique_ptr<Baseline<T>> gemv_and_update<T>(const Dense<T>&, std::span<const T>) { \
    return nullptr;                                                                      \
  }                                                                                      \
  template <>                                                                            \
  std::unique_ptr<Baseline<T>> spmv_and_update<T>(const Csr<T>&, std::span<const T>) {   \
    return nullptr;                                                                      \
  }
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::bench
