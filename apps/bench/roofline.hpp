/// Rates against the ceilings of the machine, as a chart.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/chart.hpp"
#include "machine/limit.hpp"

namespace jacobi::cli {

/// One measured rate: a point of the chart.
struct MeasuredRate {
  std::string label;
  machine::Work work;
  double lups = 0;  ///< updates/s
};

/// Operations per second over operations per byte, both axes logarithmic: one roof per level of the memory,
/// one for floating point, one point per rate. rates: at least one, all of one problem; the roofs are those
/// of the most threads among them. No ceilings: points without roofs, and a note that says so.
io::Chart roofline(const std::string& title, const std::vector<MeasuredRate>& rates,
                   const std::optional<machine::Ceilings>& ceilings);

}  // namespace jacobi::cli
