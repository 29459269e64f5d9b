#include "backend/opencl/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backend/device/plan.hpp"
#include "backend/device/scales.hpp"
#include "backend/opencl/orders.hpp"
#include "backend/opencl/rows.hpp"
#include "backend/opencl/rungs.hpp"
#include "jacobi/error.hpp"

namespace jacobi::opencl {

namespace {

enum class DenseOrder { any, of_rung_0, any_with_atomic_norm };
struct DenseRung {
  const char* name;
  DenseOrder order;
  bool waits;           ///< for each sweep
  const char* only_by;  ///< "rows" or "columns"; none: both
};
constexpr DenseRung dense_device_rungs[] = {{"fused", DenseOrder::any, false, nullptr},
                                            {"ordered", DenseOrder::of_rung_0, false, "columns"},
                                            {"waiting", DenseOrder::any, true, nullptr},
                                            {"atomic", DenseOrder::any_with_atomic_norm, false, "rows"}};

/// Lines are filled up to whole multiples, so that a line's end needs no care.
constexpr Index multiple = 32;

/// Values that an item takes at once: 16 bytes of a row, as wide as loads are; on processors several vectors.
template <class T>
Index lanes_of_rows(const Device& device) {
  return device.properties().is_cpu() ? 16 : 16 / static_cast<Index>(sizeof(T));
}
Index lanes_of_columns(const Device& device) { return device.properties().is_cpu() ? 32 : 1; }

/// Lines first ... first + count - 1: what one buffer holds.
template <class T>
struct Band {
  Index first, count;
  Buffer<T> entries;
};

/// The matrix in as few bands as the largest buffer allows. Throws: BackendError where memory lacks.
template <class T>
std::vector<Band<T>> upload(const Queue& queue, const Dense<T>& a, Index leading) {
  const Index n = a.order(), line = leading * Index{sizeof(T)};
  require_room(queue.device(), n * line + 4 * a.copies() * line, "the matrix");
  const Index most = std::max<Index>(1, std::min(n, queue.device().properties().largest_buffer / line));
  std::vector<Band<T>> bands;
  for (Index first = 0; first < n; first += most) {
    const Index count = std::min(most, n - first);
    std::vector<T> lines(static_cast<std::size_t>(count * leading));
    for (Index i = 0; i < count; ++i)
      std::copy_n(a.data() + (first + i) * a.leading(), n, &lines[static_cast<std::size_t>(i * leading)]);
    bands.push_back({first, count, Buffer<T>(queue, lines, "the matrix")});
  }
  return bands;
}

/// #define of what kernels of dense matrices ask for.
template <class T>
std::string definitions_of(const Device& device, Index items, Index copies, Index lanes) {
  return definitions<T>(device, {items, 1}) + orders_of_rows() +
         fmt::format("#define COPIES {}\n#define LANES {}\n", copies, lanes);
}

template <class T>
class DenseByRows final : public RowKernels<T> {
 public:
  /// atomic: norms are the source's, one float to which all rows add.
  DenseByRows(const Queue& queue, const Dense<T>& a, Index leading, Index items, bool atomic)
      : queue_(&queue),
        rows_(a.order()),
        items_(items),
        atomic_(atomic),
        bands_(upload(queue, a, leading)),
        local_(a.copies() * items * Index{sizeof(T)}),
        total_(queue, 2, "a norm"),
        sweep_(queue,
               {"dense_rows",
                {"words", "residual"},
                definitions_of<T>(queue.device(), items, a.copies(), lanes_of_rows<T>(queue.device())) +
                    (atomic ? "#define ATOMIC_NORM\n" : "")}) {}

  Index run(const RowVectors<T>& w, const RowTask<T>& task, const NormSum& norms) override {
    if (atomic_ && task.measured) total_.fill_with_zeros();
    for (const Band<T>& band : bands_)
      sweep_.run({{band.count, 1}, {items_, 1}}, band.entries, w.u, w.v, w.b, w.scales,
                 std::int64_t{band.first}, std::int64_t{w.leading}, task.omega, task.rho, task.task,
                 Int{task.measured}, atomic_ ? 1.0F : norms.scale(), Local{local_},
                 Local{bytes_of_sum(queue_->device(), items_)}, norms.parts(), total_);
    return rows_;
  }
  std::optional<Norms> own_norms() const override {
    if (!atomic_) return {};
    std::vector<float> total(2);
    total_.read(total);
    return Norms{std::sqrt(static_cast<double>(total[0])), static_cast<double>(total[1])};
  }
  Index most_parts() const override { return rows_; }
  double bytes() const override {
    return static_cast<double>(rows_) * static_cast<double>(rows_) * sizeof(T);
  }
  std::string in_words() const override {
    return fmt::format("a row to a group of {} item{}{}", items_, items_ == 1 ? "" : "s",
                       atomic_ ? ", norms in one float" : "");
  }

