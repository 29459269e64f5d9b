/// A report for programs.
#include <vector>

#include "report/json.hpp"
#include "report/report.hpp"

namespace jacobi {

std::string to_json(const Report& r) {
  ordered_json history = ordered_json::array();
  for (const HistoryEntry& entry : r.history) history.push_back({entry.sweeps, or_null(entry.norm)});
  ordered_json json;
  json["schema"] = 1;
  json["status"] = name(r.status);
  json["method"] = r.method;
  json["plan"] = r.plan;
  json["backend"] = r.backend;
  json["rung"] = or_null(r.rung);
  json["algorithm"] = or_null(r.algorithm);
  json["simd"] = or_null(r.simd);
  json["threads"] = r.threads;
  json["precision"] = r.precision;
  json["unknowns"] = r.unknowns;
  json["sweeps"] = r.sweeps;
  json["cycles"] = or_null(r.cycles);
  json["redundant_work"] = or_null(r.redundant_work);
  json["work"] = or_null(r.work);
  json["checks"] = r.checks;
  json["check_every"] = r.check_every;
  json["norm"] = name(r.norm);
  json["reference"] = name(r.reference);
  json["reference_norm"] = or_null(r.reference_norm);
  json["tolerance"] = or_null(r.tolerance);
  json["norm_initial"] = or_null(r.norm_initial);
  json["norm_final"] = or_null(r.norm_final);
  json["update_norm"] = or_null(r.update_norm);
  json["residual_norm"] = or_null(r.residual_norm);
  json["backward_error"] = or_null(r.backward_error);
  json["error_norm"] = r.error ? or_null(r.error->l2) : ordered_json(nullptr);
  json["error_max"] = r.error ? or_null(r.error->max) : ordered_json(nullptr);
  json["error_bound"] = or_null(r.error_bound);
  json["contraction"] = or_null(contraction_told(r));
  json["seconds"] = r.seconds;
  json["seconds_setup"] = r.seconds_setup;
  json["lups"] = or_null(r.lups);
  json["bytes_per_update"] = r.bytes_per_update;
  json["fraction_of_limit"] = or_null(r.fraction_of_limit);
  json["limit_by"] = or_null(r.limit_by);
  json["seconds_upload"] = or_null(r.seconds_upload);
  json["seconds_download"] = or_null(r.seconds_download);
  json["occupancy"] = or_null(r.occupancy);
  json["notes"] = sentences(r.notes);
  json["history"] = history;
  for (const ColumnReport& c : r.columns)
    json["columns"].push_back({{"status", name(c.status)},
                               {"sweeps", c.sweeps},
                               {"tolerance", or_null(c.tolerance)},
                               {"norm_initial", or_null(c.norm_initial)},
                               {"norm_final", or_null(c.norm_final)}});
  return json_text(json);
}

}  // namespace jacobi
