/// Solves, diagnoses and forecasts, watched.
#include <algorithm>
#include <cmath>
#include <limits>

#include "choose.hpp"
#include "core/projection.hpp"
#include "watch.hpp"

namespace jacobi::python {

namespace {

/// What a solve is told, and what ended it.
using Told = std::pair<Report, nb::object>;

/// Of a diagnosis, which has nothing to check.
Stop quietly(Stop stop) {
  stop.progress = {};
  stop.observe = {};
  return stop;
}

template <class T>
Diagnosis look_at(const Matrix<T>& a, const Request& request, std::span<const T> b, std::span<const T> x,
                  const Stop& stop, Watch& watch) {
  return watch.interruptibly(
      a.entries(), [&] { return diagnose<T>(a.csr(), b, x, questions_before(request, quietly(stop))); });
}

void require_solution(const Diagnosis& d) {
  if (!d.no_solution.empty()) throw InputError(d.no_solution);
}

/// Runs a choice from x; a plan that `bound` is for is not bound anew.
template <class T>
Report run_choice(const Matrix<T>& a, const Choice& choice, std::span<const T> b, std::span<T> x,
                  const Stop& stop, const std::shared_ptr<const Backend>& on, Watch& watch,
                  Solver<T>* bound = nullptr) {
  return solve<T>(choice, x, stop, [&](const Plan& plan, const Stop& until) {
    Solver<T>* const given = std::exchange(bound, nullptr);
    if (given) return given->solve(b, x, until);
    Solver<T> solver =
        watch.interruptibly(a.entries(), [&] { return Solver<T>(a.a(), plan, on, until.cancel); });
    return solver.solve(b, x, until);
  });
}

/// The right-hand side of a matrix, without its mean where that is asked for; else it is not copied.
template <class T>
class Projected {
 public:
  Projected(const Matrix<T>& a, std::span<const T> b, const Stop& stop) : b_(b) {
    if (!stop.project_rhs) return;
    given_.emplace_back(b.begin(), b.end());
    b_ = projection_.emplace(a.csr(), given_, true).b()[0];
  }
  Projected(const Projected&) = delete;
  Projected& operator=(const Projected&) = delete;
  std::span<const T> b() const { return b_; }
  void tell(Report& report, std::span<const T> x) const {
    if (projection_) projection_->tell(report, {{x.begin(), x.end()}});
  }

