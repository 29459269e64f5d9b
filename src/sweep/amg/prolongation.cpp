#include "sweep/amg/prolongation.hpp"

#include <cmath>

#include "core/divides.hpp"
#include "sweep/amg/spectrum.hpp"

namespace jacobi::sweep::amg {

namespace {

constexpr Index widest =
    24;  // aggregates that a smoothed row may touch: a hub's would fill the coarse matrix

/// Unknowns of each aggregate, those of aggregate g at offsets[g] ... offsets[g + 1] - 1.
struct Members {
  std::vector<Id> offsets, unknown;
  Members(const Aggregates& found, Index block, Index rows) {
    offsets.resize(static_cast<std::size_t>(found.count) + 1);
    for (Index i = 0; i < rows; ++i)
      if (const Id g = found.of[i / block]; g >= 0) ++offsets[g + 1];
    for (Index g = 0; g < found.count; ++g) offsets[g + 1] += offsets[g];
    unknown.resize(static_cast<std::size_t>(offsets.back()));
    std::vector<Id> next(offsets.begin(), offsets.end() - 1);
    for (Index i = 0; i < rows; ++i)
      if (const Id g = found.of[i / block]; g >= 0) unknown[next[g]++] = static_cast<Id>(i);
  }
};

/// Makes the columns of q, `rows` values each, orthonormal; r holds column c of what they were in terms of
/// them at c count. Twice, so that rounding does not matter.
void orthonormalise(std::vector<double>& q, Index rows, Index count, std::vector<double>& r) {
  constexpr double lost = 1e-10;  // of a column's length: it depends on those before
  r.assign(static_cast<std::size_t>(count * count), 0);
  for (Index c = 0; c < count; ++c) {
    double* const column = q.data() + c * rows;
    const auto dot = [&](const double* with) {
      double sum = 0;
      for (Index i = 0; i < rows; ++i) sum += column[i] * with[i];
      return sum;
    };
    const double length = std::sqrt(dot(column));
    for (int twice = 0; twice < 2; ++twice)
      for (Index b = 0; b < c; ++b) {
        const double* const other = q.data() + b * rows;
        const double along = dot(other);
        r[static_cast<std::size_t>(c * count + b)] += along;
        for (Index i = 0; i < rows; ++i) column[i] -= along * other[i];
      }
    const double left = std::sqrt(dot(column));
    const bool is_new = left > lost * length;
    if (is_new) r[static_cast<std::size_t>(c * count + c)] = left;
    for (Index i = 0; i < rows; ++i) column[i] = is_new ? column[i] / left : 0;
  }
}

}  // namespace

template <class T>
Sparse<T> tentative(const Aggregates& found, Index block, const NearNull& fine, NearNull& coarse) {
  const Index rows = fine.rows, count = fine.count;
  const Members members(found, block, rows);
  Sparse<T> t{rows, found.count * count, std::vector<Id>(static_cast<std::size_t>(rows) + 1), {}, {}};
  for (Index i = 0; i < rows; ++i) t.offsets[i + 1] = found.of[i / block] >= 0 ? static_cast<Id>(count) : 0;
  t.take_lengths();
  coarse = {t.columns, count, std::vector<double>(static_cast<std::size_t>(t.columns * count))};
  std::vector<double> q, r;
  for (Index g = 0; g < found.count; ++g) {
    const Id first = members.offsets[g];
    const Index size = members.offsets[g + 1] - first;
    q.resize(static_cast<std::size_t>(size * count));
    for (Index c = 0; c < count; ++c)
      for (Index m = 0; m < size; ++m)
        q[static_cast<std::size_t>(c * size + m)] = fine.at(members.unknown[first + m], c);
    orthonormalise(q, size, count, r);
    for (Index m = 0; m < size; ++m)
      for (Index c = 0; c < count; ++c) {
        const Id at = t.offsets[members.unknown[first + m]] + static_cast<Id>(c);
        t.column[at] = static_cast<Id>(g * count + c);
        t.value[at] = static_cast<T>(q[static_cast<std::size_t>(c * size + m)]);
      }
    for (Index c = 0; c < count; ++c)
      for (Index b = 0; b < count; ++b)
        coarse.at(g * count + b, c) = r[static_cast<std::size_t>(c * count + b)];
  }
  return t;
}

template <class T>
Filter<T> filter_of(const Rows<T>& a, std::span<const T> d, const Strong& strong, Index block, double rho,
                    Kept least, int threads) {
  constexpr double share = 0.1;  // of the diagonal, that must be left of it
  Filter<T> f{a, strong, least};
  f.diagonal.assign(d.begin(), d.end());
  struct Part {
    double bound = 0, ratio = 1;
    bool drops = false;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
  share_rows(threads, a.rows, [&](int member, Index first, Index last) {
    Part& part = parts[static_cast<std::size_t>(member)];
    for (Index i = first; i < last; ++i) {
      if (!divides(d[i])) continue;
      const double own = static_cast<double>(d[i]);
      double all = 0, kept = 0, size = 0;
      Id left = f.a.offsets[i + 1] - f.a.offsets[i];
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) all += static_cast<double>(a.value[k]);
      for_filtered(f, i, [&](Id, T value) {
        kept += static_cast<double>(value);
        size += std::abs(static_cast<double>(value));
        --left;
      });
      part.drops |= left > 0;
      const double lumped = block == 1 && left > 0 ? own + (all - kept) : own;
      if (lumped / own >= share) f.diagonal[i] = static_cast<T>(lumped);
      const double now = static_cast<double>(f.diagonal[i]);
      part.bound = std::max(part.bound, (size - std::abs(own) + std::abs(now)) / std::abs(now));
      part.ratio = std::max(part.ratio, own / now);
    }
  });
  double bound = 0, ratio = 1;
  for (const Part& part : parts) {
    bound = std::max(bound, part.bound);
    ratio = std::max(ratio, part.ratio);
    f.drops |= part.drops;
  }
  f.rho = f.drops ? std::min(bound, rho * ratio) : rho;
  return f;
}

namespace {

/// Columns of T's rows that row i of A_f leads to, each once: first(column).
template <class T, class First>
void for_touched(const Filter<T>& f, const Sparse<T>& t, Index i, Accumulators::One& mine, First&& first) {
  for_filtered(f, i, [&](Id j, T) {
    for (Id k = t.offsets[j]; k < t.offsets[j + 1]; ++k) {
      if (const Id column = t.column[k]; mine.is_new(column, i)) first(column);
    }
  });
}

}  // namespace

template <class T>
Sparse<T> smoothed_pattern(const Filter<T>& f, const Aggregates& found, const Sparse<T>& t, int threads) {
  Sparse<T> p{t.rows, t.columns, std::vector<Id>(static_cast<std::size_t>(t.rows) + 1), {}, {}};
  const Index count = found.count > 0 ? t.columns / found.count : 1;
  {
    Accumulators all(threads, t.columns);
    share_rows(threads, t.rows, [&](int member, Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        Id length = 0;
        for_touched(f, t, i, all.of(member), [&](Id) { ++length; });
        const bool wide = length > widest * count || !divides(f.diagonal[i]);
        p.offsets[i + 1] = wide ? t.offsets[i + 1] - t.offsets[i] : length;
      }
    });
  }
  p.take_lengths();
  Accumulators all(threads, t.columns);
  share_rows(threads, t.rows, [&](int member, Index first, Index last) {
    Accumulators::One& mine = all.of(member);
    for (Index i = first; i < last; ++i) {
      mine.seen.clear();
      for_touched(f, t, i, mine, [&](Id column) { mine.seen.push_back(column); });
      std::ranges::sort(mine.seen);
      const Id length = p.offsets[i + 1] - p.offsets[i];
      const bool whole = static_cast<std::size_t>(length) == mine.seen.size();
      std::copy_n(whole ? mine.seen.data() : t.column.data() + t.offsets[i], length,
                  p.column.data() + p.offsets[i]);
    }
  });
  return p;
}

