/// Sweeps in place, on arrays that may be other ones in the next call.
#include "relax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

#include "core/aligned.hpp"
#include "core/blocks.hpp"
#include "watch.hpp"

namespace jacobi::python {

namespace {

template <class T, class I>
void require_finite(const GivenRows<T, I>& a, Index row, Index k) {
  if (!std::isfinite(a.values[k]))
    throw InputError(fmt::format("entry ({}, {}), counted from 0, is {}: every entry must be finite", row,
                                 a.columns[k], a.values[k]));
}

/// What is wrong with a row that could not be swept. Throws: InputError.
template <class T, class I>
[[noreturn]] void explain(const GivenRows<T, I>& a, Index i) {
  const Index begin = a.offsets[i], end = a.offsets[i + 1];
  if (begin < 0 || end < begin || end > a.entries)
    throw InputError(
        fmt::format("row {} lies from {} to {} of {} entries: A.indptr is wrong", i, begin, end, a.entries));
  T diagonal = 0;
  for (Index k = begin; k < end; ++k) {
    if (a.columns[k] < 0 || a.columns[k] >= a.rows)
      throw InputError(fmt::format("row {}: column {} is not in 0 ... {}", i, a.columns[k], a.rows - 1));
    require_finite(a, i, k);
    if (a.columns[k] == i) diagonal += a.values[k];
  }
  throw InputError(
      fmt::format("ZeroDiagonal: entry ({0}, {0}), counted from 0, is {1:g}{2}: Jacobi divides by it", i,
                  diagonal, diagonal != 0 ? ", too small to be divided by" : ""));
}

/// An iterate that is not finite may come from one that is large, or from an entry that is not finite.
template <class T, class I>
void require_finite(const GivenRows<T, I>& a) {
  for (Index i = 0; i < a.rows; ++i)
    for (Index k = std::max<Index>(0, a.offsets[i]); k < std::min<Index>(a.entries, a.offsets[i + 1]); ++k)
      require_finite(a, i, k);
}

/// Sweeps from x to a vector of its own and back. However it ends, x holds a whole iterate.
template <class T, class I>
class Relaxation {
 public:
  Relaxation(const GivenRows<T, I>& a, T* x)
      : a_(a), x_(x), other_(aligned_array<T>(static_cast<std::size_t>(a.rows), 64)), now_(x) {
    if (!other_) throw std::bad_alloc();
  }
  ~Relaxation() {
    if (now_ != x_) std::copy_n(now_, a_.rows, x_);
  }
  Relaxation(const Relaxation&) = delete;
  Relaxation& operator=(const Relaxation&) = delete;

  /// So many sweeps, or those before the watch says no. Throws: InputError naming the row.
  void run(Index sweeps, Watch& watch) {
    for (Index made = 0; made < sweeps; ++made) {
      T* const out = now_ == x_ ? other_.get() : x_;
      std::atomic<Index> bad = a_.rows;
      std::atomic<bool> finite = true;
      for (Index first = 0; first < a_.rows; first += slab_) {
        const Index last = std::min(a_.rows, first + slab_);
        for_blocks({last - first, block_}, [&](Index, Index from, Index to) {
          const Swept swept = kernel_(a_, now_, out, first + from, first + to);
          if (swept.end < first + to) keep_least(bad, swept.end);
          if (!swept.finite) finite = false;
        });
        if (bad < a_.rows) explain(a_, bad);
        work_ += static_cast<double>(last - first) * work_of_row_;
        if (work_ < looks_after) continue;
        work_ = 0;
        if (!watch.goes_on()) return;
      }
      if (!finite && made == 0) {
        python::require_finite(a_);
        require_finite("b", a_.b);
        require_finite("x", now_);
      }
      now_ = out;
    }
  }

 private:
  void require_finite(const char* name, const T* values) const {
    for (Index i = 0; i < a_.rows; ++i)
      if (!std::isfinite(values[i]))
        throw InputError(fmt::format("{}[{}] is {}: every entry must be finite", name, i, values[i]));
  }

  static constexpr double looks_after = 1e6, at_once = 2e7;  ///< entries: some ms; some tens of ms
  static constexpr double at_a_time =
      8192;  ///< entries of a block: a quarter of a million are worth a second core

