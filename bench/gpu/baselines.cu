#include "gpu/baselines.hpp"

#include <cublas_v2.h>
#include <cusparse.h>

#include <string>
#include <vector>

#include "backend/cuda/device.hpp"
#include "jacobi/error.hpp"

namespace jacobi::bench {

namespace {

void check(bool good, const char* what) {
  if (!good) throw BackendError(std::string("baseline: ") + what + " failed");
}

/// x += s r, and r = b for the next product.
template <class T>
JACOBI_KERNEL update_after_product(T* x, T* r, const T* s, const T* b, Index n) {
  const Index i = static_cast<Index>(cuda::block().x) * cuda::threads().x + cuda::thread().x;
  if (i >= n) return;
  x[i] += s[i] * r[i];
  r[i] = b[i];
}

template <class T>
std::vector<T> reciprocals(Index n, auto&& diagonal) {
  std::vector<T> s(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) s[i] = static_cast<T>(1 / static_cast<double>(diagonal(i)));
  return s;
}

/// product(x, r): r -= A x, launched on the stream.
template <class T, class Product>
double run(const cuda::Stream& stream, std::span<const T> s, std::span<const T> b, std::span<T> x, int sweeps,
           bool graph, Product&& product) {
  const Index n = static_cast<Index>(x.size()), bytes = n * Index{sizeof(T)};
  const cuda::Buffer<T> scale(stream, s), given(stream, b), u(stream, n), r(stream, n);
  const auto sweep = [&] {
    product(u.data(), r.data());
    cuda::launch(stream, {{static_cast<unsigned>((n + 255) / 256)}, {256}}, update_after_product<T>, u.data(),
                 r.data(), scale.data(), given.data(), n);
  };
  const auto start = [&] {
    cuda::copy(stream, u.data(), x.data(), bytes);
    cuda::copy(stream, r.data(), b.data(), bytes);
  };
  start();
  for (int j = 0; j < sweeps; ++j) sweep();
  const auto record = [&] {
    for (int j = 0; j < sweeps; ++j) sweep();
  };
  std::unique_ptr<cuda::Graph> all;
  if (graph) all = std::make_unique<cuda::Graph>(stream, record);
  start();
  const cuda::Event before(stream);
  if (all)
    all->launch();
  else
    record();
  const cuda::Event after(stream);
  const double seconds = after.seconds_since(before) / sweeps;
  cuda::copy(stream, x.data(), u.data(), bytes);
  return seconds;
}

cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int n, const double* one, const double* a,
                    int lead, const double* x, const double* beta, double* r) {
  return cublasDgemv(h, op, n, n, one, a, lead, x, 1, beta, r, 1);
}
cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int n, const float* one, const float* a, int lead,
                    const float* x, const float* beta, float* r) {
  return cublasSgemv(h, op, n, n, one, a, lead, x, 1, beta, r, 1);
}

}  // namespace

template <class T>
double seconds_of_gemv_sweep(const Dense<T>& a, std::span<const T> b, std::span<T> x, int sweeps,
                             bool graph) {
  const cuda::Stream stream(0);
  const Index n = a.order();
  const cuda::Buffer<T> entries(stream, n * n);
  cuda::copy_rows(stream, entries.data(), n * Index{sizeof(T)}, a.data(), a.leading() * Index{sizeof(T)},
                  n * Index{sizeof(T)}, n);
  cublasHandle_t handle;
  check(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  check(cublasSetStream(handle, static_cast<cudaStream_t>(stream.handle())) == CUBLAS_STATUS_SUCCESS,
        "cublasSetStream");
  const cublasOperation_t op = a.layout() == Layout::row_major ? CUBLAS_OP_T : CUBLAS_OP_N;
  const T minus = -1, one = 1;
  const int order = static_cast<int>(n);
  const std::vector<T> s = reciprocals<T>(n, [&](Index i) { return a.diagonal(i); });
  const double seconds = run<T>(stream, s, b, x, sweeps, graph, [&](const T* u, T* r) {
    check(gemv(handle, op, order, &minus, entries.data(), order, u, &one, r) == CUBLAS_STATUS_SUCCESS,
          "gemv");
  });
  cublasDestroy(handle);
  return seconds;
}

template <class T>
double seconds_of_spmv_sweep(const Csr<T>& a, std::span<const T> b, std::span<T> x, int sweeps, bool graph) {
  const cuda::Stream stream(0);
  const cudaDataType type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
  std::vector<std::int32_t> offsets, columns;
  a.visit([&](auto o, auto c, auto) {
    offsets.assign(o.begin(), o.end());
    columns.assign(c.begin(), c.end());
  });
  const cuda::Buffer<std::int32_t> first(stream, offsets), column(stream, columns);
  const cuda::Buffer<T> values(stream, a.values());
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t from, to;
  const auto good = [](cusparseStatus_t status, const char* what) {
    check(status == CUSPARSE_STATUS_SUCCESS, what);
  };
  good(cusparseCreate(&handle), "cusparseCreate");
  good(cusparseSetStream(handle, static_cast<cudaStream_t>(stream.handle())), "cusparseSetStream");
  good(cusparseCreateCsr(&matrix, a.rows(), a.rows(), a.entries(), first.data(), column.data(), values.data(),
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
       "cusparseCreateCsr");
  const cuda::Buffer<T> any(stream, a.rows());  // before the vectors are known
  good(cusparseCreateDnVec(&from, a.rows(), any.data(), type), "cusparseCreateDnVec");
  good(cusparseCreateDnVec(&to, a.rows(), any.data(), type), "cusparseCreateDnVec");
  const T minus = -1, one = 1;
  std::size_t bytes = 0;
  const auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto algorithm = CUSPARSE_SPMV_CSR_ALG1;
  good(cusparseSpMV_bufferSize(handle, operation, &minus, matrix, from, &one, to, type, algorithm, &bytes),
       "cusparseSpMV_bufferSize");
  const cuda::Buffer<unsigned char> work(stream, static_cast<Index>(bytes));
  good(cusparseSpMV_preprocess(handle, operation, &minus, matrix, from, &one, to, type, algorithm,
                               work.data()),
       "cusparseSpMV_preprocess");
  const std::vector<T> s = reciprocals<T>(a.rows(), [&](Index i) { return a.diagonal(i); });
  const double seconds = run<T>(stream, s, b, x, sweeps, graph, [&](T* u, T* r) {
    cusparseDnVecSetValues(from, u);
    cusparseDnVecSetValues(to, r);
    good(cusparseSpMV(handle, operation, &minus, matrix, from, &one, to, type, algorithm, work.data()),
         "cusparseSpMV");
  });
  cusparseDestroyDnVec(from);
  cusparseDestroyDnVec(to);
  cusparseDestroySpMat(matrix);
  cusparseDestroy(handle);
  return seconds;
}

#define JACOBI_INSTANTIATE(T)                                                                          \
  template double seconds_of_gemv_sweep(const Dense<T>&, std::span<const T>, std::span<T>, int, bool); \
  template double seconds_of_spmv_sweep(const Csr<T>&, std::span<const T>, std::span<T>, int, bool);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::bench
