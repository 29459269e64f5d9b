/// What is asked of a call and what it reports, as Python classes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "core/amg.hpp"
#include "core/nearest.hpp"
#include "watch.hpp"

namespace jacobi::python {

namespace {

template <class E, std::size_t N>
E one_of(const std::array<std::pair<const char*, E>, N>& known, const char* what, const std::string& text) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known) {
    if (text == name) return value;
    names.emplace_back(name);
  }
  throw UsageError(fmt::format("there is no {} '{}': take one of {}{}", what, text, fmt::join(names, ", "),
                               hint_for(text, names)));
}

template <class Text>
std::vector<std::string> sentences(const std::vector<Text>& texts) {
  std::vector<std::string> told;
  for (const std::string& text : texts) told.push_back(in_python(text));
  return told;
}

/// Two columns: sweeps, norms.
nb::tuple history_of(const Report& r) {
  std::vector<Index> sweeps;
  std::vector<double> norms;
  for (const HistoryEntry& entry : r.history) {
    sweeps.push_back(entry.sweeps);
    norms.push_back(entry.norm);
  }
  return nb::make_tuple(array_of(std::move(sweeps)), array_of(std::move(norms)));
}

nb::list columns_of(const Report& r) {
  nb::list all;
  for (const ColumnReport& c : r.columns)
    all.append(nb::make_tuple(name(c.status), c.sweeps, c.tolerance, c.norm_initial, c.norm_final));
  return all;
}

nb::list proofs_of(const Diagnosis& d) {
  nb::list all;
  for (const Proof& proof : d.proofs) all.append(nb::make_tuple(proof.name, in_python(proof.sentence)));
  return all;
}

void bind_requests(nb::module_& m) {
  nb::class_<Stop>(m, "Stop")
      .def(nb::init<>())
      .def_rw("relative", &Stop::relative)
      .def_rw("absolute", &Stop::absolute)
      .def_rw("max_sweeps", &Stop::max_sweeps)
      .def_rw("max_seconds", &Stop::max_seconds)
      .def_rw("check_every", &Stop::check_every)
      .def_rw("project_rhs", &Stop::project_rhs)
      .def_prop_rw(
          "norm", [](const Stop& s) { return name(s.norm); },
          [](Stop& s, const std::string& text) { s.norm = norm_of(text); })
      .def_prop_rw(
          "reference", [](const Stop& s) { return name(s.reference); },
          [](Stop& s, const std::string& text) { s.reference = reference_of(text); });
  nb::class_<Request>(m, "Request")
      .def(nb::init<>())
      .def_rw("method", &Request::method)
      .def_rw("omega", &Request::omega, nb::arg().none())
      .def_rw("period", &Request::period, nb::arg().none())
      .def_rw("depth", &Request::depth, nb::arg().none())
      .def_rw("rung", &Request::rung)
      .def("set_matrix_precision",
           [](Request& r, const std::string& name) { r.matrix_precision = matrix_precision_named(name); })
      .def_rw("recognise_grids", &Request::recognise_grids)
      .def("set_cycle",
           [](Request& r, Index pre, Index post, Index visits, bool full) {
             r.cycle = Multigrid{pre, post, visits, full};
           })
      .def("set_amg", [](Request& r, Index pre, Index post, const std::string& cycle, double strength,
                         Index block, std::vector<std::vector<double>> near_null, double setup_seconds) {
        Amg& options = r.amg.emplace();
        options.pre = pre;
        options.post = post;
        options.cycle = cycle_of(cycle);
        options.strength = strength;
        options.block = block;
        options.max_setup_seconds = setup_seconds;
        if (!near_null.empty())
          options.near_null = std::make_shared<std::vector<std::vector<double>>>(std::move(near_null));
      });
  nb::class_<CheckView>(m, "Check", "A check of a running solve, as a callback sees it.")
      .def_ro("sweeps", &CheckView::sweeps)
      .def_ro("norm", &CheckView::norm)
      .def_ro("tolerance", &CheckView::tolerance)
      .def("iterate", [](const CheckView& check) {
        if (!check.iterate) throw UsageError("the iterate can be had only while the callback runs");
        return array_of(check.iterate());
      });
}

