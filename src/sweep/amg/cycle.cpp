#include "sweep/amg/cycle.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/amg.hpp"
#include "core/divides.hpp"
#include "jacobi/multigrid.hpp"

namespace jacobi::sweep::amg {

namespace {

constexpr Index most_factored = 1000;  ///< rows, where coarsening ended before it had come to its end
constexpr Index sweeps_instead =
    16;  ///< of a coarsest level that is too large to be factored, before and after

int threads_for(Index rows, int threads) {
  constexpr Index worth = 8192;
  return static_cast<int>(std::clamp<Index>(rows / worth, 1, threads));
}

std::vector<Step> steps_of(const Amg& options, Index sweeps, double rho) {
  std::vector<Step> steps;
  if (sweeps == 0) return steps;
  const bool plain = options.smoother == AmgSmoother::l1 || !(rho > 0);
  for (const double weight :
       plain ? std::vector<double>(static_cast<std::size_t>(sweeps), 1.0) : fourth_kind_weights(rho, sweeps))
    steps.push_back({weight, 1});
  return steps;
}

template <class T>
Csr<T> as_csr(const Rows<T>& a) {
  const auto entries = static_cast<std::size_t>(a.entries());
  const std::span<const Id> offsets(a.offsets, static_cast<std::size_t>(a.rows) + 1),
      columns(a.column, entries);
  return Csr<T>::template view<Id>(offsets, columns, std::span<const T>(a.value, entries));
}

template <class T>
std::vector<Id> places_of(const Chunks<T>& m) {
  std::vector<Id> place(m.row_at.size());
  for (std::size_t p = 0; p < m.row_at.size(); ++p) place[m.row_at[p]] = static_cast<Id>(p);
  return place;
}

/// a with its rows in the order `row_at`, and columns named by `place`; empty: as they are.
template <class T>
Sparse<T> reordered(const Rows<T>& a, const std::vector<Id>& row_at, const std::vector<Id>& place,
                    int threads) {
  Sparse<T> b{a.rows, a.columns, std::vector<Id>(static_cast<std::size_t>(a.rows) + 1), {}, {}};
  const auto row = [&](Index p) { return row_at.empty() ? p : static_cast<Index>(row_at[p]); };
  for (Index p = 0; p < a.rows; ++p) b.offsets[p + 1] = static_cast<Id>(a.length(row(p)));
  b.take_lengths();
  share_rows(threads, a.rows, [&](int, Index first, Index last) {
    for (Index p = first; p < last; ++p) {
      const Id from = a.offsets[row(p)];
      for (Id k = 0; k < static_cast<Id>(a.length(row(p))); ++k) {
        b.column[b.offsets[p] + k] = place.empty() ? a.column[from + k] : place[a.column[from + k]];
        b.value[b.offsets[p] + k] = a.value[from + k];
      }
    }
  });
  return b;
}

/// run(first, last) on the rows of pieces, a share for each member.
template <class W, class Run>
void for_pieces(const W& w, const Run& run) {
  run_team(w.threads, [&](const Member& me) {
    const auto [first, last] = me.part(w.pieces);
    run(first * piece_rows, std::min(w.rows, last * piece_rows));
  });
}

/// Sum over the row of a's entries times x.
template <class T>
T row_times(const Rows<T>& a, Index i, const T* x) {
  T sum = 0;
  for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) sum += a.value[k] * x[a.column[k]];
  return sum;
}

}  // namespace

template <class T>
SweptLevel<T>::SweptLevel(const AmgLevel<T>& level, const Amg& options, int threads) {
  w.threads = threads_for(level.a.rows, threads);
  w.rows = level.a.rows;
  w.chunks = lay_out(as_csr(level.a), {}, true, w.threads);
  bound.take(piece_rows, w.threads, true, true);
  w.block = w.pieces;
  constexpr Index chunks = piece_rows / chunk_rows<T>;
  w.work.assign(static_cast<std::size_t>(w.pieces) + 1, 0);
  for (Index s = 0; s < w.pieces; ++s)
    w.work[s + 1] = w.work[s] + w.chunks.start[(s + 1) * chunks] - w.chunks.start[s * chunks] +
                    2 * std::min(piece_rows, w.rows - s * piece_rows);
  take_scale(level, options);
}

/// Rows that nothing can be divided by stay as they are.
template <class T>
void SweptLevel<T>::take_scale(const AmgLevel<T>& level, const Amg& options) {
  const bool l1 = options.smoother == AmgSmoother::l1;
  share_rows(w.threads, w.rows, [&](int, Index first, Index last) {
    for (Index at = first; at < last; ++at) {
      const Index i = w.chunks.row(at);
      double divisor = static_cast<double>(level.diagonal[i]);
      if (l1) {
        double sum = 0;
        for (Id k = level.a.offsets[i]; k < level.a.offsets[i + 1]; ++k)
          sum += std::abs(static_cast<double>(level.a.value[k]));
        divisor = divisor < 0 ? -sum : sum;
      }
      bound.scale[at] = divides(static_cast<T>(divisor)) ? static_cast<T>(1 / divisor) : T(0);
    }
  });
  rho = level.rho;
  pre = steps_of(options, options.pre, level.rho);
  post = steps_of(options, options.post, level.rho);
}

