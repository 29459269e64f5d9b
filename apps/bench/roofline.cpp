#include "roofline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/jacobi/ceilings.hpp"
#include "apps/jacobi/numbers.hpp"
#include "core/words.hpp"

namespace jacobi::cli {

namespace {

double operations_per_byte(const machine::Work& work) { return work.operations() / work.bytes_per_update; }

/// A roof y = bandwidth x up to the height of the flat one.
io::Series slope(const char* level, double bandwidth, double height, double from) {
  return {fmt::format("{} {:.3g} GB/s", level, bandwidth / 1e9),
          {from, height / bandwidth},
          {bandwidth * from / 1e9, height / 1e9},
          "lines",
          {}};
}

io::Series flat(const std::string& what, double height, double from, double to) {
  return {fmt::format("{} {:.3g} Gop/s", what, height / 1e9),
          {from, to},
          {height / 1e9, height / 1e9},
          "lines",
          {}};
}

void add_roofs(io::Chart& chart, const machine::Work& work, const machine::Ceilings& ceilings, double from,
               double to) {
  const machine::Ceiling c = machine::ceiling_of(ceilings, work.threads);
  const double height = machine::operations_per_second(work, c);
  double ridge = to;
  for (int level = 0; level < machine::levels; ++level) {
    if (c.read[level] <= 0) continue;
    if (from < height / c.read[level])
      chart.series.push_back(slope(machine::level_names[level], c.read[level], height, from));
    ridge = std::max(ridge, height / c.read[level]);
  }
  const double from_l1 = c.read[0] * work.operations() / (work.loads * work.value_bytes);
  chart.series.push_back(flat("floating point", height, std::max(from, height / c.read[0]), 1.5 * ridge));
  if (from_l1 > 0 && from_l1 < height)
    chart.series.push_back(flat(fmt::format("{:.3g} loads from L1", work.loads), from_l1,
                                std::max(from, from_l1 / c.read[0]), 1.5 * ridge));
}

}  // namespace

io::Chart roofline(const std::string& title, const std::vector<MeasuredRate>& rates,
                   const std::optional<machine::Ceilings>& ceilings) {
  io::Chart chart{title, "operations per byte moved", "billion operations/s", true, true, {}, {}};
  machine::Work most = rates.front().work;
  double low = operations_per_byte(most), high = low;
  for (const MeasuredRate& rate : rates) {
    if (rate.work.threads > most.threads) most = rate.work;
    low = std::min(low, operations_per_byte(rate.work));
    high = std::max(high, operations_per_byte(rate.work));
  }
  if (ceilings) add_roofs(chart, most, *ceilings, low / 2, high);
  for (const MeasuredRate& rate : rates)
    chart.series.push_back(
        {fmt::format("{}: {} {}LUP/s", rate.label, four_digits(rate.lups / unit_of_rate(rate.lups).size),
                     unit_of_rate(rate.lups).prefix),
         {operations_per_byte(rate.work)},
         {rate.lups * rate.work.operations() / 1e9},
         "points",
         {}});
  chart.notes.push_back(fmt::format("An update: {}, {:.3g} loads, bytes by each rung's count.",
                                    machine::in_words(most), most.loads));
  chart.notes.push_back(ceilings ? fmt::format("Roofs: {}, {}, {}, {}.", ceilings->processor, ceilings->simd,
                                               counted(most.threads, "thread"), ceilings->date)
                                 : fmt::format("No roofs: {}.", advice_on_ceilings));
  return chart;
}

}  // namespace jacobi::cli
