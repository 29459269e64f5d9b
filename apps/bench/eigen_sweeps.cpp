#include "eigen_sweeps.hpp"

#include <Eigen/SparseCore>
#include <stdexcept>

namespace jacobi::cli {

namespace {

template <class T>
class EigenSweeper final : public Sweeper<T> {
 public:
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

  EigenSweeper(const Csr<T>& a, int threads) : threads_(threads), r_(a.rows(), a.rows()), d_(a.rows()) {
    std::vector<Eigen::Triplet<T, int>> entries;
    entries.reserve(static_cast<std::size_t>(a.entries()));
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < a.rows(); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          if (columns[k] == i)
            d_[i] = T(1) / values[k];
          else
            entries.emplace_back(static_cast<int>(i), static_cast<int>(columns[k]), values[k]);
    });
    r_.setFromTriplets(entries.begin(), entries.end());
  }
  Index rows() const override { return d_.size(); }
  Executed executed() const override { return {"eigen", "compiler", threads_, sweeps_, ""}; }
  /// R once, then three vectors read and one written, twice.
  double bytes_per_update() const override {
    return static_cast<double>(r_.nonZeros()) / static_cast<double>(rows()) * (sizeof(T) + sizeof(int)) +
           sizeof(int) + 6 * sizeof(T);
  }
  double check_cost(Want) const override { return 1; }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    b_ = Eigen::Map<const Vector>(b.data(), rows());
    x_ = Eigen::Map<const Vector>(x.data(), rows());
    y_ = x_;
  }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    if (want != Want::nothing) throw std::logic_error("eigen sweeps measure nothing");
    Eigen::setNbThreads(threads_);
    for (std::size_t j = 0; j < steps.size(); ++j) {
      y_.noalias() = r_ * x_;
      y_ = d_.cwiseProduct(b_ - y_);
      x_.swap(y_);
    }
    sweeps_ += static_cast<Index>(steps.size());
    return {};
  }
  Norms do_norms(Want) override { throw std::logic_error("eigen sweeps measure nothing"); }
  void do_store(std::span<T> x) const override { Eigen::Map<Vector>(x.data(), rows()) = x_; }
  void do_save() override { throw std::logic_error("eigen sweeps keep nothing"); }
  void do_restore() override { do_save(); }

  int threads_;
  Eigen::SparseMatrix<T, Eigen::RowMajor, int> r_;
  Vector d_, b_, x_, y_;
  Index sweeps_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> eigen_sweeps(const Csr<T>& a, int threads) {
  return std::make_unique<EigenSweeper<T>>(a, threads);
}

template std::unique_ptr<Sweeper<double>> eigen_sweeps<double>(const Csr<double>&, int);
template std::unique_ptr<Sweeper<float>> eigen_sweeps<float>(const Csr<float>&, int);

}  // namespace jacobi::cli
