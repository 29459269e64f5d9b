#include "apps/bench/parallel_algorithms.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"
#include "sweep/kernels.hpp"
#include "sweep/stencil/plain/sweeper.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "apps/bench/parallel_algorithms.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "apps/bench/parallel_lines.hpp"
#include "sweep/stencil/plain/0_textbook.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::cli::HWY_NAMESPACE {
namespace {

using namespace sweep::HWY_NAMESPACE;

template <class T, int D>
struct MakeLineKernels {
  static LineKernels<T, D> table() {
    return {select<PlainLoop, T, D>, measure_piece<T, D>, sweep::target_name(HWY_TARGET)};
  }
};

sweep::Tables<LineKernels> line_here() { return sweep::make_tables<LineKernels, MakeLineKernels>(); }

}  // namespace
}  // namespace jacobi::cli::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::cli {

JACOBI_DEFINE_GRID_KERNELS(line, LineKernels)

namespace {

/// As the registry would list it.
template <class T, int D>
const sweep::Algorithm<T, D>& parallel_algorithm() {
  static const sweep::Algorithm<T, D> one{.name = parallel_rung().name,
                                          .summary = parallel_rung().idea,
                                          .rung = parallel_rung(),
                                          .suits = nullptr,
                                          .bytes = nullptr,
                                          .make = nullptr};
  return one;
}

template <class T, int D>
class ParallelSweeper final : public sweep::RungSweeper<T, D> {
 public:
  ParallelSweeper(const Stencil<T, D>& a, int threads)
      : sweep::RungSweeper<T, D>(parallel_algorithm<T, D>(), a, threads), arena_(threads, this->w_.pieces) {}

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    auto& w = this->w_;
    arena_.enter([&] {
      for (const Step& step : steps) {
        const auto sweep = kernels_.sweep_for(w.kind, sweep::kind_of(step));
        arena_.for_each_piece([&](Index s) { sweep(w, w.piece(s), w.u, w.v, step); });
        std::swap(w.u, w.v);
      }
    });
    w.ran.simd = kernels_.simd;
    w.ran.threads = arena_.threads_seen();
    w.ran.sweeps += static_cast<Index>(steps.size());
    return do_norms(want);
  }
  Norms do_norms(Want want) override {
    auto& w = this->w_;
    if (want == Want::nothing) return {};
    arena_.enter(
        [&] { arena_.for_each_piece([&](Index s) { w.partials[s] = kernels_.measure(w, s, want); }); });
    return w.total();
  }

  LineKernels<T, D> kernels_ = line_kernels<T, D>();
  Arena arena_;
};

class ParallelAlgorithms final : public Backend {
 public:
  explicit ParallelAlgorithms(int threads) : threads_(threads) {}
  std::string name() const override { return fmt::format("parallel algorithms, threads:{}", threads_); }
  int threads() const override { return threads_; }
  std::unique_ptr<Sweeper<double>> bind(const Operator<double>& a, const Plan&) const override {
    return bind_any(a);
  }
  std::unique_ptr<Sweeper<float>> bind(const Operator<float>& a, const Plan&) const override {
    return bind_any(a);
  }

 private:
  template <class T>
  std::unique_ptr<Sweeper<T>> bind_any(const Operator<T>& a) const {
    const auto bind_one = [&](const auto& one) -> std::unique_ptr<Sweeper<T>> {
      if constexpr (requires { one.grid(); })
        return std::unique_ptr<Sweeper<T>>(new ParallelSweeper(one, threads_));
      else
        throw UsageError("rung 'parallel' is for grids: it sweeps no other matrices");
    };
    return std::visit(bind_one, a);
  }

  int threads_;
};

}  // namespace

const Rung& parallel_rung() {
  // moves and costs as rung no-copy
  static constexpr Rung rung{3, "parallel", "C++ parallel algorithms over lines", true, true, 3, 1.0, 1.0};
  return rung;
}

std::vector<Rung> grid_rungs() {
  const auto rungs = stencil_rungs();
  std::vector<Rung> all(rungs.begin(), rungs.end());
  all.insert(all.begin() + parallel_rung().number, parallel_rung());
  return all;
}

const Rung& grid_rung(const std::string& name) {
  return name == parallel_rung().name ? parallel_rung() : stencil_rung(name);
}

std::shared_ptr<const Backend> parallel_algorithms(int threads) {
  return std::make_shared<ParallelAlgorithms>(threads);
}

}  // namespace jacobi::cli
#endif
