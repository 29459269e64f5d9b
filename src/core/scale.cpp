#include "core/scale.hpp"

#include <limits>

namespace jacobi {

Stop times_power_of_two(const Stop& stop, int power) {
  Stop scaled = stop;
  scaled.absolute = std::ldexp(stop.absolute, power);
  if (stop.progress)
    scaled.progress = [progress = stop.progress, power](Progress p) {
      p.norm = std::ldexp(p.norm, -power);
      p.tolerance = std::ldexp(p.tolerance, -power);
      return progress(p);
    };
  return scaled;
}

Check times_power_of_two(const Check& check, int power) {
  return {check.sweeps, std::ldexp(check.norm, power), std::ldexp(check.tolerance, power),
          [iterate = check.iterate, power] { return times_power_of_two<double>(iterate(), power); }};
}

void multiply(Report& report, int power) {
  const auto times = [power](double& norm) {
    const double scaled = std::ldexp(norm, power);  // what vanishes is not 0
    norm = scaled == 0 && norm > 0 ? std::numeric_limits<double>::denorm_min() : scaled;
  };
  for (double* norm : {&report.reference_norm, &report.tolerance, &report.norm_initial, &report.norm_final})
    times(*norm);
  report.tolerance = std::min(report.tolerance, std::numeric_limits<double>::max());
  for (auto* norm : {&report.update_norm, &report.update_max, &report.residual_norm})
    if (*norm) times(**norm);
  for (HistoryEntry& entry : report.history) times(entry.norm);
}

}  // namespace jacobi
