/// The sweeper of a sparse or dense matrix on a device.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "backend/cuda/graphs.hpp"
#include "backend/cuda/rows.hpp"
#include "backend/cuda/steps.hpp"
#include "backend/cuda/stream_clock.hpp"
#include "core/executed.hpp"

namespace jacobi::cuda {

/// What a sweeper is made of: unknown c + copies i of the host is value c leading + i on the device.
template <class T>
struct RowSystem {
  Index order = 0, leading = 0;
  int copies = 1;
  std::vector<T> scale;  ///< order values
  std::string rung;
  std::function<std::unique_ptr<RowKernels<T>>(const Stream&)> kernels;
  bool in_graphs = false;  ///< many launches at once
};

/// Bytes of the vectors: b, scale, two iterates.
template <class T>
Index bytes_of_vectors(Index leading, Index copies) {
  return (3 * copies + 1) * leading * Index{sizeof(T)};
}

/// Throws: BackendError naming needed and free bytes.
void require_device_memory(const Stream& stream, Index bytes, const std::string& what);

template <class T>
class RowSweeper final : public Sweeper<T> {
 public:
  RowSweeper(RowSystem<T> system, int device);

  Index rows() const override { return order_ * w_.copies; }
  Executed executed() const override {
    Executed ran = ran_;
    clock_.tell(ran);
    return ran;
  }
  Index sweeps_at_once() const override {
    return kernels_->persistent() ? 1024 : graphs_ ? Index{SweepGraphs::length} : 1;
  }
  /// Beside the matrix b, scale, x, out.
  double bytes_per_update() const override {
    return kernels_->bytes() / static_cast<double>(rows()) + 4.0 * sizeof(T);
  }
  /// A model, not measured: adding up, a copy and the wait take as long as reading so many bytes.
  double check_cost(Want want) const override {
    const double sweep = bytes_per_update() * static_cast<double>(rows());
    return 96e6 / (24e6 + sweep) + (want == Want::update ? 0.01 : 1.0);
  }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    clock_.load([&] {
      put(b, b_.data());
      put(x, u_);
    });
  }
  void do_store(std::span<T> x) const override {
    clock_.store([&] { get(x); });
  }
  Norms do_norms(Want want) override;
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return clock_.advance([&] { return sweep(steps, want); });
  }
  void do_save() override {
    if (saved_.size() == 0) saved_ = Buffer<T>(stream_, all());
    copy(stream_, saved_.data(), u_, all() * Index{sizeof(T)});
    saved_at_ = ran_;
  }
  void do_restore() override {
    copy(stream_, u_, saved_.data(), all() * Index{sizeof(T)});
    ran_.rewind(saved_at_);
  }

  Index all() const { return w_.copies * w_.leading; }
  void put(std::span<const T> from, T* to);
  void get(std::span<T> x) const;
  Norms sweep(std::span<const Step> steps, Want want);
  void sweep(const Step* step, bool measured) {
    kernels_->launch(w_, {u_, v_, step, Want::update, measured ? norms_->parts() : nullptr});
    std::swap(u_, v_);
  }
  /// Returns the parts of the last update's norm.
  Index make(Index count, const Step* there, bool measured);

  Stream stream_;
  mutable StreamClock clock_;
  Index order_;
  std::string rung_;
  std::unique_ptr<RowKernels<T>> kernels_;
  Buffer<T> b_, scale_, iterates_, saved_;
  Rows<T> w_;
  T *u_ = nullptr, *v_ = nullptr;  ///< x_n and x_(n-1)
  std::optional<NormSum> norms_;
  DeviceSteps steps_;
  std::optional<SweepGraphs> graphs_;
  mutable std::vector<T> staged_;  ///< several right-hand sides, on the host as the device has them
  Executed ran_, saved_at_;
};

}  // namespace jacobi::cuda
