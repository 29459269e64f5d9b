/// Diffusion in time.
#include "heat.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "watch.hpp"

namespace jacobi::python {

namespace {

template <class T>
std::unique_ptr<AnyHeat<T>> make_heat(const Matrix<T>& a, const HeatStart<T>& start) {
  if (a.has_domain()) return a.domain().heat(start);
  return std::visit(
      [&]<class A>(const A& one) -> std::unique_ptr<AnyHeat<T>> {
        if constexpr (requires { one.grid(); })
          return std::make_unique<
              HeatOf<T, static_cast<int>(std::tuple_size_v<decltype(one.grid().unknowns)>)>>(one, start);
        else
          throw UsageError("A is no grid: steps in time take what poisson or diffusion makes");
      },
      a.a());
}

/// A state in time, and the operator that it reads.
template <class T>
class HeatState {
 public:
  HeatState(const Matrix<T>& a, nb::object kept, const In<T>& f, const In<T>& u, double dt,
            const HeatOptions& options, std::shared_ptr<const Backend> on)
      : kept_(std::move(kept)), entries_(a.entries()) {
    interruptibly(entries_, [&] { heat_ = make_heat<T>(a, {view(f), view(u), dt, options, std::move(on)}); });
  }

  /// What was done, and the exception that ended it, None if none did.
  std::pair<HeatReport, nb::object> run(Index steps) {
    Watch watch;
    HeatStop stop;
    stop.cancel = watch.token();
    stop.progress = [&](const HeatProgress&) { return watch.goes_on(); };
    HeatReport report;
    freely(watch, [&] { report = watch.beside(entries_, [&] { return heat_->run(steps, stop); }); });
    return {std::move(report), watch.pending()};
  }
  const AnyHeat<T>& heat() const { return *heat_; }
  template <class Visit>
  void each_kept(Visit visit) const {
    visit(kept_);
  }

 private:
  nb::object kept_;
  double entries_;
  std::unique_ptr<AnyHeat<T>> heat_;
};

/// Makes of r the report of both where it followed on `before`.
void follow(HeatReport& r, const HeatReport& before) {
  const double updates = r.lups * r.seconds + before.lups * before.seconds;
  r.steps += before.steps;
  r.rejected += before.rejected;
  r.sweeps += before.sweeps;
  r.cycles += before.cycles;
  r.seconds += before.seconds;
  r.seconds_setup += before.seconds_setup;
  r.lups = r.seconds > 0 ? updates / r.seconds : 0;
  r.content_initial = before.content_initial;
  for (const Note& note : before.notes)
    if (std::ranges::find(r.notes, note.text, &Note::text) == r.notes.end()) r.notes.push_back(note);
}

const char* status_of(const HeatReport& r) { return r.finished() ? "finished" : name(r.status); }

}  // namespace

void bind_heat_options(nb::module_& m) {
  nb::class_<HeatOptions>(m, "HeatOptions")
      .def(nb::init<>())
      .def("set_explicit", [](HeatOptions& o) { o.scheme = HeatScheme::explicit_euler; })
      .def_rw("theta", &HeatOptions::theta)
      .def_rw("relative", &HeatOptions::relative)
      .def_rw("step_tolerance", &HeatOptions::step_tolerance)
      .def_rw("rung", &HeatOptions::rung);
  nb::class_<HeatReport>(m, "HeatReport", "What steps in time did.")
      .def_prop_ro("status", &status_of)
      .def_ro("scheme", &HeatReport::scheme)
      .def_ro("theta", &HeatReport::theta)
      .def_ro("method", &HeatReport::method)
      .def_ro("algorithm", &HeatReport::algorithm)
      .def_ro("backend", &HeatReport::backend)
      .def_ro("threads", &HeatReport::threads)
      .def_ro("precision", &HeatReport::precision)
      .def_ro("unknowns", &HeatReport::unknowns)
      .def_ro("step", &HeatReport::step)
      .def_ro("steps", &HeatReport::steps)
      .def_ro("rejected", &HeatReport::rejected)
      .def_ro("time", &HeatReport::time)
      .def_ro("sweeps", &HeatReport::sweeps)
      .def_ro("cycles", &HeatReport::cycles)
      .def_ro("seconds", &HeatReport::seconds)
      .def_ro("seconds_setup", &HeatReport::seconds_setup)
      .def_ro("lups", &HeatReport::lups)
      .def_ro("content_initial", &HeatReport::content_initial)
      .def_ro("content_final", &HeatReport::content_final)
      .def_prop_ro("notes",
                   [](const HeatReport& r) {
                     std::vector<std::string> told;
                     for (const Note& note : r.notes) told.push_back(in_python(note.text));
                     return told;
                   })
      .def("follow", &follow, "before"_a)
      .def("interrupt", [](HeatReport& r) { r.status = Status::interrupted; })
      .def("__repr__",
           [](const HeatReport& r) {
             return fmt::format("<pyjacobi.HeatReport: {}, {} steps of {}, t = {:.6g}>", status_of(r),
                                r.steps, r.scheme, r.time);
           })
      .def("to_text", [](const HeatReport& r) { return in_python(to_text(r)); })
      .def("to_json", [](const HeatReport& r) { return to_json(r); });
}

template <class T>
void bind_heat(nb::module_& m) {
  using State = HeatState<T>;
  nb::class_<State>(m, (std::string("Heat") + suffix<T>).c_str(), nb::type_slots(slots_of<State>))
      .def(
          "__init__",
          [](State* self, nb::object a, const In<T>& f, const In<T>& u, double dt, const HeatOptions& options,
             const std::shared_ptr<Backend>& on) {
            new (self) State(nb::cast<const Matrix<T>&>(a), a, f, u, dt, options, on);
          },
          "a"_a, "f"_a.noconvert(), "u"_a.noconvert(), "dt"_a, "options"_a, "backend"_a)
      .def("run", &State::run, "steps"_a)
      .def("u", [](const State& s) { return array_of(s.heat().u()); })
      .def_prop_ro("time", [](const State& s) { return s.heat().time(); })
      .def_prop_ro("content", [](const State& s) { return s.heat().content(); });
}

template void bind_heat<double>(nb::module_&);
template void bind_heat<float>(nb::module_&);

}  // namespace jacobi::python
