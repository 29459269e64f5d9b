#include "sweep/amg/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/cancel.hpp"
#include "core/divides.hpp"
#include "jacobi/error.hpp"
#include "sweep/amg/spectrum.hpp"

namespace jacobi::sweep::amg {

namespace {

constexpr std::size_t most_levels = 25;
constexpr double slow = 0.7;     ///< of the rows left: coarsening along all couplings is tried
constexpr double stalled = 0.9;  ///< coarsening ends
constexpr double crowded = 3;    ///< entries of A P over those of A: P is not smoothed

/// Throws: InputError naming a row whose diagonal no sweep divides by, or whose sign is not that of the rest.
template <class T>
void require_diagonal(const Rows<T>& a, std::span<const T> d) {
  Index signed_row = -1;
  for (Index i = 0; i < a.rows; ++i) {
    if (!divides(d[i])) {
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
        if (a.value[k] != T(0))
          throw EntryError([=](Index first) {
            return fmt::format(
                "algebraic multigrid sweeps every level, and the diagonal entry of row {} is 0: take "
                "bicgstab or anderson",
                i + first);
          });
      continue;
    }
    if (signed_row < 0) signed_row = i;
    if ((d[i] > 0) != (d[signed_row] > 0))
      throw EntryError([=](Index first) {
        return fmt::format(
            "algebraic multigrid is for definite matrices, and the diagonal entries of rows {} and {} differ "
            "in sign: take bicgstab or anderson",
            signed_row + first, i + first);
      });
  }
}

NearNull near_null_of(Index rows, const Amg& options) {
  if (options.block > rows)
    throw UsageError(fmt::format("blocks of {} unknowns in a matrix of {} rows", options.block, rows));
  NearNull n;
  n.rows = rows;
  if (!options.near_null || options.near_null->empty()) {
    n.count = options.block;
    n.value.assign(static_cast<std::size_t>(rows * n.count), 0);
    for (Index i = 0; i < rows; ++i) n.at(i, i % options.block) = 1;
    return n;
  }
  n.count = static_cast<Index>(options.near_null->size());
  for (const std::vector<double>& vector : *options.near_null) {
    if (static_cast<Index>(vector.size()) != rows)
      throw UsageError(
          fmt::format("a near-null vector of {} values for a matrix of {} rows", vector.size(), rows));
    const auto odd = std::ranges::find_if_not(vector, [](double v) { return std::isfinite(v); });
    if (odd != vector.end())
      throw InputError(
          fmt::format("entry {} of a near-null vector is {}: it must be finite", odd - vector.begin(), *odd));
    if (std::ranges::all_of(vector, [](double v) { return v == 0; }))
      throw InputError("a near-null vector is all zeros: leave it out");
    n.value.insert(n.value.end(), vector.begin(), vector.end());
  }
  return n;
}

/// Whether there are couplings to keep where they fit, and so few that they fit.
bool worth_keeping(const std::vector<Kept>& kept) {
  constexpr double most = 0.5;  // of those kept always
  const auto faint = static_cast<double>(std::ranges::count(kept, Kept::where_it_fits));
  return faint > 0 && faint <= most * static_cast<double>(std::ranges::count(kept, Kept::always));
}

}  // namespace

template <class T>
Hierarchy<T>::Hierarchy(const Csr<T>& a, const Amg& options, bool symmetric, int threads, bool takes_values)
    : options_(options), symmetric_(symmetric), takes_values_(takes_values), threads_(threads) {
  AmgLevel<T>& finest = levels_.emplace_back();
  finest.a = rows_of(a, room_);
  finest.block = options.block;
  near_null_ = near_null_of(a.rows(), options);
  measure(finest);
  require_diagonal<T>(finest.a, finest.diagonal);
  double theta = options.strength;
  while (levels_.size() < most_levels && levels_.back().a.rows > options.coarsest) {
    throw_if_cancelled();
    AmgLevel<T> coarse;
    const bool is_coarser = coarsen(levels_.back(), coarse, theta);
    if (AmgLevel<T>& fine = levels_.back(); !takes_values_) {
      fine.strong = {};
      fine.aggregates = {};
      fine.tentative = {};
      fine.ap_offsets = {};
    }
    if (!is_coarser) break;
    levels_.push_back(std::move(coarse));
    AmgLevel<T>& last = levels_.back();
    last.a = last.own.view();
    measure(last);
    theta *= 0.5;  // entries of coarser matrices are the more alike
  }
  near_null_ = {};
}

template <class T>
Extents Hierarchy<T>::extents() const {
  Extents e;
  for (const AmgLevel<T>& level : levels_) {
    e.rows.push_back(level.a.rows);
    e.entries.push_back(level.a.entries());
  }
  return e;
}

template <class T>
void Hierarchy<T>::measure(AmgLevel<T>& level) {
  level.diagonal = diagonal_of(level.a, threads_);
  level.rho = largest_eigenvalue<T>(level.a, level.diagonal, symmetric_, threads_);
}

/// False where no coarser level is worth its entries.
template <class T>
bool Hierarchy<T>::coarsen(AmgLevel<T>& fine, AmgLevel<T>& coarse, double theta) {
  const auto seek = [&](double above) {
    fine.strong = strong_couplings(fine.a, fine.block, above, threads_);
    fine.aggregates = aggregate(fine.strong, threads_);
  };
  const auto left = [&] {
    return static_cast<double>(fine.aggregates.count * near_null_.count) / static_cast<double>(fine.a.rows);
  };
  seek(theta);
  if (left() > slow && theta > 0) seek(0);
  if (left() > stalled || fine.aggregates.count == 0) return false;
  NearNull next;
  fine.tentative = tentative<T>(fine.aggregates, fine.block, near_null_, next);
  coarse.block = near_null_.count;
  const auto smooths = [&](Kept least) { return symmetric_ && fits(fine, coarse, least); };
  const bool widely = worth_keeping(fine.strong.kept) && smooths(Kept::where_it_fits);
  if (!widely && !smooths(Kept::always) && !fits(fine, coarse, {})) return false;
  near_null_ = std::move(next);
  return true;
}

template <class T>
Filter<T> Hierarchy<T>::filter_of(const AmgLevel<T>& fine) const {
  return amg::filter_of<T>(fine.a, fine.diagonal, fine.strong, fine.block, fine.rho, *fine.smoothed,
                           threads_);
}

/// Makes the coarser matrix, unless all levels together have too many entries then. least: of the entries
/// that P is smoothed along; none: P is T.
template <class T>
bool Hierarchy<T>::fits(AmgLevel<T>& fine, AmgLevel<T>& coarse, std::optional<Kept> least) {
  fine.smoothed = least;
  const bool smoothed = least.has_value();
  if (smoothed) {
    const Filter<T> filter = filter_of(fine);
    fine.p = smoothed_pattern(filter, fine.aggregates, fine.tentative, threads_);
    smooth(filter, fine.tentative, fine.p, threads_);
  } else {
    fine.p = fine.tentative;
  }
  throw_if_cancelled();
  fine.r = transposed(fine.p.view());
  const Sparse<T> ap = product(fine.a, fine.p.view(), {}, threads_);
  fine.ap_offsets = ap.offsets;
  const double given = static_cast<double>(levels_.front().a.entries());
  if (smoothed && static_cast<double>(ap.view().entries()) > crowded * static_cast<double>(fine.a.entries()))
    return false;
  throw_if_cancelled();
  coarse.own = product_pattern(fine.r.view(), ap.view(), threads_);
  const double more = static_cast<double>(coarse.own.view().entries());
  if (extents().operator_complexity() * given + more > options_.complexity * given &&
      (smoothed || more > 0.9 * static_cast<double>(fine.a.entries())))
    return false;
  multiply(fine.r.view(), ap.view(), coarse.own, threads_);
  return true;
}

template <class T>
void Hierarchy<T>::take_values(const Csr<T>& a) {
  levels_.front().a = rows_of(a, room_);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    throw_if_cancelled();
    AmgLevel<T>& level = levels_[l];
    measure(level);
    if (l == 0) require_diagonal<T>(level.a, level.diagonal);
    if (l + 1 == levels_.size()) break;
    multiply_values(level, levels_[l + 1]);
  }
}

template <class T>
void Hierarchy<T>::multiply_values(AmgLevel<T>& fine, AmgLevel<T>& coarse) {
  if (fine.smoothed) {
    const Filter<T> filter = filter_of(fine);
    smooth(filter, fine.tentative, fine.p, threads_);
    transpose_values(fine.p.view(), fine.r);
  }
  const Sparse<T> ap = product(fine.a, fine.p.view(), fine.ap_offsets, threads_);
  multiply(fine.r.view(), ap.view(), coarse.own, threads_);
}

template class Hierarchy<double>;
template class Hierarchy<float>;

}  // namespace jacobi::sweep::amg