 private:
  std::span<const T> b_;
  Columns<T> given_;
  std::optional<Projection<T>> projection_;
};

template <class T>
Report run(const Matrix<T>& a, std::span<const T> b, std::span<T> x, const Request& request, Stop stop,
           const std::shared_ptr<const Backend>& on, Watch& watch) {
  if (a.gives_products()) {
    const ByProducts<T> found = choose_for_products<T>(a, request, quietly(stop), b, x, 1);
    Report report = run_choice(found.a, found.choice, b, x, stop, on, watch);
    if (found.d) report.seconds_setup += found.d->seconds;
    return report;
  }
  if (!a.is_matrix())
    return run_choice(a, choose_for_grid<T>(a, request, stop, b, *on), b, x, stop, on, watch);
  const Projected<T> projected(a, b, stop);
  b = projected.b();
  const Diagnosis d = look_at<T>(a, request, b, x, stop, watch);
  require_solution(d);
  const Choice choice = choose_for_matrix(a, d, request, stop, 1, *on);
  if (proved_to_converge(d, choice.plan)) stop.growth = std::numeric_limits<double>::infinity();
  Report report = run_choice(a, choice, b, x, stop, on, watch);
  report.seconds_setup += d.seconds;
  if (report.status != Status::not_finite) report.error_bound = error_bound<T>(a.csr(), d, b, x);
  projected.tell(report, x);
  return report;
}

template <class T>
Told solve_one(const Matrix<T>& a, const In<T>& b, const Out<T>& x, const Request& request, Stop stop,
               const std::shared_ptr<Backend>& on, nb::object callback, nb::object progress) {
  Watch watch(std::move(callback), std::move(progress));
  watch.attend(stop);
  Report report;
  const Solving here(watch);
  freely(watch, [&] { report = run<T>(a, view(b), view(x), request, stop, on, watch); });
  return {std::move(report), watch.pending()};
}

template <class T>
Columns<T> columns_of(const Table<const T>& table) {
  Columns<T> columns(table.shape(1), std::vector<T>(table.shape(0)));
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t i = 0; i < columns[c].size(); ++i)
      columns[c][i] =
          table.data()[static_cast<Index>(i) * table.stride(0) + static_cast<Index>(c) * table.stride(1)];
  return columns;
}

/// b and x: rows by right-hand sides; x is the start and becomes what is found.
template <class T>
Told solve_many(const Matrix<T>& a, const Table<const T>& b, const Table<T>& x, const Request& request,
                Stop stop, const std::shared_ptr<Backend>& on, nb::object callback, nb::object progress) {
  if (b.shape(0) != x.shape(0) || b.shape(1) != x.shape(1) || b.shape(1) == 0)
    throw UsageError("b and x must have the same shape, and at least one column");
  Watch watch(std::move(callback), std::move(progress));
  watch.attend(stop);
  Solutions<T> found;
  const Solving here(watch);
  freely(watch, [&] {
    const Columns<T> given = columns_of<T>(b);
    Columns<T> start = columns_of<T>(Table<const T>(x));
    const auto count = static_cast<Index>(given.size());
    if (a.gives_products()) {
      const ByProducts<T> by = choose_for_products<T>(a, request, quietly(stop), given[0], start[0], count);
      found = solve<T>(by.a.a(), by.choice, given, std::move(start), stop, on);
      return;
    }
    // A callback is called on the thread that called.
    const auto solve_all = [&](const Choice& choice, const Columns<T>& columns) {
      const double entries = stop.observe ? 0 : a.entries();
      found =
          watch.beside(entries, [&] { return solve<T>(a.a(), choice, columns, std::move(start), stop, on); });
    };
    if (!a.is_matrix()) return solve_all(choose_for_grid<T>(a, request, stop, given[0], *on), given);
    const Projection<T> projection(a.csr(), given, stop.project_rhs);
    const Columns<T>& columns = projection.b();
    const Diagnosis d = watch.interruptibly(a.entries(), [&] {
      return diagnose<T>(a.csr(), columns, start, questions_before(request, quietly(stop)));
    });
    require_solution(d);
    const Choice choice = choose_for_matrix(a, d, request, stop, count, *on);
    if (proved_to_converge(d, choice.plan)) stop.growth = std::numeric_limits<double>::infinity();
    solve_all(choice, columns);
    found.report.seconds_setup += d.seconds;
    projection.tell(found.report, found.x);
  });
  for (std::size_t c = 0; c < found.x.size(); ++c)
    for (std::size_t i = 0; i < found.x[c].size(); ++i)
      x.data()[static_cast<Index>(i) * x.stride(0) + static_cast<Index>(c) * x.stride(1)] = found.x[c][i];
  return {std::move(found.report), watch.pending()};
}

constexpr double most_of_factors = 100;  // products that factors of any size may take the time of

template <class T>
Diagnosis diagnose_one(const Matrix<T>& a, const In<T>& b, const In<T>& x, Stop stop,
                       const std::string& cholesky, Index budget) {
  if (!a.is_matrix() && !a.gives_products())
    throw UsageError("diagnose() is for matrices: of a grid take predict(), or A.tocsr()");
  Watch watch;
  DiagnoseOptions options;
  options.cholesky = cholesky_of(cholesky);
  options.budget = budget;
  options.stop = std::move(stop);
  options.stop.cancel = watch.token();
  Diagnosis d;
  const double effort =
      options.cholesky == Cholesky::always ? most_of_factors : static_cast<double>(budget) / 30;
  freely(watch, [&] {
    d = watch.interruptibly(a.entries() * std::max(1.0, effort), [&] {
      return a.gives_products() ? diagnose<T>(a.products(), view(b), view(x), options)
                                : diagnose<T>(a.csr(), view(b), view(x), options);
    });
  });
  return d;
}

template <class T>
Forecast forecast_one(const Matrix<T>& a, const In<T>& b, const In<T>& x, const Request& request, Stop stop,
                      const std::shared_ptr<Backend>& on) {
  Watch watch;
  stop.cancel = watch.token();
  Forecast told;
  freely(watch, [&] {
    told = watch.interruptibly(a.entries(), [&] {
      const auto rhs = view(b), start = view(x);
      if (a.gives_products()) {
        const ByProducts<T> by = choose_for_products<T>(a, request, stop, rhs, start, 1);
        const Diagnosis d =
            by.d ? *by.d : diagnose<T>(by.a.products(), rhs, start, DiagnoseOptions::before(stop));
        return forecast<T>(by.a.a(), d, by.choice, rhs, start, stop, on);
      }
      if (a.is_matrix()) {
        const Diagnosis d = diagnose<T>(a.csr(), rhs, start, DiagnoseOptions::before(stop));
        return forecast<T>(a.a(), d, choose_for_matrix(a, d, request, stop, 1, *on), rhs, start, stop, on);
      }
      const Choice choice = choose_for_grid<T>(a, request, stop, rhs, *on);
      return std::visit(
          [&]<class A>(const A& one) -> Forecast {
            if constexpr (OnGrid<A>)
              return forecast(one, choice, rhs, start, stop, *on);
            else
              throw UsageError("what a solve on a box stencil takes is not foretold: solve with max_seconds");
          },
          a.a());
    });
  });
  return told;
}

/// A matrix bound to a choice.
template <class T>
class BoundSolver {
 public:
  BoundSolver(const Matrix<T>& a, nb::object kept, const In<T>& b, const Request& request, Stop stop,
              std::shared_ptr<const Backend> on)
      : kept_(std::move(kept)), a_(&a), on_(std::move(on)) {
    Watch watch;
    stop.cancel = watch.token();
    freely(watch, [&] {
      const std::vector<T> zero(static_cast<std::size_t>(a.rows()));
      if (a.gives_products()) {
        by_products_.emplace(choose_for_products<T>(a, request, stop, view(b), zero, 1));
        a_ = &by_products_->a;
        choice_ = by_products_->choice;
      } else if (a.is_matrix()) {
        d_ = look_at<T>(a, request, view(b), zero, stop, watch);
        choice_ = choose_for_matrix(a, *d_, request, stop, 1, *on_);
      } else {
        choice_ = choose_for_grid<T>(a, request, stop, view(b), *on_);
      }
      watch.interruptibly(a.entries(), [&] { solver_.emplace(a_->a(), choice_.plan, on_, stop.cancel); });
    });
  }