void bind_diagnosis(nb::module_& m) {
  nb::class_<Diagnosis>(m, "Diagnosis")
      .def_ro("rows", &Diagnosis::rows)
      .def_ro("entries", &Diagnosis::entries)
      .def_prop_ro("verdict", [](const Diagnosis& d) { return name(d.verdict); })
      .def_prop_ro("method", [](const Diagnosis& d) { return name(d.method); })
      .def_ro("symmetric", &Diagnosis::symmetric)
      .def_ro("asymmetry", &Diagnosis::asymmetry)
      .def_ro("pattern_symmetric", &Diagnosis::pattern_symmetric)
      .def_ro("zero_diagonal", &Diagnosis::zero_diagonal)
      .def_ro("zero_diagonal_count", &Diagnosis::zero_diagonal_count)
      .def_ro("row_order", &Diagnosis::row_order)
      .def_prop_ro("proofs", &proofs_of,
                   nb::for_getter(nb::sig("def proofs(self, /) -> list[tuple[str, str]]")))
      .def_prop_ro("warnings", [](const Diagnosis& d) { return sentences(d.warnings); })
      .def_prop_ro("bound",
                   [](const Diagnosis& d) {
                     return d.bound
                                ? std::optional(std::pair(d.bound->factor, std::string(name(d.bound->norm))))
                                : std::nullopt;
                   })
      .def_ro("radius_lower", &Diagnosis::radius_lower)
      .def_ro("radius_upper", &Diagnosis::radius_upper)
      .def_ro("spectral_radius", &Diagnosis::spectral_radius)
      .def_ro("radius_resolved", &Diagnosis::radius_resolved)
      .def_prop_ro("eigenvalues",
                   [](const Diagnosis& d) {
                     return d.eigenvalues ? std::optional(std::pair(d.eigenvalues->low, d.eigenvalues->high))
                                          : std::nullopt;
                   })
      .def_ro("far_from_normal", &Diagnosis::far_from_normal)
      .def_ro("norm_initial", &Diagnosis::norm_initial)
      .def_ro("tolerance", &Diagnosis::tolerance)
      .def_ro("predicted_sweeps", &Diagnosis::predicted_sweeps)
      .def_ro("best_omega", &Diagnosis::best_omega)
      .def_ro("radius_at_best_omega", &Diagnosis::radius_at_best_omega)
      .def_ro("l1_radius", &Diagnosis::l1_radius)
      .def_prop_ro("positive_definite",
                   [](const Diagnosis& d) -> std::optional<bool> {
                     if (!d.positive_definite && !d.not_definite) return {};
                     return d.positive_definite;
                   })
      .def_ro("m_matrix", &Diagnosis::m_matrix)
      .def_ro("singular", &Diagnosis::singular)
      .def_prop_ro("no_solution", [](const Diagnosis& d) { return in_python(d.no_solution); })
      .def_ro("method_sweeps", &Diagnosis::method_sweeps)
      .def_prop_ro("advice", [](const Diagnosis& d) { return in_python(d.advice); })
      .def_ro("products", &Diagnosis::products)
      .def_ro("matrix_free", &Diagnosis::matrix_free)
      .def_prop_ro("claimed",
                   [](const Diagnosis& d) {
                     return d.claimed ? std::optional(std::pair(d.claimed->low, d.claimed->high))
                                      : std::nullopt;
                   })
      .def_ro("seconds", &Diagnosis::seconds)
      .def("to_text", [](const Diagnosis& d) { return in_python(to_text(d)); })
      .def("to_json", [](const Diagnosis& d) { return to_json(d); });
  nb::class_<Forecast>(m, "Forecast")
      .def_prop_ro("method", [](const Forecast& f) { return f.choice.plan.name(); })
      .def_prop_ro("reason", [](const Forecast& f) { return in_python(f.choice.reason); })
      .def_prop_ro("spectral_radius", [](const Forecast& f) { return f.prediction.spectral_radius; })
      .def_prop_ro("sweeps", [](const Forecast& f) { return f.prediction.sweeps; })
      .def_prop_ro("tolerance", [](const Forecast& f) { return f.prediction.tolerance; })
      .def_ro("unknowns", &Forecast::unknowns)
      .def_ro("threads", &Forecast::threads)
      .def_ro("rung", &Forecast::rung)
      .def_ro("algorithm", &Forecast::algorithm)
      .def_ro("memory", &Forecast::memory)
      .def_ro("bytes_per_sweep", &Forecast::bytes_per_sweep)
      .def_ro("seconds_per_sweep", &Forecast::seconds_per_sweep)
      .def_prop_ro("notes", [](const Forecast& f) { return sentences(f.notes); })
      .def("to_text", [](const Forecast& f) { return in_python(to_text(f)); })
      .def("to_json", [](const Forecast& f) { return to_json(f); });
}

}  // namespace

