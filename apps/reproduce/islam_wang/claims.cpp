/// What the third source concludes, as predicates on the tables run here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "islam_wang.hpp"

namespace jacobi::cli {

namespace {

constexpr const char* nothing_run = "not run";

std::string in(const CycleTable& t) { return t.dimensions == 1 ? "1D: " : "2D: "; }

/// The k with the fastest run of all.
const CycleRun* best_of(const CycleTable& t) {
  const CycleRun* best = nullptr;
  for (const Index k : source_subiterations) {
    const CycleRun* run = t.fastest(k);
    if (run && (!best || run->seconds() < best->seconds())) best = run;
  }
  return best;
}

Claim overlap_grows(const CycleTable& t) {
  std::vector<Index> best;
  for (const Index k : source_subiterations)
    if (const CycleRun* run = t.fastest(k)) best.push_back(run->overlap);
  Claim claim{in(t) + "the best overlap grows with the subiterations", {}, nothing_run};
  if (best.size() < 2) return claim;
  claim.held = std::is_sorted(best.begin(), best.end()) && best.back() > best.front();
  claim.why = fmt::format("fastest shared points for k = 4 ... 128: {}; published {}", fmt::join(best, ", "),
                          fmt::join(published_cycles(t.dimensions).best_overlap, ", "));
  return claim;
}

/// About half the tile's width in 1D, about the width in 2D.
Claim best_subiterations(const CycleTable& t) {
  const Index expected = t.dimensions == 1 ? source_tile / 2 : source_tile;
  Claim claim{fmt::format("{}the best number of subiterations is {} a tile's width, {}", in(t),
                          t.dimensions == 1 ? "about half" : "about", expected),
              {},
              nothing_run};
  const CycleRun* best = best_of(t);
  if (!best) return claim;
  claim.held = 2 * best->k >= expected && best->k <= 2 * expected;
  claim.why = fmt::format("fastest here: k = {} with {} shared, {:.3g} s; held from {} to {}", best->k,
                          best->overlap, best->seconds(), expected / 2, 2 * expected);
  return claim;
}

Claim two_points_help(const CycleTable& t) {
  Claim claim{in(t) + "two shared points alone lower the number of cycles for every k", {}, nothing_run};
  std::vector<std::string> factors;
  bool held = true;
  for (const Index k : source_subiterations) {
    const CycleRun *none = t.find(k, 0), *two = t.find(k, 2);
    if (!none || !two) return claim;
    held = held && two->cycles < none->cycles;
    factors.push_back(
        fmt::format("{:.2f}", static_cast<double>(two->cycles) / static_cast<double>(none->cycles)));
  }
  return {claim.text, held,
          fmt::format("cycles with 2 over those with 0, k = 4 ... 128: {}", fmt::join(factors, ", "))};
}

/// Once overlap is a few points, more of it changes little: against the first step, the last one is a tenth
/// at most.
Claim saturates(const CycleTable& t) {
  Claim claim{in(t) + "with growing overlap the number of cycles saturates", {}, nothing_run};
  std::vector<std::string> shares;
  bool held = true;
  for (const Index k : source_subiterations) {
    std::vector<const CycleRun*> of_k;
    for (const CycleRun& run : t.runs)
      if (run.k == k) of_k.push_back(&run);
    if (of_k.size() < 4) return claim;  // too few to judge
    const auto drop = [&](std::size_t i) {
      return static_cast<double>(of_k[i]->cycles - of_k[i + 1]->cycles);
    };
    const double share = drop(0) != 0 ? drop(of_k.size() - 2) / drop(0) : 1;
    held = held && share <= 0.1;
    shares.push_back(fmt::format("{:.3f}", share));
  }
  return {claim.text, held,
          fmt::format("last drop over the first, k = 4 ... 128: {}; held up to 0.1 for every k",
                      fmt::join(shares, ", "))};
}

/// Without overlap, beyond k = 16, a cycle of twice the sweeps saves few cycles: time grows with k.
Claim linear_time(const CycleTable& t) {
  Claim claim{in(t) + "past k = 16 without overlap, time grows linearly with k", {}, nothing_run};
  std::vector<std::string> factors;
  bool held = true;
  for (const Index k : {32, 64}) {
    const CycleRun *one = t.find(k, 0), *twice = t.find(2 * k, 0);
    if (!one || !twice) return claim;
    const double factor = twice->seconds() / one->seconds();
    held = held && factor > 1.5 && factor < 2.2;
    factors.push_back(fmt::format("{:.2f}", factor));
  }
  return {claim.text, held,
          fmt::format("time of 2 k over that of k, k = 32, 64: {}; held from 1.5 to 2.2",
                      fmt::join(factors, ", "))};
}

Claim speedup(const CycleTable& t) {
  const auto published = published_cycles(t.dimensions).best_speedup;
  const double most = *std::max_element(published.begin(), published.end());
  Claim claim{fmt::format("{}cycles are {:.2g} times as fast as plain sweeps one by one", in(t), most),
              {},
              nothing_run};
  const CycleRun* best = best_of(t);
  if (!best) return claim;
  claim.held = t.speedup(*best) >= most;
  claim.why = fmt::format("here {:.2f} times at best; exact sweeps by rung {} are {:.2f} times as fast",
                          t.speedup(*best), t.tiled_rung, t.classic_seconds / t.tiled_seconds);
  return claim;
}

/// Not the source's sentence, but what its figures leave open.
Claim fewer_sweeps(const CycleTable& t) {
  Claim claim{in(t) + "(ours) the cycles need fewer sweeps than plain Jacobi", {}, nothing_run};
  if (t.runs.empty()) return claim;
  const auto least = std::ranges::min_element(
      t.runs, [](const CycleRun& a, const CycleRun& b) { return a.k * a.cycles < b.k * b.cycles; });
  claim.held = least->k * least->cycles < t.plain_sweeps;
  claim.why = fmt::format("fewest: {} sweeps, k = {} with {} shared; plain {}", least->k * least->cycles,
                          least->k, least->overlap, t.plain_sweeps);
  return claim;
}

/// Nor this.
Claim beats_tiled(const CycleTable& t) {
  Claim claim{in(t) + "(ours) cycles that are not exact beat exact sweeps tiled in time on this machine",
              {},
              nothing_run};
  const CycleRun* best = best_of(t);
  if (!best) return claim;
  claim.held = best->seconds() < t.tiled_seconds;
  claim.why =
      fmt::format("best cycles {:.3g} s, rung {} {:.3g} s", best->seconds(), t.tiled_rung, t.tiled_seconds);
  return claim;
}

}  // namespace

std::vector<Claim> cycle_claims(const std::vector<CycleTable>& tables) {
  std::vector<Claim> claims;
  for (const CycleTable& t : tables)
    for (const auto& [judge, of_time] :
         {std::pair<Claim (*)(const CycleTable&), bool>{two_points_help, false},
          {saturates, false},
          {overlap_grows, true},
          {best_subiterations, true},
          {linear_time, true},
          {speedup, true},
          {fewer_sweeps, false},
          {beats_tiled, true}})
      claims.push_back(of_time ? unless_disturbed(judge(t), t.disturbed(), t.timed()) : judge(t));
  return claims;
}

}  // namespace jacobi::cli
