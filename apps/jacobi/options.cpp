#include "options.hpp"

#include <fmt/format.h>

#include "core/teams.hpp"
#include "html.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

void RunOptions::add_to(CLI::App& app) {
  app.add_option(
         "--threads", threads,
         "threads to use at most, fewer where these are faster, but with JACOBI_TEAMS=fixed (default: "
         "every core that the process may use)")
      ->transform(whole())
      ->type_name("N");
  app.add_option("--backend", backend,
                 "who sweeps: serial, threads, threads:N, cuda:N, opencl:N, opencl:cpu, opencl:gpu")
      ->type_name("NAME:{serial,threads,cuda:,opencl:,opencl:cpu,opencl:gpu}");
  app.add_option("--precision", precision, "of matrix and vectors")
      ->check(one_of({"double", "float"}))
      ->capture_default_str();
  app.add_option("--json", json, "write the report as JSON ('-': to standard output, and nothing else there)")
      ->type_name("FILE");
  app.add_flag("--quiet", quiet, "print nothing but errors");
}

void RunOptions::add_progress_to(CLI::App& app) {
  app.add_option(
         "--progress", progress,
         "on stderr: auto, a line on a terminal that is renewed (where TERM is dumb or empty, as plain); "
         "plain, a line "
         "every 10 s, also where stderr is piped (plain:60: every 60 s); none")
      ->type_name("KIND:{auto,plain,none}")
      ->capture_default_str();
}

std::shared_ptr<const Backend> RunOptions::make_backend() const {
  if (!threads) return jacobi::backend(backend);
  if (*threads < 1) throw UsageError(fmt::format("--threads {}: at least 1", *threads));
  limit_whole_teams(*threads);
  if (backend.find(':') != std::string::npos)
    throw UsageError(
        fmt::format("--threads {} and --backend {} both give a number of threads", *threads, backend));
  if (!counts_threads(backend))
    throw UsageError(
        fmt::format("--threads {} is for processors: of devices take --backend {}:N", *threads, backend));
  if (backend == "serial") {
    if (*threads == 1) return jacobi::backend(backend);
    throw UsageError(
        fmt::format("--backend serial runs on one thread, --threads {} asks for more", *threads));
  }
  return jacobi::backend(fmt::format("{}:{}", backend.empty() ? "threads" : backend, *threads));
}

void StopOptions::add_to(CLI::App& app) {
  app.add_option("--rtol", rtol, "stop when norm <= max(atol, rtol x reference)")
      ->check(finite_from(0))
      ->capture_default_str();
  app.add_option("--atol", atol, "absolute tolerance")->check(finite_from(0))->capture_default_str();
  app.add_option(
         "--norm", norm,
         "what is tested: 2-norm or largest entry of residual b - A u or of the update, or 2-norm of the "
         "residual over the diagonal; auto: the residual, over the diagonal where that varies 1000-fold")
      ->check(one_of({"auto", "residual", "update", "max-residual", "max-update", "scaled-residual"}))
      ->capture_default_str();
  app.add_option(
         "--reference", reference,
         "what rtol is relative to: the same norm of b with the boundary values folded in (of D^-1 b for "
         "updates and scaled residuals), the initial norm, or nothing")
      ->check(one_of({"rhs", "initial", "none"}))
      ->capture_default_str();
  app.add_option("--max-sweeps", max_sweeps, "limit of sweeps (default 10 million)")
      ->transform(whole_from(0))
      ->type_name("N");
  app.add_option("--max-seconds", max_seconds, "limit of time, setup aside")
      ->check(finite_from(0))
      ->type_name("S");
  app.add_option("--check-every", check_every,
                 "sweeps (with --tile or multigrid, cycles) between checks (default: 1, 2, 4, ... until they "
                 "cost under 1 %)")
      ->transform(whole_from(1))
      ->type_name("M");
}

void StopOptions::add_projection_to(CLI::App& app) {
  app.add_flag("--project-rhs", project_rhs,
               "where a singular A has no solution for the right-hand side: subtract its mean");
}

Stop StopOptions::make() const {
  Stop stop;
  stop.relative = rtol;
  stop.absolute = atol;
  for (const Norm one : {Norm::automatic, Norm::residual, Norm::update, Norm::max_residual, Norm::max_update,
                         Norm::scaled_residual})
    if (norm == name(one)) stop.norm = one;
  for (const Reference one : {Reference::rhs, Reference::initial, Reference::none})
    if (reference == name(one)) stop.reference = one;
  const double relative = stop.reference == Reference::none ? 0 : rtol;
  if (!(relative > 0) && !(atol > 0) && max_sweeps < 0 && max_seconds < 0)
    throw UsageError(
        fmt::format("the tolerance is 0{}: give {}, or a limit with --max-sweeps or --max-seconds",
                    rtol > 0 ? " (--rtol counts for nothing with --reference none)" : "",
                    stop.reference == Reference::none ? "--atol" : "--rtol or --atol"));
  if (max_sweeps >= 0) stop.max_sweeps = max_sweeps;
  if (max_seconds >= 0) stop.max_seconds = max_seconds;
  stop.check_every = check_every;
  stop.project_rhs = project_rhs;
  return stop;
}

void OutputOptions::add_fields_to(CLI::App& app) {
  app.add_option("-o,--output", output, "write the solution on all grid points; .csv: x, y, z, u")
      ->type_name("X.npy|CSV");
  app.add_option("--image", image, "draw the solution by gnuplot (3D: a middle plane)")->type_name("U.png");
  app.add_option("--vti", vti, "write the solution for ParaView; .vtr where points are not spaced equally")
      ->type_name("U.vti|U.vtr");
}

void OutputOptions::add_to(CLI::App& app) {
  add_fields_to(app);
  app.add_option("--history", history, "write sweeps and norms")->type_name("H.csv");
  add_report_to(app, report);
}

std::vector<OutputFile> OutputOptions::files() const {
  return {{"--output", output, {".npy", ".csv"}},
          {"--image", image, {".png"}, false, true},
          {"--vti", vti, {".vti", ".vtr"}},
          {"--history", history, {".csv"}},
          report_file(report)};
}

}  // namespace jacobi::cli
