/// What a user would write with NVIDIA's libraries: a product by cuBLAS or cuSPARSE, then an update.
#pragma once
#include <span>

#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"

namespace jacobi::bench {

/// Makes plain sweeps from x, which then holds the iterate reached, after as many to warm up; seconds of one
/// sweep by events, without transfers. graph: all sweeps as one submission. No norms are taken: those would
/// cost another pass. Bytes: the matrix and 6 words per unknown. Throws: BackendError.
template <class T>
double seconds_of_gemv_sweep(const Dense<T>& a, std::span<const T> b, std::span<T> x, int sweeps, bool graph);
template <class T>
double seconds_of_spmv_sweep(const Csr<T>& a, std::span<const T> b, std::span<T> x, int sweeps, bool graph);

}  // namespace jacobi::bench
