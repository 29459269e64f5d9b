/// One pass over one grid: everything that a cycle does there before it goes to another grid, slab after
/// slab.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_MULTIGRID_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MULTIGRID_PASS_INL
#undef JACOBI_MULTIGRID_PASS_INL
#else
#define JACOBI_MULTIGRID_PASS_INL
#endif

#include <algorithm>
#include <cstring>

#include "sweep/multigrid/line-inl.hpp"
#include "sweep/multigrid/schedule.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// A thread's part of a pass. Stage 0 is what the sweeps start from, stage t the iterate after t of them; a
/// stage follows the one before at a distance of one slab, so all of them are in cache together, and x is
/// read and written once. A thread owns slabs [first, last) of x and makes what its stages need beside them
/// for itself, from copies of the slabs before the pass.
template <class T, int D, bool Variable>
class GridPass {
 public:
  using OneGrid = GridLevel<T, D>;
  GridPass(const OneGrid& fine, const OneGrid* coarse, const PassMemory<T>& memory, const T* zeros,
           const PassTask& task, Partial* updates, Partial* residuals)
      : l_(fine),
        coarse_(coarse),
        m_(memory),
        zeros_(zeros),
        task_(task),
        updates_(updates),
        residuals_(residuals),
        sweeps_(static_cast<int>(task.steps.size())),
        wraps_(D > 1 && fine.wraps(D - 1)),
        reads_x_(task.start == Start::keep || task.start == Start::correct),
        in_place_(task.start == Start::keep && sweeps_ != 1) {}

  /// This thread's slabs: part `number` of `team`.
  void take(Index number, Index team) {
    first_ = l_.first + (l_.last - l_.first) * number / team;
    last_ = l_.first + (l_.last - l_.first) * (number + 1) / team;
    find_residuals();
    Index low = first_, high = last_;
    if (needs_residuals()) widen(low, high, residual_first_, residual_last_);
    for (int t = sweeps_; t >= 0; --t) {
      from_[t] = low;
      to_[t] = high;
      widen(low, high, low, high);
    }
  }

  bool needs_halo() const { return reads_x_ && (from_[0] < first_ || to_[0] > last_); }
  void save_halo() const {
    for (Index y = from_[0]; y < first_; ++y) copy_slab(x_slab(y), m_.low + (first_ - 1 - y) * l_.slab);
    for (Index y = last_; y < to_[0]; ++y) copy_slab(x_slab(y), m_.high + (y - last_) * l_.slab);
  }

  void run() {
    const Index lag = sweeps_ + 1;
    Index end = residual_last_ + lag;
    for (int t = 0; t <= sweeps_; ++t) end = std::max(end, to_[t] + t);
    for (Index front = from_[0]; front < end; ++front) {
      for (int t = 0; t <= sweeps_; ++t)
        if (front - t >= from_[t] && front - t < to_[t]) make(t, front - t);
      if (front - lag >= residual_first_ && front - lag < residual_last_) make_residual(front - lag);
    }
  }

 private:
  bool needs_residuals() const { return residual_first_ < residual_last_; }

  /// Coarse slabs of this thread, those whose centre it owns, and the residuals that they take.
  void find_residuals() {
    residual_first_ = residual_last_ = first_;
    if (task_.measures_residual()) residual_last_ = last_;
    if (!task_.restricts) return;
    const CoarseAxis<T>& axis = l_.axis[D - 1];
    coarse_first_ = next_coarse(first_);
    coarse_last_ = next_coarse(last_);
    if (D == 1) {
      coarse_last_ = 1;
      residual_last_ = last_;
      return;
    }
    Index low = last_, high = first_;
    for (const Index I : {coarse_first_, coarse_last_ - 1})
      if (coarse_first_ < coarse_last_)
        for (int t = 0; t < taps(axis); ++t)
          if (tap_weight(axis, I, t) != T(0)) {
            low = std::min(low, tap(axis, I, t));
            high = std::max(high, tap(axis, I, t) + 1);
          }
    residual_first_ = low < high ? low : first_;
    residual_last_ = low < high ? high : first_;
    next_ = coarse_first_;
  }

