/// Sweeps alone, and sweeps as a preconditioner.

#include "jacobi/sweeper.hpp"

#include <algorithm>

#include "choose.hpp"
#include "core/loop.hpp"
#include "core/recognise.hpp"
#include "watch.hpp"

namespace jacobi::python {

namespace {

/// The method that was named; where it needs a spectrum, from the grid's bounds or the diagnosis of a matrix.
template <class T>
Plan plan_for(const Matrix<T>& a, const Request& request, const Backend& on, const Watch& watch) {
  const std::vector<T> ones(static_cast<std::size_t>(a.rows()), T(1)), zero(ones.size());
  if (!a.is_matrix()) return choose_for_grid<T>(a, request, {}, ones, on).plan;
  const bool known = !needs_estimates(request);
  Stop stop;
  stop.cancel = watch.token();
  const Diagnosis d =
      known ? Diagnosis{}
            : diagnose<T>(a.csr(), std::span<const T>(ones), zero, questions_before(request, stop));
  return choose_for_matrix(a, d, request, {}, 1, on).plan;
}

/// Many sweeps in portions of about a tenth of a second, after which signals are asked for.
class Portions {
 public:
  static constexpr Index most = 16 * most_sweeps_at_once;  ///< sweeps of a portion, whose steps are kept

  /// entries: what a sweep visits. sweeps: the fewest at once. cycle: a portion has whole ones.
  Portions() = default;
  Portions(double entries, Index sweeps, Index cycle) : cycle_(std::max<Index>(1, cycle)) {
    constexpr double few = 3e7;  // swept in some hundredths of a second
    const double first = std::min<double>(most, few / std::max(1.0, entries));
    length_ = whole_cycles(std::max(static_cast<Index>(first), sweeps));
  }

  /// make(begin, count) for all of so many sweeps, or until the watch says no.
  template <class Make>
  void run(Index sweeps, Watch& watch, Make&& make) {
    for (Index done = 0; done < sweeps && watch.goes_on();) {
      const Index count = std::min(sweeps - done, length_);
      const Clock::time_point begin = Clock::now();
      make(done, count);
      done += count;
      const double seconds = seconds_since(begin);
      if (count == length_ && seconds < 0.05 && length_ < most) length_ *= 2;
      if (seconds > 0.15) length_ = whole_cycles(length_ / 2);
    }
  }

 private:
  Index whole_cycles(Index sweeps) const { return std::max<Index>(1, sweeps / cycle_) * cycle_; }

  Index cycle_ = 1, length_ = 1;
};

/// A sweeper with what it reads: one thread at a time.
template <class T>
class Sweeps {
 public:
  Sweeps(const Matrix<T>& a, nb::object kept, const Request& request, std::shared_ptr<const Backend> on)
      : kept_(std::move(kept)), on_(std::move(on)) {
    Watch watch;
    freely(watch, [&] {
      watch.interruptibly(a.entries(), [&] {
        plan_ = plan_for(a, request, *on_, watch);
        solver_.emplace(a.a(), plan_, on_, watch.token());
      });
    });
    watch.raise_pending();
    sweeper_ = &solver_->sweeper();
    portions_ = Portions(a.entries(), sweeper_->sweeps_at_once(), sweeper_->sweeps_per_cycle());
  }

  void load(std::vector<T> b, const In<T>& x) {
    const WithoutGil free;
    sweeper_->load(b, view(x));
    b_ = std::move(b);  // the same memory as was loaded
    made_ = 0;
    last_ = {};
  }

  /// Norms of the last update: 2-norm, largest entry. Ends between two portions where a signal asks for it.
  std::pair<double, double> advance(Index sweeps) {
    require_loaded();
    if (sweeps < 0) throw UsageError("a number of sweeps below 0");
    Watch watch;
    Norms norms;
    freely(watch, [&] {
      portions_.run(sweeps, watch, [&](Index begin, Index count) {
        norms = advance_at_once(count, begin + count < sweeps ? Want::nothing : Want::update);
      });
    });
    watch.raise_pending();
    return {norms.l2, norms.max};
  }

