#include "backend/opencl/csr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "backend/device/plan.hpp"
#include "backend/opencl/orders.hpp"
#include "backend/opencl/rows.hpp"
#include "backend/opencl/rungs.hpp"
#include "jacobi/error.hpp"
#include "sweep/csr/device_layout.hpp"
#include "sweep/divisors.hpp"

namespace jacobi::opencl {

namespace {

struct CsrRung {
  const char* name;
  bool waits;
};
constexpr CsrRung csr_device_rungs[] = {{"sell", false}, {"waiting", true}};

template <class T>
class CsrSell final : public RowKernels<T> {
 public:
  CsrSell(const Queue& queue, const Csr<T>& a, Index items)
      : queue_(&queue),
        rows_(a.rows()),
        items_(items),
        wide_(items == 1 ? 256 : items),
        sweep_(
            queue,
            {"sell", {"words", "residual"}, definitions<T>(queue.device(), {items, 1}) + orders_of_rows()}) {
    sweep::Sell<T> m = sweep::sell_order(a);
    bytes_ = m.start.back() * Index{sizeof(T) + sizeof(Int)} +
             static_cast<Index>(m.length.size() + m.row_at.size()) * Index{sizeof(Int)} +
             static_cast<Index>(m.start.size()) * Index{sizeof(Index)};
    require_room(queue.device(), bytes_ + 4 * rows_ * Index{sizeof(T)}, "the matrix");
    fill(m, a);
    const std::size_t all = static_cast<std::size_t>(m.start.back());
    const std::vector<std::int64_t> start(m.start.begin(), m.start.end());
    sorted_ = !m.row_at.empty();
    start_ = Buffer<std::int64_t>(queue, start, "the matrix");
    length_ = Buffer<Int>(queue, m.length, "the matrix");
    row_at_ = sorted_ ? Buffer<Int>(queue, m.row_at, "the matrix") : Buffer<Int>(queue, 1, "the matrix");
    values_ = Buffer<T>(queue, std::span<const T>(m.values.get(), all), "the matrix");
    columns_ = Buffer<Int>(queue, std::span<const Int>(m.columns.get(), all), "the matrix");
  }

  Index run(const RowVectors<T>& w, const RowTask<T>& task, const NormSum& norms) override {
    sweep_.run({{most_parts(), 1}, {items_, 1}}, start_, length_, row_at_, columns_, values_, w.u, w.v, w.b,
               w.scales, std::int64_t{rows_}, std::int64_t{wide_}, Int{sorted_}, task.omega, task.rho,
               task.task, Int{task.measured}, norms.scale(), Local{bytes_of_sum(queue_->device(), items_)},
               norms.parts());
    return most_parts();
  }
  Index most_parts() const override { return (rows_ + wide_ - 1) / wide_; }
  double bytes() const override { return static_cast<double>(bytes_); }
  std::string in_words() const override {
    return fmt::format("chunks of 32 rows{}", sorted_ ? ", sorted by length" : "");
  }

 private:
  const Queue* queue_;
  Index rows_, items_, wide_, bytes_ = 0;
  bool sorted_ = false;
  Buffer<std::int64_t> start_;
  Buffer<Int> length_, row_at_, columns_;
  Buffer<T> values_;
  Kernel sweep_;
};

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, const Device& device) {
  device::require_sweeps(plan, "opencl");
  if (sizeof(T) == sizeof(double)) device.require_double();
  if (a.rows() == 0) throw InputError("the matrix has no rows");
  if (a.rows() > std::numeric_limits<Int>::max() - sweep::sell_rows)
    throw BackendError(fmt::format("opencl: {} rows: a device takes fewer than 2^31", a.rows()));
  const CsrRung& rung = named_rung(csr_device_rungs, plan.rung(), "sparse matrices");
  const Index items = items_of_rows(device, plan.blocking().tile[0]);
  RowSystem<T> system{a.rows(),  a.rows(),   1, sweep::reciprocals(a, plan.method.divisor),
                      rung.name, rung.waits, {}};
  system.kernels = [&](const Queue& queue) { return std::make_unique<CsrSell<T>>(queue, a, items); };
  return sweeper_of_rows<T>(std::move(system), device);
}

template std::unique_ptr<Sweeper<double>> bind(const Csr<double>&, const Plan&, const Device&);
template std::unique_ptr<Sweeper<float>> bind(const Csr<float>&, const Plan&, const Device&);

}  // namespace jacobi::opencl
