/// What the text and the JSON of a report agree on.
#pragma once
#include <cmath>
#include <optional>
#include <string>

#include "jacobi/report.hpp"

namespace jacobi {

/// "error against the known solution: ...".
std::string error_in_words(const ErrorNorms& error);

/// The factor per sweep where it tells of the same as the status: growth, where the norm ended higher and
/// might have grown on; contraction, where it did not diverge.
inline std::optional<double> contraction_told(const Report& r) {
  if (!r.contraction || !std::isfinite(*r.contraction)) return {};
  const bool open =
      r.status == Status::sweep_limit || r.status == Status::time_limit || r.status == Status::interrupted;
  const bool may_grow = r.status == Status::diverged || (open && r.norm_final > r.norm_initial);
  return (*r.contraction >= 1 ? may_grow : r.status != Status::diverged) ? r.contraction : std::nullopt;
}

}  // namespace jacobi