 private:
  const Queue* queue_;
  Index rows_, items_;
  bool atomic_;
  std::vector<Band<T>> bands_;
  Index local_;
  Buffer<float> total_;  ///< sum of squares, largest
  Kernel sweep_;
};

/// Columns of a share, and shares of a band: enough groups to keep the device busy. Depends on the order of
/// the matrix and the kind of device alone, and so do the bits.
Index shares_of(const Device& device, Index panels, Index columns) {
  const Index enough = device.properties().is_cpu() ? 8 : 1024, least = 64;  // groups; columns of a share
  return std::max<Index>(1, std::min((enough + panels - 1) / panels, columns / least));
}

template <class T>
class DenseByColumns final : public RowKernels<T> {
 public:
  DenseByColumns(const Queue& queue, const Dense<T>& a, Index leading, Index items, bool ordered)
      : queue_(&queue),
        rows_(a.order()),
        items_(items),
        ordered_(ordered),
        lanes_(lanes_of_columns(queue.device())),
        panels_((leading + items * lanes_ - 1) / (items * lanes_)),
        bands_(upload(queue, a, leading)) {
    const std::string defined = definitions_of<T>(queue.device(), items, a.copies(), lanes_);
    for (const Band<T>& band : bands_) {
      const Index shares = ordered ? 1 : shares_of(queue.device(), panels_, band.count);
      shares_.push_back({slots_, (band.count + shares - 1) / shares, shares});
      slots_ += ordered ? 0 : shares;
    }
    if (ordered) slots_ = 1;
    sums_ = Buffer<T>(queue, joins() ? slots_ * a.copies() * leading : 1, "sums of columns");
    sweep_ = Kernel(queue, {"dense_columns", {"words", "residual"}, defined});
    if (joins()) join_ = Kernel(queue, {"dense_join", {"words", "residual"}, defined});
  }

  Index run(const RowVectors<T>& w, const RowTask<T>& task, const NormSum& norms) override {
    const Local local{bytes_of_sum(queue_->device(), items_)};
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      const Shares& part = shares_[k];
      const Int from = k == 0 ? 0 : ordered_ ? 2 : 1;
      sweep_.run({{panels_, part.shares}, {items_, 1}}, bands_[k].entries, w.u, w.v, w.b, w.scales, sums_,
                 std::int64_t{rows_}, std::int64_t{w.leading}, std::int64_t{bands_[k].first},
                 std::int64_t{bands_[k].count}, std::int64_t{part.columns}, std::int64_t{part.slot}, from,
                 task.omega, task.rho, joins() ? Int{-1} : task.task, Int{task.measured && !joins()},
                 norms.scale(), local, norms.parts());
    }
    if (!joins()) return panels_;
    join_.run({{parts_of_join(), 1}, {items_, 1}}, w.u, w.v, w.scales, sums_, std::int64_t{rows_},
              std::int64_t{w.leading}, std::int64_t{slots_}, std::int64_t{wide()}, task.omega, task.rho,
              task.task, Int{task.measured}, norms.scale(), local, norms.parts());
    return parts_of_join();
  }
  Index most_parts() const override { return std::max(panels_, parts_of_join()); }
  double bytes() const override {
    return static_cast<double>(rows_) * static_cast<double>(rows_) * sizeof(T);
  }
  std::string in_words() const override {
    return fmt::format("{} row{} to an item, {} items to a group, {} share{} of the columns", lanes_,
                       lanes_ == 1 ? "" : "s", items_, slots_, slots_ == 1 ? "" : "s");
  }

 private:
  struct Shares {
    Index slot, columns, shares;
  };
  bool joins() const { return slots_ > 1 || bands_.size() > 1; }
  Index wide() const { return items_ == 1 ? 256 : items_; }
  Index parts_of_join() const { return (rows_ + wide() - 1) / wide(); }

  const Queue* queue_;
  Index rows_, items_;
  bool ordered_;
  Index lanes_, panels_;
  std::vector<Band<T>> bands_;
  std::vector<Shares> shares_;
  Index slots_ = 0;
  Buffer<T> sums_;
  Kernel sweep_, join_;
};

/// The rung of the plan. Throws: UsageError for one that there is not, or that is not for the layout.
const DenseRung& rung_for(const Plan& plan, Layout layout) {
  const DenseRung& rung = named_rung(dense_device_rungs, plan.rung(), "dense matrices");
  const std::string by = layout == Layout::row_major ? "rows" : "columns";
  if (rung.only_by && by != rung.only_by)
    throw UsageError(fmt::format("rung '{}' is for matrices by {}: take fused", plan.rung(), rung.only_by));
  return rung;
}

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, const Device& device) {
  device::require_sweeps(plan, "opencl");
  if (sizeof(T) == sizeof(double)) device.require_double();
  const DenseRung& rung = rung_for(plan, a.layout());
  const Index leading = (a.order() + multiple - 1) / multiple * multiple;
  const Index items = items_of_rows(device, plan.blocking().tile[0]);
  RowSystem<T> system{
      a.order(),  leading, static_cast<int>(a.copies()), device::scales_of(a, plan.method.divisor), rung.name,
      rung.waits, {}};
  system.kernels = [&](const Queue& queue) -> std::unique_ptr<RowKernels<T>> {
    if (a.layout() == Layout::row_major)
      return std::make_unique<DenseByRows<T>>(queue, a, leading, items,
                                              rung.order == DenseOrder::any_with_atomic_norm);
    return std::make_unique<DenseByColumns<T>>(queue, a, leading, items, rung.order == DenseOrder::of_rung_0);
  };
  return sweeper_of_rows<T>(std::move(system), device);
}

template std::unique_ptr<Sweeper<double>> bind(const Dense<double>&, const Plan&, const Device&);
template std::unique_ptr<Sweeper<float>> bind(const Dense<float>&, const Plan&, const Device&);

}  // namespace jacobi::opencl