  const GivenRows<T, I>& a_;
  T* const x_;
  AlignedArray<T> other_;
  T* now_;
  Swept (*const kernel_)(const GivenRows<T, I>&, const T*, T*, Index,
                         Index) = sweep::given_rows_kernels<T>().of(a_);
  const double work_of_row_ = 1 + static_cast<double>(a_.entries) / static_cast<double>(a_.rows);
  const Index slab_ = std::max<Index>(1, static_cast<Index>(at_once / work_of_row_));
  const Index block_ = std::clamp<Index>(static_cast<Index>(at_a_time / work_of_row_), 1, block_rows);
  double work_ = 0;
};

template <class P, class Q>
bool overlap(const P* p, std::size_t many, const Q* q, std::size_t more) {
  const auto at = reinterpret_cast<std::uintptr_t>(p), other = reinterpret_cast<std::uintptr_t>(q);
  return at < other + more * sizeof(Q) && other < at + many * sizeof(P);
}

template <class P>
bool lies_straight(const P* p) {
  return reinterpret_cast<std::uintptr_t>(p) % alignof(P) == 0;
}

/// Says whether it could: arrays of other types, or at odd addresses, have to be copied first.
template <class T, class I>
bool relax(const In<I>& offsets, const In<I>& columns, const In<T>& values, const In<T>& b, const Out<T>& x,
           double omega, Index sweeps) {
  if (!lies_straight(offsets.data()) || !lies_straight(columns.data()) || !lies_straight(values.data()) ||
      !lies_straight(b.data()) || !lies_straight(x.data()))
    return false;
  const auto rows = static_cast<Index>(x.size());
  if (rows == 0 || b.size() != x.size() || offsets.size() != x.size() + 1)
    throw UsageError(fmt::format("x has {} values, b {} and A.indptr {}: n, n and n + 1 are needed", x.size(),
                                 b.size(), offsets.size()));
  if (offsets.data()[0] != 0)
    throw InputError(fmt::format("A.indptr is wrong: it begins at {}, not at 0", offsets.data()[0]));
  const auto entries = static_cast<Index>(offsets.data()[rows]);
  if (entries < 0 || entries > static_cast<Index>(std::min(columns.size(), values.size())))
    throw InputError(fmt::format("A.indptr ends at {}, beside {} indices and {} values", entries,
                                 columns.size(), values.size()));
  if (overlap(x.data(), x.size(), offsets.data(), offsets.size()) ||
      overlap(x.data(), x.size(), columns.data(), columns.size()) ||
      overlap(x.data(), x.size(), values.data(), values.size()))
    throw UsageError("x shares memory with A, which is read while x is written");
  std::vector<T> kept;  // of a b that x is written over
  if (overlap(x.data(), x.size(), b.data(), b.size())) kept.assign(b.data(), b.data() + b.size());
  const double weight = weighted(omega).step(0, {}).omega;  // its bounds
  const GivenRows<T, I> a{rows,
                          entries,
                          offsets.data(),
                          columns.data(),
                          values.data(),
                          kept.empty() ? b.data() : kept.data(),
                          static_cast<T>(weight),
                          weight != 1};
  Watch watch;
  freely(watch, [&] { Relaxation<T, I>(a, x.data()).run(sweeps, watch); });
  watch.raise_pending();
  return true;
}

}  // namespace

template <class T>
void bind_relax(nb::module_& m) {
  const auto add = [&]<class I>(I) {
    m.def((std::string("relax") + suffix<T>).c_str(), &relax<T, I>, "offsets"_a.noconvert(),
          "columns"_a.noconvert(), "values"_a.noconvert(), "b"_a.noconvert(), "x"_a.noconvert(), "omega"_a,
          "sweeps"_a);
  };
  add(std::int32_t());
  add(std::int64_t());
  const char* const of_others = sizeof(T) == sizeof(double) ? "def relax_f64(*args: object) -> bool"
                                                            : "def relax_f32(*args: object) -> bool";
  m.def((std::string("relax") + suffix<T>).c_str(), [](nb::args) { return false; }, nb::sig(of_others));
}

template void bind_relax<double>(nb::module_&);
template void bind_relax<float>(nb::module_&);

}  // namespace jacobi::python
