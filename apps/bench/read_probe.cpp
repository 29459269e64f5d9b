#include "read_probe.hpp"
#include "core/team.hpp"

#include <atomic>
#include <stdexcept>

#include "core/clock.hpp"
#include "core/teams.hpp"
#include "machine/caches.hpp"
#include "machine/kernels.hpp"
#include "sweep/way_trial.hpp"

namespace jacobi::cli {

namespace {

template <class T>
class ReadProbe final : public Sweeper<T> {
 public:
  ReadProbe(const Dense<T>& a, int threads)
      : data_(reinterpret_cast<const double*>(a.data())),
        blocks_(a.entries() * static_cast<Index>(sizeof(T)) /
                static_cast<Index>(machine::read_block * sizeof(double))),
        rows_(a.rows()),
        threads_(static_cast<int>(std::min<Index>(startable(threads), std::max<Index>(1, blocks_)))),
        trial_(static_cast<double>(a.entries()) * sizeof(T) / threads_ > machine::assumed_cache_bytes(2)
                   ? 2
                   : 1) {}
  Index rows() const override { return rows_; }
  Executed executed() const override {
    Executed ran{"read", "", threads_, sweeps_, trial_.way() == 1 ? "in quarters" : ""};
    ran.settled = trial_.made();
    return ran;
  }
  double bytes_per_update() const override { return static_cast<double>(rows_) * sizeof(T); }
  double check_cost(Want) const override { return 1; }

 private:
  void do_load(std::span<const T>, std::span<const T>) override {}
  Norms do_advance(std::span<const Step> steps, Want) override {
    for (std::size_t left = steps.size(), passes; left > 0; left -= passes) {
      passes = trial_.sweeps(left);
      const auto begin = Clock::now();
      read(passes, trial_.way() == 1);
      trial_.took(passes, seconds_since(begin));
    }
    sweeps_ += static_cast<Index>(steps.size());
    return {};
  }
  Norms do_norms(Want) override { throw std::logic_error("a read probe measures nothing"); }
  void do_store(std::span<T>) const override { throw std::logic_error("a read probe has no iterate"); }
  void do_save() override { throw std::logic_error("a read probe has no iterate"); }
  void do_restore() override { do_save(); }

  void read(std::size_t passes, bool in_quarters) {
    std::atomic<double> sum = 0;
    run_team(threads_, [&](const Member& me) {
      const Index first = blocks_ * me.number / me.team, last = blocks_ * (me.number + 1) / me.team;
      const auto block = static_cast<Index>(machine::read_block);
      sum += machine::read(data_ + first * block, static_cast<std::size_t>((last - first) * block), passes,
                           in_quarters);
    });
    read_ = sum;
  }

  const double* data_;
  Index blocks_, rows_;
  int threads_;
  sweep::WayTrial trial_;  ///< in order or, from beyond L2, in quarters: what is faster
  volatile double read_ = 0;
  Index sweeps_ = 0;
};

}  // namespace

template <class T>
bool can_probe(const Dense<T>& a) {
  const std::size_t bytes = static_cast<std::size_t>(a.entries()) * sizeof(T),
                    block = machine::read_block * 8;
  return bytes % block == 0 || bytes >= 64 * block;
}
template bool can_probe<double>(const Dense<double>&);
template bool can_probe<float>(const Dense<float>&);

template <class T>
std::unique_ptr<Sweeper<T>> read_probe(const Dense<T>& a, int threads) {
  return std::make_unique<ReadProbe<T>>(a, threads);
}

template std::unique_ptr<Sweeper<double>> read_probe<double>(const Dense<double>&, int);
template std::unique_ptr<Sweeper<float>> read_probe<float>(const Dense<float>&, int);

}  // namespace jacobi::cli