template <class T>
void SweptLevel<T>::take_ways(const AmgLevel<T>& level, const Chunks<T>& coarse) {
  p = reordered(level.p.view(), w.chunks.row_at, places_of(coarse), w.threads);
  r = reordered(level.r.view(), coarse.row_at, places_of(w.chunks), w.threads);
}

template <class T>
void SweptLevel<T>::take_values(const AmgLevel<T>& level, const Amg& options) {
  sweep::take_values(as_csr(level.a), w.chunks, w.threads);
  take_scale(level, options);
}

template <class T>
double SweptLevel<T>::bytes() const {
  return w.chunks.bytes() + 5 * static_cast<double>(w.rows) * sizeof(T) + p.bytes() + r.bytes();
}

template <class T>
Cycle<T>::Cycle(const Csr<T>& a, const Amg& options, bool symmetric, int threads)
    : options_(options), symmetric_(symmetric), threads_(threads) {
  lay_out(Hierarchy<T>(a, options, symmetric, threads, false));
}

/// The finest level stays where it is, if it is there.
template <class T>
void Cycle<T>::lay_out(const Hierarchy<T>& hierarchy) {
  const std::vector<AmgLevel<T>>& levels = hierarchy.levels();
  extents_ = hierarchy.extents();
  levels_.resize(std::min<std::size_t>(levels_.size(), 1));
  if (!levels_.empty()) levels_[0]->take_values(levels[0], options_);
  while (levels_.size() < levels.size())
    levels_.push_back(std::make_unique<SweptLevel<T>>(levels[levels_.size()], options_, threads_));
  for (std::size_t l = 0; l + 1 < levels.size(); ++l)
    levels_[l]->take_ways(levels[l], levels_[l + 1]->w.chunks);
  const AmgLevel<T>& last = levels.back();
  factors_ = last.a.rows <= std::max(options_.coarsest, most_factored);
  if (factors_) factored_ = Factored(last.a, symmetric_);
  for (std::size_t l = 1; options_.cycle == AmgCycle::k && l + 1 < levels.size(); ++l)
    levels_[l]->work.resize(3 * static_cast<std::size_t>(levels_[l]->bound.length));
  levels_.back()->given.resize(static_cast<std::size_t>(factors_ ? last.a.rows : 0));
  double visits = 1;
  work_ = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double share = static_cast<double>(extents_.entries[l]) /
                         std::max<double>(1, static_cast<double>(extents_.entries[0]));
    const double passes = l + 1 < levels.size() ? static_cast<double>(options_.pre + options_.post + 1) + 1
                          : factors_            ? 0
                                                : 2 * static_cast<double>(sweeps_instead);
    work_ += visits * share * passes;
    if (options_.cycle != AmgCycle::v) visits *= 2;
  }
}

template <class T>
void Cycle<T>::take_values(const Csr<T>& a) {
  if (!kept_) {
    kept_ = std::make_unique<Hierarchy<T>>(a, options_, symmetric_, threads_);
    return lay_out(*kept_);
  }
  kept_->take_values(a);
  const std::vector<AmgLevel<T>>& levels = kept_->levels();
  for (std::size_t l = 0; l < levels.size(); ++l) levels_[l]->take_values(levels[l], options_);
  for (std::size_t l = 0; l + 1 < levels.size(); ++l)
    levels_[l]->take_ways(levels[l], levels_[l + 1]->w.chunks);
  if (factors_) factored_ = Factored(levels.back().a, symmetric_);
}

template <class T>
double Cycle<T>::bytes() const {
  double sum = factored_.bytes();
  for (const auto& level : levels_) sum += level->bytes();
  if (!kept_) return sum;
  for (const AmgLevel<T>& level : kept_->levels())
    sum += level.own.bytes() + level.tentative.bytes() + level.p.bytes() + level.r.bytes() +
           level.strong.graph.bytes();
  return sum;
}

template <class T>
std::string Cycle<T>::words() const {
  const std::size_t levels = extents_.rows.size();
  return fmt::format("{}({},{}) cycles on {} level{}, from {} unknowns to {}, operator complexity {:.2f}",
                     letter_of(options_.cycle), options_.pre, options_.post, levels, levels == 1 ? "" : "s",
                     extents_.rows.front(), extents_.rows.back(), extents_.operator_complexity());
}

template <class T>
void Cycle<T>::run(bool zero) {
  visit(0, zero);
}

template <class T>
void Cycle<T>::smooth(SweptLevel<T>& level, const std::vector<Step>& steps, bool zero) {
  auto& w = level.w;
  std::span<const Step> rest(steps);
  if (zero) {
    const T omega = rest.empty() ? T(0) : static_cast<T>(rest.front().omega);
    for_pieces(w, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) w.u[i] = omega * (w.b[i] * w.scale[i]);
    });
    if (!rest.empty()) rest = rest.subspan(1);
  }
  if (!rest.empty()) kernels_.advance(w, rest, Want::nothing);
}

