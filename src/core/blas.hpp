/// What is used of a BLAS and LAPACK, which are opened when they are first asked for.
#pragma once
#include <string>

#include "jacobi/types.hpp"

namespace jacobi {

/// r -= A x by gemv, or, where x and r have `width` > 1 columns, value c of row i at width i + c, by gemm; on
/// so many threads where the BLAS lets them be set. Throws: BackendError where no BLAS can be opened.
void subtract_product(bool by_rows, Index n, const double* a, Index leading, const double* x, double* r,
                      Index width, int threads);
void subtract_product(bool by_rows, Index n, const float* a, Index leading, const float* x, float* r,
                      Index width, int threads);

/// Whether there was a BLAS when this was built.
bool has_blas();

/// Throws: BackendError where the BLAS found when this was built cannot be opened now, or there was none.
void require_blas();

/// Which kernels OpenBLAS runs, as "SkylakeX": its choice, but not those of 2004 where this processor is too
/// young for it to know (set OPENBLAS_CORETYPE to choose otherwise). Empty of another BLAS. Throws:
/// BackendError as require_blas().
std::string blas_kernel();

/// LAPACK's dpotrf as Fortran calls it, but for the length of the text, which is 1.
using Potrf = void (*)(char* triangle, int* n, double* a, int* leading, int* info);
/// Where this build found no LAPACK, that of whoever calls is taken from now on, with as many threads as it
/// has.
void lend_cholesky(Potrf potrf);

/// Whether there is LAPACK's potrf.
bool has_cholesky();
/// The lower triangle of a symmetric n x n matrix by columns becomes its Cholesky factor, by LAPACK's potrf
/// on one core: the same bits on any number of them. False where it is not positive definite. Throws:
/// BackendError where there is none.
bool factor_cholesky(Index n, double* a);

}  // namespace jacobi
