/// A rung of the device's ladder: a way to make many sweeps.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "backend/cuda/bound.hpp"
#include "jacobi/method.hpp"

namespace jacobi::cuda {

/// Where sweeps go that read x_(n-1) of unknowns that others write: two arrays more, in turn with the grid's.
template <class T, int D>
class SpareIterates {
 public:
  SpareIterates(BoundGrid<T, D>& grid, bool wanted) : grid_(&grid) {
    if (wanted) next_ = {grid.another_iterate(), grid.another_iterate()};
  }
  bool exist() const { return next_.newest; }
  Iterates<T> current() const { return {grid_->u, grid_->v}; }
  Iterates<T> next() const { return next_; }
  void take_turns() {
    std::swap(grid_->u, next_.newest);
    std::swap(grid_->v, next_.before);
  }
  /// Read with a halo, `with_halo` times each, and written.
  double words_of_pass(double with_halo) const {
    const int written = exist() ? 2 : 1, read = written + (grid_->w.has_one_g ? 0 : 1);
    return read * with_halo + written;
  }

 private:
  BoundGrid<T, D>* grid_;
  Iterates<T> next_;
};

/// Kernels are told, so that none of their sweeps waits for its step.
inline bool all_plain(std::span<const Step> steps) {
  return std::all_of(steps.begin(), steps.end(),
                     [](const Step& step) { return sweep::kind_of(step) == StepKind::plain; });
}

/// Makes `count` steps, at most `depth` at a time, by run(steps, how many, from, to), whose iterates take
/// turns after each where `turns`.
template <class T, int D, class Run>
void in_passes(BoundGrid<T, D>& grid, SpareIterates<T, D>& spare, bool former, const Step* steps, Index count,
               Index depth, Run&& run, bool turns = true) {
  for (Index t = 0; t < count; t += depth) {
    const Index some = t + depth < count ? depth : count - t;
    former ? run(steps + t, some, spare.current(), spare.next())
           : run(steps + t, some, Iterates<T>{grid.u}, Iterates<T>{grid.v});
    if (turns) former ? spare.take_turns() : grid.swap();
  }
}

/// Starts a kernel that keeps its unknowns, for coefficients that do not vary:
/// start(std::integral_constant<Kind, K>, std::integral_constant<Beside, B>).
template <class T, int D, class Start>
void with_constant_kind(const BoundGrid<T, D>& grid, bool former, Start&& start) {
  const auto with = [&](auto k) {
    if (former) return start(k, std::integral_constant<Beside, Beside::g_and_former>());
    if constexpr (k() == Kind::equal)
      if (grid.w.has_one_g) return start(k, std::integral_constant<Beside, Beside::nothing>());
    start(k, std::integral_constant<Beside, Beside::g>());
  };
  if (grid.kind == Kind::equal) return with(std::integral_constant<Kind, Kind::equal>());
  if constexpr (D == 2)
    if (grid.kind == Kind::lines) return with(std::integral_constant<Kind, Kind::lines>());
  with(std::integral_constant<Kind, Kind::constant>());
}

template <class T, int D>
class ManySweeps {
 public:
  virtual ~ManySweeps() = default;
  /// Makes sweeps with these steps (host, device: the same ones). The newest iterate ends in grid.u. former:
  /// the one before it in grid.v, where a three-term step looks for it, as it was at the start; else what
  /// grid.v then holds is nobody's business.
  virtual void make(std::span<const Step> steps, const Step* on_device, bool former) = 0;
  /// Whether it makes steps of this kind; others are made by classic launches.
  virtual bool takes(StepKind kind) const = 0;
  /// Waits for the sweeps. Throws: BackendError where they gave up.
  virtual void require_success() const {}
  /// Of Executed.
  virtual std::string blocking() const { return {}; }
  /// Between memory and chip, per update.
  virtual double words() const = 0;
  /// Sweeps that are best made together.
  virtual Index at_once() const = 0;
};

/// What rungs make of a grid; nothing where they are not for it on this device.
template <class T, int D>
using Many = std::unique_ptr<ManySweeps<T, D>>;

/// A rung, and what makes its sweeps; as constructed the classic one.
template <class T, int D>
struct TakenRung {
  const char* name = "classic";
  bool is_classic = true;
  Many<T, D> many = nullptr;
};

}  // namespace jacobi::cuda
