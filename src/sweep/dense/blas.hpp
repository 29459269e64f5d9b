/// gemv of a BLAS, which is opened when it is first asked for.
#pragma once
#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// r -= A x by cblas_dgemv or cblas_sgemv, on so many threads where the BLAS lets them be set.
/// Throws: BackendError where no BLAS can be opened.
void subtract_product(bool by_rows, Index n, const double* a, Index leading, const double* x, double* r,
                      int threads);
void subtract_product(bool by_rows, Index n, const float* a, Index leading, const float* x, float* r,
                      int threads);

/// Throws: BackendError where the BLAS found when this was built cannot be opened now, or there was none.
void require_blas();

}  // namespace jacobi::sweep
