#include "backend/opencl/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/kept.hpp"
#include "jacobi/error.hpp"
#include "sweep/step_kind.hpp"

namespace jacobi::opencl {

namespace {

/// Values of which a group takes a difference.
constexpr Index wide_of_difference = 4096;

template <class T>
class MatrixSweeper final : public Sweeper<T> {
 public:
  MatrixSweeper(RowSystem<T> system, const Device& device)
      : queue_(device),
        order_(system.order),
        waits_(system.waits),
        kernels_(system.kernels(queue_)),
        items_(items_of_rows(device, 0)),
        parts_of_difference_((system.copies * system.leading + wide_of_difference - 1) / wide_of_difference),
        norms_(queue_, std::max(kernels_->most_parts(), parts_of_difference_)) {
    w_.rows = system.order;
    w_.leading = system.leading;
    w_.copies = system.copies;
    staged_.resize(static_cast<std::size_t>(w_.all()));
    w_.u = Buffer<T>(queue_, staged_, "an iterate");
    w_.v = Buffer<T>(queue_, staged_, "an iterate");
    w_.b = Buffer<T>(queue_, staged_, "the right-hand side");
    system.scales.resize(static_cast<std::size_t>(w_.leading));
    w_.scales = Buffer<T>(queue_, system.scales, "the diagonal");
    difference_ = Kernel(queue_, {"difference", {"words"}, definitions<T>(device, {items_, 1})});
    ran_.rung = system.rung;
    ran_.simd = name_in_report(device);
    ran_.threads = 1;
    ran_.blocking = kernels_->in_words();
  }

  Index rows() const override { return order_ * w_.copies; }
  Executed executed() const override {
    Executed ran = ran_;
    clock_.tell(ran);
    return ran;
  }
  /// Beside the matrix b, scale, x, out.
  double bytes_per_update() const override {
    return kernels_->bytes() / static_cast<double>(rows()) + 4.0 * sizeof(T);
  }
  double check_cost(Want want) const override {
    return cost_of_check(queue_.device(), bytes_per_update() * static_cast<double>(rows()),
                         want != Want::update);
  }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    clock_.load([&] {
      put(b, w_.b);
      put(x, w_.u);
    });
  }
  void do_store(std::span<T> x) const override {
    clock_.store([&] { get(w_.u, x); });
  }
  /// v holds the iterate before.
  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (iterate_before)
      snapshot.vectors["before"] = in_double<T>([&](std::span<T> x) { get(w_.v, x); }, rows());
  }
  void do_take(const Snapshot& snapshot) override {
    if (!holds(snapshot, "before")) return;
    const auto& before = vector_of(snapshot, "before", static_cast<std::size_t>(rows()));
    put(std::vector<T>(before.begin(), before.end()), w_.v);
  }
  Norms do_norms(Want want) override {
    if (want == Want::nothing) return {};
    const Index parts = measure(want);
    if (const auto own = want == Want::update ? std::nullopt : kernels_->own_norms()) return *own;
    return norms_.of(parts, [&] { return measure(want); });
  }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return clock_.advance([&] { return sweep(steps, want); });
  }
  void do_save() override {
    if (saved_.size() == 0) saved_ = Buffer<T>(queue_, w_.all(), "an iterate that is kept");
    saved_.copy_from(w_.u);
    saved_at_ = ran_;
  }
  void do_restore() override {
    w_.u.copy_from(saved_);
    ran_.rewind(saved_at_);
  }

  void get(const Buffer<T>& from, std::span<T> x) const {
    from.read(staged_);
    for (Index i = 0; i < order_; ++i)
      for (Index c = 0; c < w_.copies; ++c) x[i * w_.copies + c] = staged_[c * w_.leading + i];
  }
  void put(std::span<const T> from, const Buffer<T>& to) {
    for (Index i = 0; i < order_; ++i)
      for (Index c = 0; c < w_.copies; ++c) staged_[c * w_.leading + i] = from[i * w_.copies + c];
    to.write(staged_);
  }
  Index measure(Want want) {
    if (want != Want::update)
      return kernels_->run(w_, {want == Want::correction ? 3 : 4, 1, 1, true}, norms_);
    difference_.run({{parts_of_difference_, 1}, {items_, 1}}, w_.u, w_.v, std::int64_t{w_.all()},
                    std::int64_t{wide_of_difference}, norms_.scale(),
                    Local{bytes_of_sum(queue_.device(), items_)}, norms_.parts());
    return parts_of_difference_;
  }
  Norms sweep(std::span<const Step> steps, Want want) {
    Index parts = 0;
    for (std::size_t j = 0; j < steps.size(); ++j) {
      const bool measured = want == Want::update && j + 1 == steps.size();
      const RowTask<T> task{static_cast<Int>(sweep::kind_of(steps[j])), static_cast<T>(steps[j].omega),
                            static_cast<T>(steps[j].rho), measured};
      parts = kernels_->run(w_, task, norms_);
      std::swap(w_.u, w_.v);
      if (waits_) queue_.wait();
    }
    ran_.sweeps += static_cast<Index>(steps.size());
    if (want == Want::nothing) queue_.wait();
    if (want != Want::update || steps.empty()) return do_norms(want);
    if (const auto own = kernels_->own_norms()) return *own;
    return norms_.of(parts, [&] { return measure(Want::update); });
  }

  Queue queue_;
  mutable CallClock clock_;
  Index order_;
  bool waits_;
  std::unique_ptr<RowKernels<T>> kernels_;
  Index items_, parts_of_difference_;
  NormSum norms_;
  RowVectors<T> w_;
  Buffer<T> saved_;
  Kernel difference_;
  mutable std::vector<T> staged_;  ///< all right-hand sides, on the host as the device has them
  Executed ran_, saved_at_;
};

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> sweeper_of_rows(RowSystem<T> system, const Device& device) {
  return std::make_unique<MatrixSweeper<T>>(std::move(system), device);
}
template std::unique_ptr<Sweeper<double>> sweeper_of_rows(RowSystem<double>, const Device&);
template std::unique_ptr<Sweeper<float>> sweeper_of_rows(RowSystem<float>, const Device&);

Index items_of_rows(const Device& device, Index asked) {
  const Properties& p = device.properties();
  const Index most = std::min<Index>(256, p.most_items);
  if (asked < 0 || asked > most)
    throw UsageError(fmt::format("opencl: a group of {} items: 1 to {}", asked, most));
  return asked > 0 ? asked : p.is_cpu() ? 1 : std::min<Index>(64, most);
}

std::string name_in_report(const Device& device) {
  const std::string& doubt = device.doubt();
  return device.properties().name + (doubt.empty() ? "" : " (bits may differ from rung 0: " + doubt + ")");
}

double cost_of_check(const Device& device, double bytes, bool needs_pass) {
  const double rate = device.properties().is_cpu() ? 1e10 : 1e11;  // bytes per second
  const double sweep = 2e-5 + bytes / rate;
  return 1e-4 / sweep + (needs_pass ? 1 : 0.1);
}

}  // namespace jacobi::opencl