  static int taps(const CoarseAxis<T>& axis) { return axis.coarsened ? 4 : 1; }
  static Index tap(const CoarseAxis<T>& axis, Index I, int t) {
    return axis.coarsened ? 2 * I + axis.shift - 2 + t : I;
  }
  static T tap_weight(const CoarseAxis<T>& axis, Index I, int t) {
    return axis.coarsened ? axis.weights[t][I] : T(1);
  }
  Index next_coarse(Index y) const { return D == 1 ? y : l_.axis[D - 1].next(y, l_.slabs); }

  /// Slabs that the neighbours of [first, last) add, as far as there are any.
  void widen(Index& low, Index& high, Index first, Index last) const {
    low = std::min(low, first - 1);
    high = std::max(high, last + 1);
    if (wraps_) return;
    low = std::max<Index>(low, 0);
    high = std::min(high, l_.slabs);
  }

  Index wrapped(Index y) const { return wraps_ ? (y % l_.slabs + l_.slabs) % l_.slabs : y; }
  bool owned(Index y) const { return y >= first_ && y < last_; }
  T* x_slab(Index y) const { return l_.x + l_.offset_of(y); }
  T* ring(T* start, Index y, Index slots) const {
    return start + l_.leading + ((y + 256 * slots) % slots) * l_.slab;
  }
  void copy_slab(const T* from, T* to) const {
    std::memcpy(to, from - l_.leading, static_cast<std::size_t>(l_.slab) * sizeof(T));
  }

  /// Where x stands as it was before the pass.
  const T* before(Index y) const {
    if (owned(y)) return x_slab(y);
    return l_.leading + (y < first_ ? m_.low + (first_ - 1 - y) * l_.slab : m_.high + (y - last_) * l_.slab);
  }
  /// Where stage t of slab y is made.
  T* place(int t, Index y) const {
    if (t == sweeps_ && owned(y)) return x_slab(y);
    return ring(m_.stages + t * stage_slots<D> * l_.slab, y, stage_slots<D>);
  }
  /// Where it is read: slabs beyond a side are 0 or mirrored.
  const T* at(int t, Index y) const {
    if (D == 1) y = 0;  // a line has nothing beside it
    if (!wraps_ && (y < 0 || y >= l_.slabs)) {
      const Index source = l_.source(D - 1, y < 0 ? 0 : 1);
      if (source < 0) return zeros_ + l_.leading;
      y = source;
    }
    return t == 0 && in_place_ ? before(y) : place(t, y);
  }

  LineView<T, D> view(int t, Index y) const {
    const Index offset = l_.offset_of(y);
    LineView<T, D> v{at(t, y), at(t, y - 1), at(t, y + 1), l_.pitch, l_.g + offset, l_.c, {}};
    for (int k = 0; k < 2 * D && Variable; ++k) v.arms[k] = l_.arms[k] + offset;
    return v;
  }
  void next_line(LineView<T, D>& v) const {
    for (const T** pointer : {&v.mid, &v.low, &v.high, &v.g}) *pointer += l_.pitch;
    for (int k = 0; k < 2 * D && Variable; ++k) v.arms[k] += l_.pitch;
  }

  void make(int t, Index y) {
    if (t == 0) return start(y);
    const T omega = static_cast<T>(task_.steps[t - 1].omega);
    const bool measured = t == sweeps_ && task_.ends && owned(y);
    T* out = place(t, y);
    if (t == 1 && task_.start == Start::zero) {
      const T* g = l_.g + l_.offset_of(y);
      for (Index j = 0; j < l_.lines; ++j) {
        scale_line<T>(g + j * l_.pitch, nullptr, omega, out + j * l_.pitch, l_.n[0]);
        l_.renew_ends(out + j * l_.pitch);
      }
    } else {
      LineView<T, D> v = view(t - 1, y);
      for (Index j = 0; j < l_.lines; ++j, next_line(v)) {
        if (measured)
          updates_[(y - l_.first) * l_.lines + j] =
              sweep_line<Variable, true>(v, out + j * l_.pitch, l_.n[0], omega);
        else
          sweep_line<Variable, false>(v, out + j * l_.pitch, l_.n[0], omega);
        l_.renew_ends(out + j * l_.pitch);
      }
    }
    l_.renew_lines(out);
  }