Norm norm_of(const std::string& text) {
  static constexpr std::array known = {
      std::pair{"auto", Norm::automatic},        std::pair{"residual", Norm::residual},
      std::pair{"update", Norm::update},         std::pair{"max-residual", Norm::max_residual},
      std::pair{"max-update", Norm::max_update}, std::pair{"scaled-residual", Norm::scaled_residual}};
  return one_of(known, "norm", text);
}

Reference reference_of(const std::string& text) {
  static constexpr std::array known = {std::pair{"rhs", Reference::rhs},
                                       std::pair{"initial", Reference::initial},
                                       std::pair{"none", Reference::none}};
  return one_of(known, "reference", text);
}

Cholesky cholesky_of(const std::string& text) {
  static constexpr std::array known = {std::pair{"when_cheap", Cholesky::when_cheap},
                                       std::pair{"always", Cholesky::always},
                                       std::pair{"never", Cholesky::never}};
  return one_of(known, "choice of cholesky", text);
}

void bind_report(nb::module_& m) {
  bind_requests(m);
  bind_diagnosis(m);
  nb::class_<Report>(m, "Report", "What a solve did.")
      .def_prop_ro("status", [](const Report& r) { return name(r.status); })
      .def_ro("method", &Report::method)
      .def_ro("plan", &Report::plan)
      .def_ro("backend", &Report::backend)
      .def_ro("rung", &Report::rung)
      .def_ro("algorithm", &Report::algorithm)
      .def_ro("simd", &Report::simd)
      .def_ro("threads", &Report::threads)
      .def_ro("precision", &Report::precision)
      .def_ro("unknowns", &Report::unknowns)
      .def_ro("sweeps", &Report::sweeps)
      .def_ro("cycles", &Report::cycles)
      .def_ro("work", &Report::work)
      .def_ro("checks", &Report::checks)
      .def_prop_ro("norm", [](const Report& r) { return name(r.norm); })
      .def_prop_ro("reference", [](const Report& r) { return name(r.reference); })
      .def_ro("reference_norm", &Report::reference_norm)
      .def_ro("tolerance", &Report::tolerance)
      .def_ro("norm_initial", &Report::norm_initial)
      .def_ro("norm_final", &Report::norm_final)
      .def_ro("update_norm", &Report::update_norm)
      .def_ro("residual_norm", &Report::residual_norm)
      .def_ro("backward_error", &Report::backward_error)
      .def_ro("error_bound", &Report::error_bound)
      .def_ro("contraction", &Report::contraction)
      .def_ro("seconds", &Report::seconds)
      .def_ro("seconds_setup", &Report::seconds_setup)
      .def_prop_ro("history", &history_of,
                   nb::for_getter(nb::sig(
                       "def history(self, /) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64]]")))
      .def_prop_ro(
          "columns", &columns_of,
          nb::for_getter(nb::sig("def columns(self, /) -> list[tuple[str, int, float, float, float]]")))
      .def_prop_ro("notes", [](const Report& r) { return sentences(r.notes); })
      .def("add_note", [](Report& r, const std::string& text) { r.notes.emplace_back(text); })
      .def("__repr__",
           [](const Report& r) {
             return fmt::format("<pyjacobi.Report: {} after {} sweeps of {}>", name(r.status), r.sweeps,
                                r.method);
           })
      .def("to_text", [](const Report& r) { return in_python(to_text(r)); })
      .def("to_json", [](const Report& r) { return to_json(r); });
}

}  // namespace jacobi::python