  Told solve(const In<T>& b, const Out<T>& x, Stop stop, nb::object callback, nb::object progress) {
    Watch watch(std::move(callback), std::move(progress));
    watch.attend(stop);
    Report report;
    const Solving here(watch);
    freely(watch, [&] {
      if (d_ && proved_to_converge(*d_, choice_.plan)) stop.growth = std::numeric_limits<double>::infinity();
      if (!a_->is_matrix()) {
        report = run_choice(*a_, choice_, view(b), view(x), stop, on_, watch, &*solver_);
        return;
      }
      const Projected<T> projected(*a_, view(b), stop);
      if (d_ && d_->singular)
        require_solution(
            diagnose<T>(a_->csr(), projected.b(), view(x), DiagnoseOptions::before(quietly(stop), false)));
      report = run_choice(*a_, choice_, projected.b(), view(x), stop, on_, watch, &*solver_);
      if (d_ && report.status != Status::not_finite)
        report.error_bound = error_bound<T>(a_->csr(), *d_, projected.b(), view(x));
      projected.tell(report, view(x));
    });
    return {std::move(report), watch.pending()};
  }

  double tune(const In<T>& b, double seconds) {
    Watch watch;
    double gain = 1;
    freely(watch, [&] {
      const std::vector<T> zero(b.size());
      gain =
          jacobi::tune<T>(solver_->sweeper(), view(b), zero, seconds, [&] { return watch.goes_on(); }).gain;
    });
    watch.raise_pending();
    return gain;
  }

  void values_changed() {
    d_.reset();  // what was proved is of the values before
    interruptibly(a_->entries(), [&] { solver_->values_changed(); });
  }

  const Choice& choice() const { return choice_; }
  template <class Visit>
  void each_kept(Visit visit) const {
    visit(kept_);
  }

 private:
  nb::object kept_;
  const Matrix<T>* a_;
  std::shared_ptr<const Backend> on_;
  std::optional<ByProducts<T>> by_products_;
  std::optional<Diagnosis> d_;  ///< of a matrix
  Choice choice_;
  std::optional<Solver<T>> solver_;
};

}  // namespace

template <class T>
void bind_solve(nb::module_& m) {
  const auto named = [&](const char* name) { return std::string(name) + suffix<T>; };
  m.def(named("solve").c_str(), &solve_one<T>, "a"_a, "b"_a.noconvert(), "x"_a.noconvert(), "request"_a,
        "stop"_a, "on"_a, "callback"_a.none(), "progress"_a.none());
  m.def(named("solve_many").c_str(), &solve_many<T>, "a"_a, "b"_a.noconvert(), "x"_a.noconvert(), "request"_a,
        "stop"_a, "on"_a, "callback"_a.none(), "progress"_a.none());
  m.def(named("diagnose").c_str(), &diagnose_one<T>, "a"_a, "b"_a.noconvert(), "x"_a.noconvert(), "stop"_a,
        "cholesky"_a, "budget"_a);
  m.def(named("forecast").c_str(), &forecast_one<T>, "a"_a, "b"_a.noconvert(), "x"_a.noconvert(), "request"_a,
        "stop"_a, "on"_a);
  nb::class_<BoundSolver<T>>(m, named("Solver").c_str(), nb::type_slots(slots_of<BoundSolver<T>>))
      .def(
          "__init__",
          [](BoundSolver<T>* self, nb::object a, const In<T>& b, const Request& request, const Stop& stop,
             std::shared_ptr<Backend> on) {
            const auto& matrix = nb::cast<const Matrix<T>&>(a);
            new (self) BoundSolver<T>(matrix, a, b, request, stop, std::move(on));
          },
          "a"_a, "b"_a.noconvert(), "request"_a, "stop"_a, "on"_a)
      .def("solve", &BoundSolver<T>::solve, "b"_a.noconvert(), "x"_a.noconvert(), "stop"_a,
           "callback"_a.none(), "progress"_a.none())
      .def("tune", &BoundSolver<T>::tune, "b"_a.noconvert(), "seconds"_a)
      .def("values_changed", &BoundSolver<T>::values_changed)
      .def_prop_ro("method", [](const BoundSolver<T>& self) { return self.choice().plan.name(); })
      .def_prop_ro("reason", [](const BoundSolver<T>& self) { return in_python(self.choice().reason); });
}

template void bind_solve<double>(nb::module_&);
template void bind_solve<float>(nb::module_&);

}  // namespace jacobi::python