  void start(Index y) {
    if (task_.start == Start::zero || in_place_) return;
    T* out = place(0, y);
    const T* x = reads_x_ ? before(y) : nullptr;
    for (Index j = 0; j < l_.lines; ++j) {
      const Index at = j * l_.pitch;
      if (task_.start == Start::keep)
        std::memcpy(out + at - 1, x + at - 1, static_cast<std::size_t>(l_.n[0] + 2) * sizeof(T));
      else
        correct(y, j, x ? x + at : nullptr, out + at);
      l_.renew_ends(out + at);
    }
    l_.renew_lines(out);
  }

  /// out may be x.
  void correct(Index y, Index j, const T* x, T* out) {
    if (!Variable || !l_.has_holes) return interpolate(wrapped(y), j, x, out);
    interpolate(wrapped(y), j, nullptr, m_.correction);
    correct_outside_holes(l_.inverses + l_.offset_of(y) + j * l_.pitch, m_.correction, x, out, l_.n[0]);
  }

  /// Line j of slab y of the coarse grid's correction, on this grid.
  void interpolate(Index y, Index j, const T* x, T* out) {
    WeightedLines<T> lines;
    const OneGrid& c = *coarse_;
    const auto add = [&](Index slab, Index line, T weight) {
      lines.add(c.x + c.offset_of(slab) + line * c.pitch, weight);
    };
    if constexpr (D == 1) add(0, 0, T(1));
    if constexpr (D == 2) between(1, y, [&](Index slab, T weight) { add(slab, 0, weight); });
    if constexpr (D == 3)
      between(2, y, [&](Index slab, T outer) {
        between(1, j, [&](Index line, T inner) { add(slab, line, outer * inner); });
      });
    const T* from = lines.line[0];
    if (task_.nested || lines.count != 1 || lines.weight[0] != T(1)) {
      add_lines(lines, m_.line, c.n[0]);
      from = m_.line;
    }
    if (task_.nested && c.wraps(0)) m_.line[c.n[0] + 1] = m_.line[1 % c.n[0]];
    if (l_.axis[0].coarsened && task_.nested)
      interpolate_line_smoothly(l_.axis[0], from, x, out, l_.n[0]);
    else if (l_.axis[0].coarsened)
      interpolate_line(l_.axis[0], from, x, out, l_.n[0]);
    else if (x)
      add_line(x, from, out, l_.n[0]);
    else
      scale_line<T>(from, nullptr, T(1), out, l_.n[0]);
  }

  /// visit(coarse index, weight) for those that fine index i of direction d lies between.
  template <class Visit>
  void between(int d, Index i, Visit&& visit) const {
    const CoarseAxis<T>& axis = l_.axis[d];
    if (!axis.coarsened) return visit(i, T(1));
    const Index p = i + axis.shift, below = p / 2 - axis.shift;
    if (task_.nested) {
      for (Index t = 0; t < 4; ++t) {
        const T weight = axis.cubic[p % 2][t][p / 2];
        if (weight == T(0)) continue;
        const Index I = below - 1 + t;
        if (l_.wraps(d)) visit((I + axis.n) % axis.n, weight);
        if (!l_.wraps(d) && I >= 0 && I < axis.n) visit(I, weight);
      }
      return;
    }
    const T upper = axis.upper[p % 2][p / 2];
    if (below >= 0) visit(below, 1 - upper);
    const Index above = below + 1 == axis.n && l_.wraps(d) ? 0 : below + 1;
    if (upper != T(0) && above < axis.n) visit(above, upper);
  }

