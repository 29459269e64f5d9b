#include "device_limit.hpp"

#include <fmt/format.h>

namespace jacobi::cli {

bool set_device_limit(Report& report, const Backend& on) {
  const double bandwidth = on.copy_bandwidth();
  if (!(bandwidth > 0)) return false;
  if (report.lups > 0) {
    report.fraction_of_limit = report.lups * report.bytes_per_update / bandwidth;
    report.limit_by = "copies in the device's memory";
  }
  std::string note = fmt::format("device {}, copies {:.4g} GB/s", report.simd, bandwidth / 1e9);
  if (report.occupancy)
    note +=
        fmt::format("; its multiprocessors hold {:.0f} % of the threads they could", 100 * *report.occupancy);
  if (report.seconds_upload && report.seconds_download)
    note += fmt::format("; b and x were uploaded in {:.3g} s, the solution downloaded in {:.3g} s",
                        *report.seconds_upload, *report.seconds_download);
  report.notes.push_back(note);
  return true;
}

}  // namespace jacobi::cli
