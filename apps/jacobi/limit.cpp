#include "limit.hpp"

#include <fmt/format.h>

#include "apps/bench/roofline.hpp"
#include "ceilings.hpp"
#include "core/words.hpp"

namespace jacobi::cli {

namespace {

void set_device_limit(Report& report, double bandwidth) {
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
  report.notes.emplace_back(Note::Kind::device, note);
}

}  // namespace

void set_limit(Report& report, const Backend& on, const std::function<machine::Work()>& work) {
  if (const double bandwidth = on.copy_bandwidth(); bandwidth > 0) return set_device_limit(report, bandwidth);
  if (!work || !(report.lups > 0)) return;
  const auto ceilings = read_ceilings().ceilings;
  if (!ceilings) return;
  const machine::Limit limit = machine::limit_of(work(), *ceilings);
  report.fraction_of_limit = report.lups / limit.lups;
  report.limit_by = limit.by;
}

void add_roofline(HtmlPage& page, const Report& report, const std::function<machine::Work()>& work,
                  bool several) {
  page.heading("Roofline");
  if (several) {
    page.paragraph("No roofline: of several right-hand sides no rate of the sweeps is told.");
    return;
  }
  if (!work || report.sweeps == 0 || !(report.lups > 0)) {
    page.paragraph("No roofline: for this method it is not known how many operations an update takes.");
    return;
  }
  const KnownCeilings known = read_ceilings();
  if (!known.ceilings) {
    page.paragraph(std::string("No roofline, since the ceilings of this machine are not known: ") +
                   advice_on_ceilings + ".");
    return;
  }
  page.chart(
      roofline("The sweeps of this solve",
               {{fmt::format("{}, {}", report.rung, counted(report.threads, "thread")), work(), report.lups}},
               known.ceilings));
}

}  // namespace jacobi::cli