  void make_residual(Index y) {
    const bool measured = task_.measures_residual() && owned(y);
    const bool natural = Variable && task_.want != Want::correction;
    T* out = ring(m_.residuals, y, residual_slots<D>);
    LineView<T, D> v = view(sweeps_, y);
    const T* diagonal = natural ? l_.diagonals + l_.offset_of(y) : nullptr;
    for (Index j = 0; j < l_.lines; ++j, next_line(v)) {
      const T* by = diagonal ? diagonal + j * l_.pitch : nullptr;
      T* line = out + j * l_.pitch;
      if (task_.start == Start::zero && sweeps_ == 0)
        scale_line(v.g, by, T(1), line, l_.n[0]);
      else if (measured)
        residuals_[(y - l_.first) * l_.lines + j] = residual_line<Variable, true>(v, by, line, l_.n[0]);
      else
        residual_line<Variable, false>(v, by, line, l_.n[0]);
      if (task_.restricts) wrap_ends(line);
    }
    if (task_.restricts) restrict_up_to(y);
  }
  void wrap_ends(T* line) const {
    const bool wraps = l_.wraps(0);
    line[-1] = wraps ? line[l_.n[0] - 1] : T(0);
    line[l_.n[0]] = wraps ? line[0] : T(0);
  }

  /// The coarse slabs that need no residual beyond slab y.
  void restrict_up_to(Index y) {
    if constexpr (D == 1) return restrict_slab(0);
    const CoarseAxis<T>& axis = l_.axis[D - 1];
    for (; next_ < coarse_last_; ++next_) {
      for (int t = 0; t < taps(axis); ++t)
        if (tap_weight(axis, next_, t) != T(0) && tap(axis, next_, t) > y) return;
      restrict_slab(next_);
    }
  }

  void restrict_slab(Index slab) {
    const OneGrid& c = *coarse_;
    for (Index j = 0; j < c.lines; ++j) {
      WeightedLines<T> lines;
      const auto add = [&](Index from, Index line, T weight) {
        lines.add(ring(m_.residuals, from, residual_slots<D>) + line * l_.pitch, weight);
      };
      const T scale = Variable ? T(1) : l_.scale;
      if constexpr (D == 1) add(0, 0, scale);
      if constexpr (D == 2) around(1, slab, [&](Index y, T weight) { add(y, 0, scale * weight); });
      if constexpr (D == 3)
        around(2, slab, [&](Index z, T outer) {
          around(1, j, [&](Index y, T inner) { add(z, (y + l_.n[1]) % l_.n[1], scale * (outer * inner)); });
        });
      const Index at = c.offset_of(slab) + j * c.pitch;
      const T* by = Variable ? c.inverses + at : nullptr;
      add_lines(lines, m_.line, l_.n[0]);
      if (l_.axis[0].coarsened)
        restrict_line(l_.axis[0], m_.line, by, c.g + at);
      else
        scale_line(m_.line, by, T(1), c.g + at, c.n[0]);
    }
  }

  /// visit(fine index, weight) for those that coarse index I of direction d takes part of.
  template <class Visit>
  void around(int d, Index I, Visit&& visit) const {
    const CoarseAxis<T>& axis = l_.axis[d];
    for (int t = 0; t < taps(axis); ++t)
      if (tap_weight(axis, I, t) != T(0)) visit(tap(axis, I, t), tap_weight(axis, I, t));
  }

  static constexpr int most_stages = 66;
  const OneGrid& l_;
  const OneGrid* coarse_;
  const PassMemory<T>& m_;
  const T* zeros_;
  const PassTask task_;
  Partial *updates_, *residuals_;  ///< one per line
  const int sweeps_;
  const bool wraps_, reads_x_, in_place_;
  Index first_ = 0, last_ = 0;
  Index coarse_first_ = 0, coarse_last_ = 0, next_ = 0;
  Index residual_first_ = 0, residual_last_ = 0;
  std::array<Index, most_stages> from_{}, to_{};
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
