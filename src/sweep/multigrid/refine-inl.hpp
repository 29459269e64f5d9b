/// The pass over the finest grid in double between two cycles in float.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_MULTIGRID_REFINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MULTIGRID_REFINE_INL
#undef JACOBI_MULTIGRID_REFINE_INL
#else
#define JACOBI_MULTIGRID_REFINE_INL
#endif

#include "sweep/multigrid/line-inl.hpp"
#include "sweep/team.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

using Doubles = hn::ScalableTag<double>;
using Narrow = hn::Rebind<float, Doubles>;

/// x += by e.
HWY_NOINLINE inline void correct_line(const float* e, double by, double* x, Index n) {
  const auto factor = hn::Set(Doubles(), by);
  write_line(x, n, [&](Index i, auto) HWY_ATTR {
    const auto correction = hn::PromoteTo(Doubles(), hn::LoadU(Narrow(), e + i));
    return Vector<double>::fma(factor, correction, Vector<double>::load(x + i));
  });
}

/// out = by r, and the norm of r, or of r times `diagonal` where that is given.
HWY_NOINLINE inline Partial narrow_line(const double* r, const double* diagonal, double by, float* out,
                                        Index n) {
  using A = Vector<double>;
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  const auto factor = hn::Set(Doubles(), by);
  LaneSums<double> sums;
  for (Index i = 0; i < n; i += lanes) {  // r is 0 from n on
    const auto value = A::load(r + i);
    sums.add(diagonal ? A::mul(value, A::load(diagonal + i)) : value);
    hn::StoreU(hn::DemoteTo(Narrow(), hn::Mul(factor, value)), Narrow(), out + i);
  }
  return sums.total();
}

/// One thread's part: x += e / size on all slabs, and behind it the residual. A thread's outer slabs, which
/// its neighbours read, come first.
template <int D, bool Variable>
class Refinement {
 public:
  Refinement(MultigridWorkspace<double, D>& w, const RefineTask<D>& task, const Member& me)
      : w_(w),
        l_(w.levels.front()),
        task_(task),
        me_(me),
        first_(l_.slabs * me.number / me.team),
        last_(l_.slabs * (me.number + 1) / me.team) {}

  void run() const {
    if (task_.adds) {
      correct(first_);
      if (last_ - 1 > first_) correct(last_ - 1);
    }
    me_.wait();
    for (Index y = first_; y < last_; ++y) {
      if (task_.adds && y + 1 < last_ - 1) correct(y + 1);
      residual(y);
    }
  }

 private:
  double* x(Index y) const { return l_.x + y * l_.slab; }
  /// x of a slab beside one: beyond a side it is 0 or mirrored.
  const double* beside(Index y) const {
    if (D == 1) return x(0);  // a line has nothing beside it
    if (y >= 0 && y < l_.slabs) return x(y);
    const Index source = l_.source(D - 1, y < 0 ? 0 : 1);
    return source < 0 ? w_.zeros + l_.leading : x(source);
  }

  void correct(Index y) const {
    const GridLevel<float, D>& e = *task_.correction;
    for (Index j = 0; j < l_.lines; ++j) {
      double* const line = x(y) + j * l_.pitch;
      correct_line(e.x + y * e.slab + j * e.pitch, 1 / task_.size, line, l_.n[0]);
      l_.renew_ends(line);
    }
    l_.renew_lines(x(y));
  }

  void residual(Index y) const {
    const GridLevel<float, D>& e = *task_.correction;
    double* const r = w_.memories[0][static_cast<std::size_t>(me_.number)].line;
    LineView<double, D> v{x(y), beside(y - 1), beside(y + 1), l_.pitch, l_.g + y * l_.slab, l_.c, {}};
    for (int k = 0; k < 2 * D && Variable; ++k) v.arms[k] = l_.arms[k] + y * l_.slab;
    for (Index j = 0; j < l_.lines; ++j) {
      const Index at = y * l_.slab + j * l_.pitch, line = y * l_.lines + j;
      float* const out = e.g + y * e.slab + j * e.pitch;
      w_.residuals[line] = residual_line<Variable, true>(v, static_cast<const double*>(nullptr), r, l_.n[0]);
      const Partial natural =
          narrow_line(r, Variable ? l_.diagonals + at : nullptr, task_.size, out, l_.n[0]);
      if (Variable) w_.updates[line] = natural;
      for (const double** pointer : {&v.mid, &v.low, &v.high, &v.g}) *pointer += l_.pitch;
      for (int k = 0; k < 2 * D && Variable; ++k) v.arms[k] += l_.pitch;
    }
  }

  MultigridWorkspace<double, D>& w_;
  const GridLevel<double, D>& l_;
  const RefineTask<D>& task_;
  const Member& me_;
  const Index first_, last_;
};

template <int D>
void refine(MultigridWorkspace<double, D>& w, const RefineTask<D>& task) {
  run_team(w.threads, [&](const Member& me) {
    w.variable ? Refinement<D, true>(w, task, me).run() : Refinement<D, false>(w, task, me).run();
  });
}

template <class T, int D>
constexpr auto refinement_of() -> void (*)(MultigridWorkspace<T, D>&, const RefineTask<D>&) {
  if constexpr (std::is_same_v<T, double>)
    return refine<D>;
  else
    return nullptr;
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