  std::pair<double, double> norms(const std::string& of) {
    require_loaded();
    if (of != "residual" && of != "update" && of != "correction")
      throw UsageError("norms are of 'residual', 'update' or 'correction'");
    if (of == "update" && made_ == 0) throw UsageError("there was no update yet");
    const WithoutGil free;
    const Norms norms = sweeper_->norms(of == "residual"     ? Want::residual
                                        : of == "correction" ? Want::correction
                                                             : Want::update);
    return {norms.l2, norms.max};
  }

  void store(const Out<T>& x) const {
    require_loaded();
    const WithoutGil free;
    sweeper_->store(view(x));
  }

  Index rows() const { return sweeper_->rows(); }
  Index sweeps() const { return made_; }
  std::string method() const { return plan_.name(); }
  double bytes_per_update() const { return sweeper_->bytes_per_update(); }
  template <class Visit>
  void each_kept(Visit visit) const {
    visit(kept_);
  }

 private:
  void require_loaded() const {
    if (b_.empty()) throw UsageError("nothing to sweep: call load(b, x) first");
  }
  Norms advance_at_once(Index sweeps, Want want) {
    std::vector<Step> steps;
    for (Index n = 0; n < sweeps; ++n) steps.push_back(last_ = plan_.method.step(made_ + n, last_));
    made_ += sweeps;
    return sweeper_->advance(steps, want);
  }

  nb::object kept_;
  std::shared_ptr<const Backend> on_;
  Plan plan_;
  std::vector<T> b_;
  std::optional<Solver<T>> solver_;  // which finds out whether a matrix is a grid
  Sweeper<T>* sweeper_ = nullptr;
  Portions portions_;
  Index made_ = 0;
  Step last_;
};

/// Of a grid, or of a matrix that is one.
template <class T>
int dimensions(const Matrix<T>& a) {
  if (!a.is_matrix()) return static_cast<int>(a.a().index()) + 1;
  const auto found = recognise(a.csr());
  return found ? static_cast<int>(found->grid.index()) + 1 : 1;
}

/// Weights of so many cycles. With as many sweeps after as before these are the ones before, backwards: the
/// cycle is then symmetric, as conjugate gradients need it.
std::vector<Step> steps_of_cycles(const Plan& plan, const Multigrid& cycle, int dimensions, Index cycles) {
  std::vector<Step> once;
  if (cycle.pre == cycle.post) {
    std::vector<double> weights = chebyshev_weights({1.0 / dimensions, 2}, cycle.pre);
    const std::vector<double> back(weights.rbegin(), weights.rend());
    weights.insert(weights.end(), back.begin(), back.end());
    for (const double omega : weights) once.push_back({omega, 1});
  } else {
    for (Index j = 0; j < cycle.pre + cycle.post; ++j) once.push_back(plan.method.step(j, {}));
  }
  std::vector<Step> all;
  for (Index c = 0; c < cycles; ++c) all.insert(all.end(), once.begin(), once.end());
  return all;
}

/// Sweeps from 0, or cycles, as a fixed linear map.
template <class T>
class Applied {
 public:
  /// weights: of the sweeps; empty: cycles as the request asks for.
  Applied(const Matrix<T>& a, nb::object kept, const Request& request, const std::vector<double>& weights,
          Index cycles, std::shared_ptr<const Backend> on)
      : kept_(std::move(kept)), on_(std::move(on)) {
    Plan plan{scheduled(weights.empty() ? std::vector{1.0} : weights), request.rung};
    plan.method.divisor = request.method == "l1" ? Divisor::l1 : Divisor::diagonal;
    plan.recognise_grids = request.recognise_grids;
    steps_ = steps_of(weights);
    Index once = 1;  // steps that belong together
    Watch watch;
    freely(watch, [&] {
      watch.interruptibly(a.entries(), [&] {
        if (weights.empty() && request.amg) {
          plan = amg(*request.amg);
          steps_.resize(static_cast<std::size_t>(cycles));
        } else if (weights.empty()) {
          plan = plan_for(a, request, *on_, watch);
          steps_ = steps_of_cycles(plan, *plan.multigrid(), dimensions(a), cycles);
          once = static_cast<Index>(steps_.size()) / cycles;
        }
        solver_.emplace(a.a(), plan, on_, watch.token());
        sweeper_ = &solver_->sweeper();
        const auto first = static_cast<std::ptrdiff_t>(once);
        Preconditioner<T>(*sweeper_, {steps_.begin(), steps_.begin() + first});  // says what cannot be one
      });
    });
    watch.raise_pending();
    zero_.resize(static_cast<std::size_t>(a.rows()));
    portions_ = Portions(a.entries(), std::max(once, sweeper_->sweeps_at_once()), once);
  }