template <class T>
void smooth(const Filter<T>& f, const Sparse<T>& t, Sparse<T>& p, int threads) {
  const double omega = f.rho > 0 ? 4 / (3 * f.rho) : 0;
  Accumulators all(threads, t.columns);
  share_rows(threads, t.rows, [&](int member, Index first, Index last) {
    Accumulators::One& mine = all.of(member);
    for (Index i = first; i < last; ++i) {
      for (Id k = p.offsets[i]; k < p.offsets[i + 1]; ++k) mine.place[p.column[k]] = static_cast<Id>(i);
      for (Id k = p.offsets[i]; k < p.offsets[i + 1]; ++k) mine.sum[p.column[k]] = 0;
      bool whole = divides(f.diagonal[i]);  // else the row stays that of T
      const double factor = whole ? omega / static_cast<double>(f.diagonal[i]) : 0;
      for_filtered(f, i, [&](Id j, T value) {
        for (Id k = t.offsets[j]; k < t.offsets[j + 1]; ++k) {
          const Id column = t.column[k];
          whole &= mine.place[column] == static_cast<Id>(i);
          mine.sum[column] -= factor * static_cast<double>(value) * static_cast<double>(t.value[k]);
        }
      });
      if (!whole)
        for (Id k = p.offsets[i]; k < p.offsets[i + 1]; ++k) mine.sum[p.column[k]] = 0;
      for (Id k = t.offsets[i]; k < t.offsets[i + 1]; ++k)
        mine.sum[t.column[k]] += static_cast<double>(t.value[k]);
      for (Id k = p.offsets[i]; k < p.offsets[i + 1]; ++k) p.value[k] = static_cast<T>(mine.sum[p.column[k]]);
    }
  });
}

#define JACOBI_INSTANTIATE(T)                                                                             \
  template Sparse<T> tentative<T>(const Aggregates&, Index, const NearNull&, NearNull&);                  \
  template Filter<T> filter_of<T>(const Rows<T>&, std::span<const T>, const Strong&, Index, double, Kept, \
                                  int);                                                                   \
  template Sparse<T> smoothed_pattern<T>(const Filter<T>&, const Aggregates&, const Sparse<T>&, int);     \
  template void smooth<T>(const Filter<T>&, const Sparse<T>&, Sparse<T>&, int);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep::amg
