#include <cublas_v2.h>
#include <cusparse.h>

#include <string>
#include <vector>

#include "backend/cuda/device.hpp"
#include "gpu/baselines.hpp"
#include "jacobi/error.hpp"

namespace jacobi::bench {

namespace {

void require(bool good, const char* what) {
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

/// One launch after another, as a user writes it.
template <class T>
class Product : public Baseline<T> {
 public:
  template <class A>
  Product(const A& a, std::span<const T> b)
      : stream_(0),
        b_(stream_, b),
        x_(stream_, b_.size()),
        r_(stream_, b_.size()),
        scale_(stream_, reciprocals(a, b_.size())) {}
  double seconds_per_sweep(Index sweeps) override {
    const Index bytes = b_.size() * Index{sizeof(T)};
    cuda::fill_with_zeros(stream_, x_.data(), bytes);
    cuda::copy(stream_, r_.data(), b_.data(), bytes);
    const double seconds = cuda::seconds_of(stream_, [&] {
      for (Index j = 0; j < sweeps; ++j) {
        subtract_product();
        cuda::launch(stream_, {{static_cast<unsigned>((b_.size() + 255) / 256)}, {256}},
                     update_after_product<T>, x_.data(), r_.data(), scale_.data(), b_.data(), b_.size());
      }
    });
    return seconds / static_cast<double>(sweeps);
  }
  void store(std::span<T> x) const override {
    cuda::copy(stream_, x.data(), x_.data(), b_.size() * Index{sizeof(T)});
  }

 protected:
  virtual void subtract_product() = 0;  ///< r -= A x
  cudaStream_t handle() const { return static_cast<cudaStream_t>(stream_.handle()); }

  cuda::Stream stream_;
  cuda::Buffer<T> b_, x_, r_, scale_;

 private:
  template <class A>
  static std::vector<T> reciprocals(const A& a, Index n) {
    std::vector<T> s(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) s[i] = static_cast<T>(1 / static_cast<double>(a.diagonal(i)));
    return s;
  }
};

cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int n, const double* alpha, const double* a,
                    const double* x, const double* beta, double* r) {
  return cublasDgemv(h, op, n, n, alpha, a, n, x, 1, beta, r, 1);
}
cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int n, const float* alpha, const float* a,
                    const float* x, const float* beta, float* r) {
  return cublasSgemv(h, op, n, n, alpha, a, n, x, 1, beta, r, 1);
}

template <class T>
class Gemv final : public Product<T> {
 public:
  Gemv(const Dense<T>& a, std::span<const T> b)
      : Product<T>(a, b),
        order_(static_cast<int>(a.order())),
        operation_(a.layout() == Layout::row_major ? CUBLAS_OP_T : CUBLAS_OP_N),
        entries_(this->stream_, a.entries()) {
    const Index width = a.order() * Index{sizeof(T)};
    cuda::copy_rows(this->stream_, entries_.data(), width, a.data(), a.leading() * Index{sizeof(T)}, width,
                    a.order());
    require(cublasCreate(&library_) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    require(cublasSetStream(library_, this->handle()) == CUBLAS_STATUS_SUCCESS, "cublasSetStream");
  }
  ~Gemv() override { cublasDestroy(library_); }

 private:
  void subtract_product() override {
    const T minus = -1, one = 1;
    require(gemv(library_, operation_, order_, &minus, entries_.data(), this->x_.data(), &one,
                 this->r_.data()) == CUBLAS_STATUS_SUCCESS,
            "gemv");
  }
  cublasHandle_t library_ = nullptr;
  int order_;
  cublasOperation_t operation_;
  cuda::Buffer<T> entries_;
};

void require(cusparseStatus_t status, const char* what) { require(status == CUSPARSE_STATUS_SUCCESS, what); }

template <class T>
class Spmv final : public Product<T> {
 public:
  Spmv(const Csr<T>& a, std::span<const T> b) : Product<T>(a, b), values_(this->stream_, a.values()) {
    a.visit([&](auto offsets, auto columns, auto) {
      offsets_ = cuda::Buffer<int>(this->stream_, std::vector<int>(offsets.begin(), offsets.end()));
      columns_ = cuda::Buffer<int>(this->stream_, std::vector<int>(columns.begin(), columns.end()));
    });
    require(cusparseCreate(&library_), "cusparseCreate");
    require(cusparseSetStream(library_, this->handle()), "cusparseSetStream");
    require(cusparseCreateCsr(&matrix_, a.rows(), a.rows(), a.entries(), offsets_.data(), columns_.data(),
                              values_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, type),
            "cusparseCreateCsr");
    require(cusparseCreateDnVec(&from_, a.rows(), this->x_.data(), type), "cusparseCreateDnVec");
    require(cusparseCreateDnVec(&to_, a.rows(), this->r_.data(), type), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    require(cusparseSpMV_bufferSize(library_, CUSPARSE_OPERATION_NON_TRANSPOSE, &minus_, matrix_, from_,
                                    &one_, to_, type, CUSPARSE_SPMV_CSR_ALG1, &bytes),
            "cusparseSpMV_bufferSize");
    work_ = cuda::Buffer<unsigned char>(this->stream_, static_cast<Index>(bytes));
    require(cusparseSpMV_preprocess(library_, CUSPARSE_OPERATION_NON_TRANSPOSE, &minus_, matrix_, from_,
                                    &one_, to_, type, CUSPARSE_SPMV_CSR_ALG1, work_.data()),
            "cusparseSpMV_preprocess");
  }
  ~Spmv() override {
    cusparseDestroyDnVec(from_);
    cusparseDestroyDnVec(to_);
    cusparseDestroySpMat(matrix_);
    cusparseDestroy(library_);
  }

 private:
  void subtract_product() override {
    require(cusparseSpMV(library_, CUSPARSE_OPERATION_NON_TRANSPOSE, &minus_, matrix_, from_, &one_, to_,
                         type, CUSPARSE_SPMV_CSR_ALG1, work_.data()),
            "cusparseSpMV");
  }
  static constexpr cudaDataType type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
  const T minus_ = -1, one_ = 1;
  cusparseHandle_t library_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t from_ = nullptr, to_ = nullptr;
  cuda::Buffer<int> offsets_, columns_;
  cuda::Buffer<T> values_;
  cuda::Buffer<unsigned char> work_;
};

}  // namespace

template <class T>
std::unique_ptr<Baseline<T>> gemv_and_update(const Dense<T>& a, std::span<const T> b) {
  return std::make_unique<Gemv<T>>(a, b);
}
template <class T>
std::unique_ptr<Baseline<T>> spmv_and_update(const Csr<T>& a, std::span<const T> b) {
  return std::make_unique<Spmv<T>>(a, b);
}

#define JACOBI_INSTANTIATE(T)                                                                    \
  template std::unique_ptr<Baseline<T>> gemv_and_update<T>(const Dense<T>&, std::span<const T>); \
  template std::unique_ptr<Baseline<T>> spmv_and_update<T>(const Csr<T>&, std::span<const T>);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::bench