template <class T>
void Cycle<T>::visit(std::size_t l, bool zero) {
  if (l + 1 == levels_.size()) return solve_coarsest(zero);
  smooth(*levels_[l], levels_[l]->pre, zero);
  correct(l);
  smooth(*levels_[l], levels_[l]->post, false);
}

/// u += P e, e from cycles on the next level for R (b - A u).
template <class T>
void Cycle<T>::correct(std::size_t l) {
  SweptLevel<T>&fine = *levels_[l], &coarse = *levels_[l + 1];
  run_team(fine.w.threads, [&](const Member& me) {
    me.share(fine.w.pieces, [&](Index s) {
      const Run rows = fine.w.piece(s, piece_rows);
      kernels_.product(fine.w, rows, fine.w.b + rows.first, fine.w.u, fine.w.r, false);
    });
  });
  const Rows<T> p = fine.p.view(), r = fine.r.view();
  T* const b = coarse.bound.b.get();
  for_pieces(coarse.w, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) b[i] = row_times(r, i, fine.w.r);
  });
  if (options_.cycle == AmgCycle::v || l + 2 == levels_.size())
    visit(l + 1, true);
  else if (options_.cycle == AmgCycle::w || !symmetric_)
    visit(l + 1, true), visit(l + 1, false);
  else
    two_steps(l + 1);
  const T* const e = coarse.w.u;
  for_pieces(fine.w, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) fine.w.u[i] += row_times(p, i, e);
  });
}

/// Two steps of conjugate gradients on a level, preconditioned by cycles from there on; one where that takes
/// three quarters of the residual. Source: Notay and Vassilevski, Numer. Linear Algebra Appl. 15 (2008) 473.
template <class T>
void Cycle<T>::two_steps(std::size_t l) {
  SweptLevel<T>& level = *levels_[l];
  auto& w = level.w;
  T* const b = level.bound.b.get();
  const auto length = static_cast<std::size_t>(level.bound.length);
  T *const c = level.work.data(), *const v = c + length, *const d = v + length;
  const auto dot = [&](const T* one, const T* other) { return inner(level, one, other); };
  visit(l, true);
  std::copy_n(w.u, w.rows, c);
  multiply(level, c, v);
  const double cv = dot(c, v), before = dot(b, b), along = cv != 0 ? dot(c, b) / cv : 0;
  for_pieces(w, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) b[i] -= static_cast<T>(along) * v[i];
  });
  double of_c = along, of_d = 0;
  if (dot(b, b) > 0.0625 * before) {
    visit(l, true);
    std::copy_n(w.u, w.rows, d);
    multiply(level, d, w.r);
    const double dv = dot(d, v), left = cv != 0 ? dot(d, w.r) - dv * dv / cv : 0;
    of_d = left != 0 ? dot(d, b) / left : 0;
    of_c -= cv != 0 ? of_d * dv / cv : 0;
  }
  for_pieces(w, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i)
      w.u[i] = static_cast<T>(of_c) * c[i] + (of_d != 0 ? static_cast<T>(of_d) * d[i] : T(0));
  });
}

/// In the same order for any number of threads.
template <class T>
double Cycle<T>::inner(SweptLevel<T>& level, const T* a, const T* b) {
  auto& w = level.w;
  run_team(w.threads, [&](const Member& me) {
    me.share(w.pieces, [&](Index s) {
      const Run rows = w.piece(s, piece_rows);
      double sum = 0;
      for (Index i = rows.first; i < rows.first + rows.count; ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
      w.partials[s].squares = sum;
    });
  });
  double sum = 0;
  for (Index s = 0; s < w.pieces; ++s) sum += w.partials[s].squares;
  return sum;
}

/// y = A x.
template <class T>
void Cycle<T>::multiply(SweptLevel<T>& level, const T* x, T* y) {
  run_team(level.w.threads, [&](const Member& me) {
    me.share(level.w.pieces, [&](Index s) {
      kernels_.product(level.w, level.w.piece(s, piece_rows), zeros_.get(), x, y, true);
    });
  });
}

template <class T>
void Cycle<T>::solve_coarsest(bool zero) {
  SweptLevel<T>& level = *levels_.back();
  auto& w = level.w;
  if (!factors_) {
    const std::vector<Step> steps = steps_of(options_, sweeps_instead, level.rho);
    return smooth(level, steps, zero);
  }
  const T* from = w.b;
  if (!zero) {
    for (Index s = 0; s < w.pieces; ++s)
      kernels_.product(w, w.piece(s, piece_rows), w.b + s * piece_rows, w.u, w.r, false);
    from = w.r;
  }
  for (Index p = 0; p < w.rows; ++p) level.given[w.chunks.row(p)] = static_cast<double>(from[p]);
  factored_.solve(level.given.data(), level.given.data());
  for (Index p = 0; p < w.rows; ++p) {
    const T found = static_cast<T>(level.given[w.chunks.row(p)]);
    w.u[p] = zero ? found : w.u[p] + found;
  }
}

template struct SweptLevel<double>;
template struct SweptLevel<float>;
template class Cycle<double>;
template class Cycle<float>;

}  // namespace jacobi::sweep::amg