  Index rows() const { return sweeper_->rows(); }

  /// z = M^-1 r: from 0.
  void apply(const In<T>& r, const Out<T>& z) { sweep(view(r), zero_, view(z)); }
  /// The same sweeps on A x = b from this x, in place: where Ctrl-C ends them x has those that were made.
  void relax(const In<T>& b, const Out<T>& x) { sweep(view(b), view(x), view(x)); }

  template <class Visit>
  void each_kept(Visit visit) const {
    visit(kept_);
  }

 private:
  static std::vector<Step> steps_of(const std::vector<double>& weights) {
    std::vector<Step> steps;
    for (const double omega : weights) steps.push_back({omega, 1});
    return steps;
  }

  void sweep(std::span<const T> b, std::span<const T> from, std::span<T> to) {
    if (b.size() != zero_.size() || to.size() != zero_.size())
      throw UsageError("vectors of another length than the operator has rows");
    Watch watch;
    freely(watch, [&] {
      sweeper_->load(b, from);
      portions_.run(static_cast<Index>(steps_.size()), watch, [&](Index begin, Index count) {
        sweeper_->advance(
            std::span(steps_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)),
            Want::nothing);
      });
      sweeper_->store(to);
    });
    watch.raise_pending();
  }

  nb::object kept_;
  std::shared_ptr<const Backend> on_;
  std::optional<Solver<T>> solver_;  // which finds out whether a matrix is a grid
  Sweeper<T>* sweeper_ = nullptr;
  std::vector<Step> steps_;
  std::vector<T> zero_;
  Portions portions_;
};

}  // namespace

template <class T>
void bind_sweeper(nb::module_& m) {
  const auto named = [&](const char* name) { return std::string(name) + suffix<T>; };
  nb::class_<Sweeps<T>>(m, named("Sweeper").c_str(), nb::type_slots(slots_of<Sweeps<T>>))
      .def(
          "__init__",
          [](Sweeps<T>* self, nb::object a, const Request& request, std::shared_ptr<Backend> on) {
            const auto& matrix = nb::cast<const Matrix<T>&>(a);
            new (self) Sweeps<T>(matrix, a, request, std::move(on));
          },
          "a"_a, "request"_a, "on"_a)
      .def(
          "load",
          [](Sweeps<T>& self, const In<T>& b, const In<T>& x) {
            self.load(std::vector<T>(b.data(), b.data() + b.size()), x);
          },
          "b"_a.noconvert(), "x"_a.noconvert())
      .def("advance", &Sweeps<T>::advance, "sweeps"_a)
      .def("norms", &Sweeps<T>::norms, "of"_a)
      .def("store", &Sweeps<T>::store, "x"_a.noconvert())
      .def_prop_ro("rows", &Sweeps<T>::rows)
      .def_prop_ro("sweeps", &Sweeps<T>::sweeps)
      .def_prop_ro("method", &Sweeps<T>::method)
      .def_prop_ro("bytes_per_update", &Sweeps<T>::bytes_per_update);
  nb::class_<Applied<T>>(m, named("Applied").c_str(), nb::type_slots(slots_of<Applied<T>>))
      .def(
          "__init__",
          [](Applied<T>* self, nb::object a, const Request& request, const std::vector<double>& weights,
             Index cycles, std::shared_ptr<Backend> on) {
            const auto& matrix = nb::cast<const Matrix<T>&>(a);
            new (self) Applied<T>(matrix, a, request, weights, cycles, std::move(on));
          },
          "a"_a, "request"_a, "weights"_a, "cycles"_a, "on"_a)
      .def("apply", &Applied<T>::apply, "r"_a.noconvert(), "z"_a.noconvert())
      .def("relax", &Applied<T>::relax, "b"_a.noconvert(), "x"_a.noconvert())
      .def_prop_ro("rows", &Applied<T>::rows);
}

template void bind_sweeper<double>(nb::module_&);
template void bind_sweeper<float>(nb::module_&);

}  // namespace jacobi::python
