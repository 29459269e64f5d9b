/// `jacobi info`: what this build holds and what this machine can run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ceilings.hpp"
#include "commands.hpp"
#include "core/blas.hpp"
#include "core/memory.hpp"
#include "core/teams.hpp"
#include "core/words.hpp"
#include "io/chart.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "jacobi/version.hpp"
#include "last_step.hpp"
#include "machine.hpp"
#include "machine/disturbance.hpp"
#include "options.hpp"
#include "report.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/registry.hpp"
#include "tiles.hpp"

namespace jacobi::cli {

namespace {

void add_tiles(nlohmann::ordered_json& json) {
  const KnownTiles known = read_tiles();
  json["tiles_file"] = or_null(tiles_path());
  json["tiles_note"] = or_null(known.note);
  json["tiles"] = nlohmann::ordered_json::array();
  for (const KnownTile& tile : tiles_of_this_machine(known.tiles)) json["tiles"].push_back(to_json(tile));
}

/// What rung blas of dense matrices would run.
std::string blas_in_words() {
  try {
    require_blas();
    const std::string kernel = blas_kernel();
    return kernel.empty() ? "found" : "OpenBLAS, kernels for " + kernel;
  } catch (const BackendError& error) {
    return error.what();
  }
}

nlohmann::ordered_json as_json(std::span<const Rung> rungs) {
  nlohmann::ordered_json json;
  for (const Rung& r : rungs)
    json.push_back({{"number", r.number}, {"name", r.name}, {"idea", r.idea}, {"compiled", r.compiled}});
  return json;
}

void print(const std::string& title, std::span<const Rung> rungs) {
  fmt::print("{}:\n", title);
  for (const Rung& r : rungs)
    fmt::print("  {} {:<10} {}{}\n", r.number, r.name, r.idea, r.compiled ? "" : " (not in this build)");
}

void print_algorithms() {
  fmt::print("algorithms on grids; a rung takes the first of its own that suits:\n");
  for (const sweep::AlgorithmOnGrids& one : sweep::algorithms_on_grids())
    fmt::print("  {:<12} {} (rung {}, {}D)\n", one.name, one.summary, one.rung,
               fmt::join(one.dimensions, "D, "));
}

nlohmann::ordered_json as_json(const KnownCeilings& known) {
  nlohmann::ordered_json json = describe_machine();
  json["instruction_sets"] = {
      {"compiled", simd::compiled()}, {"usable", simd::usable()}, {"chosen", simd::chosen()}};
  for (const BackendInfo& b : backends())
    json["backends"].push_back({{"name", b.name},
                                {"compiled", b.compiled},
                                {"usable", b.usable},
                                {"note", b.note},
                                {"devices", b.devices}});
  json["rungs"] = as_json(stencil_rungs());
  for (const sweep::AlgorithmOnGrids& one : sweep::algorithms_on_grids())
    json["algorithms"].push_back(
        {{"name", one.name}, {"summary", one.summary}, {"rung", one.rung}, {"dimensions", one.dimensions}});
  json["sparse_rungs"] = as_json(sparse_rungs());
  json["dense_rungs"] = as_json(dense_rungs());
  json["blas"] = blas_in_words();
  json["ceilings_file"] = or_null(ceilings_path());
  json["ceilings_note"] = or_null(known.note);
  json["ceilings"] = known.ceilings ? to_json(*known.ceilings) : nlohmann::ordered_json(nullptr);
  add_tiles(json);
  return json;
}

void print_ceilings(const KnownCeilings& known) {
  const std::string file = ceilings_path();
  if (!known.ceilings)
    fmt::print("ceilings: not measured: {}{}\n", advice_on_ceilings,
               file.empty() ? "" : "; they are kept in " + file);
  else if (file.empty())
    fmt::print("ceilings, not kept (neither JACOBI_CACHE, XDG_CACHE_HOME nor HOME is set):\n{}",
               to_text(*known.ceilings));
  else
    fmt::print("ceilings, in {} (--measure renews it):\n{}", file, to_text(*known.ceilings));
  if (!known.note.empty()) fmt::print("  note: {}\n", known.note);
}

void print_tiles() {
  const KnownTiles known = read_tiles();
  const auto here = tiles_of_this_machine(known.tiles);
  const std::string file = tiles_path();
  if (file.empty())
    return fmt::print("tiles: not kept (neither JACOBI_CACHE, XDG_CACHE_HOME nor HOME is set)\n");
  fmt::print("tiles measured by long solves, in {}: {}", file, here.empty() ? "none\n" : "\n");
  for (const KnownTile& tile : here) fmt::print("  {}, {}\n", to_text(tile), tile.date);
  if (here.size() < known.tiles.size())
    fmt::print("  and {} of other processors or instruction sets\n", known.tiles.size() - here.size());
  if (!known.note.empty()) fmt::print("  note: {}\n", known.note);
}

/// Throws: BackendError where other work takes a tenth of a core or more.
void require_idle() {
  const std::optional<double> others = machine::cores_of_others(0.3);
  if (others && *others >= 0.1)
    throw BackendError(
        fmt::format("info --measure: other work keeps {:.1f} of {} busy, and ceilings would be too low: wait "
                    "until it has ended, or add --force",
                    *others, counted(cores_of_affinity(), "core")));
}

int run_info(const std::string& path, bool measure, bool force) {
  check_outputs({json_file(path)});
  if (measure && !force) require_idle();
  const KnownCeilings known = measure ? KnownCeilings{measure_ceilings(), {}} : read_ceilings();
  LastStep last;
  if (!path.empty()) last.attempt("--json", [&] { write_text(path, json_text(as_json(known))); });
  if (path == "-") return last.code_or(0);
  fmt::print("jacobi {}\n", version());
  const auto machine = describe_machine();
  fmt::print("machine: {}, {} usable, {} memory available\n", machine["processor"].get<std::string>(),
             counted(available_cores(), "core"), in_words(available_memory()));
  fmt::print("instruction sets: compiled {}; usable {}; chosen {} (JACOBI_SIMD=NAME forces one)\n",
             fmt::join(simd::compiled(), ", "), fmt::join(simd::usable(), ", "), simd::chosen());
  fmt::print("backends:\n");
  for (const BackendInfo& b : backends()) {
    fmt::print("  {:<8} {:<12} {}\n", b.name, b.usable ? "usable" : "not usable", b.note);
    for (const std::string& device : b.devices) fmt::print("    {}\n", device);
  }
  print("stencil rungs (every one gives the bits of rung 0)", stencil_rungs());
  print_algorithms();
  print("sparse rungs (every one gives the bits of rung 0)", sparse_rungs());
  print(fmt::format("dense rungs (by columns all but {} give the bits of rung 0, else within a bound of it)",
                    dense_rungs_out_of_order()),
        dense_rungs());
  fmt::print("BLAS: {}\n", blas_in_words());
  fmt::print("charts: {}\n",
             io::gnuplot_available() ? "gnuplot found" : "gnuplot not found: apt-get install gnuplot-nox");
  print_ceilings(known);
  print_tiles();
  return last.code_or(0);
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("info", "version, instruction sets, backends, rungs, measured ceilings");
  auto path = std::make_shared<std::string>();
  auto measure = std::make_shared<bool>(false);
  auto force = std::make_shared<bool>(false);
  sub->add_flag(
      "--measure", *measure,
      "measure bandwidths and operations per second (5 to 15 s) and keep them for 'bench' and 'poisson'");
  sub->add_flag("--force", *force, "measure although other work keeps cores busy")->needs("--measure");
  sub->add_option("--json", *path, "write it as JSON ('-': standard output)")->type_name("FILE");
  sub->footer("Example:\n  jacobi info\nOnce, on an idle machine: jacobi info --measure");
  sub->callback([path, measure, force, &action] {
    action = [path, measure, force] { return run_info(*path, *measure, *force); };
  });
}

}  // namespace jacobi::cli
