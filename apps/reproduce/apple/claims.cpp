/// What the second source concludes, held against the rows measured here.
#include <fmt/format.h>

#include <algorithm>

#include "apple.hpp"
#include "core/median.hpp"

namespace jacobi::cli {

namespace {

/// Rows of one type, layout and n.
struct Group {
  const AppleRow* first = nullptr;
  std::vector<const AppleRow*> rows;

  /// Mean time of a rung on its best number of threads; nothing where it was not run.
  std::optional<double> time(const std::string& rung) const {
    std::optional<double> best;
    for (const AppleRow* row : rows)
      if (row->variant.rung == rung && !row->ms.empty() && (!best || row->mean() < *best)) best = row->mean();
    return best;
  }
};

/// Rows of these rungs, all of them for none, wherever a claim applies: how many, and how many disturbed.
struct RowsOfClaim {
  std::size_t rows = 0, disturbed = 0;
  Claim judge(Claim claim) const { return unless_disturbed(std::move(claim), disturbed, rows); }
};

template <class Applies>
RowsOfClaim counted_rows(const std::vector<AppleRow>& rows, const std::vector<std::string>& rungs,
                         Applies&& applies) {
  RowsOfClaim counted;
  for (const AppleRow& row : rows) {
    const bool among = rungs.empty() || std::ranges::find(rungs, row.variant.rung) != rungs.end();
    if (row.ms.empty() || !applies(row) || !among) continue;
    ++counted.rows;
    counted.disturbed += row.disturbed > 0;
  }
  return counted;
}

std::vector<Group> groups_of(const std::vector<AppleRow>& rows) {
  std::vector<Group> groups;
  for (const AppleRow& row : rows) {
    const auto same = [&](const AppleRow& a) {
      return a.type == row.type && a.layout == row.layout && a.n == row.n;
    };
    if (groups.empty() || !same(*groups.back().first)) groups.push_back({&row, {}});
    groups.back().rows.push_back(&row);
  }
  return groups;
}

/// Compares two rungs wherever both ran and `applies`: held where the median ratio of their times is at most
/// `most`.
template <class Applies>
Claim compare(const std::vector<AppleRow>& rows, std::string text, const std::string& rung,
              const std::string& other, double most, Applies&& applies) {
  std::vector<double> ratios;
  for (const Group& group : groups_of(rows)) {
    const auto time = group.time(rung), against = group.time(other);
    if (time && against && applies(*group.first)) ratios.push_back(*time / *against);
  }
  if (ratios.empty()) return {std::move(text), {}, "no such rows were run"};
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return counted_rows(rows, {rung, other}, applies)
      .judge({std::move(text), median(ratios) <= most,
              fmt::format(
                  "time of {} over that of {}: median {:.2f}, {:.2f} to {:.2f}, in {} cases; held up to {}",
                  rung, other, median(ratios), *low, *high, ratios.size(), most)});
}

/// The rung is the fastest of all that stand for the source's CPU variants, in at least half of the cases.
template <class Applies>
Claim fastest(const std::vector<AppleRow>& rows, std::string text, const std::string& rung,
              Applies&& applies) {
  int cases = 0, won = 0;
  for (const Group& group : groups_of(rows)) {
    const auto time = group.time(rung);
    if (!time || !applies(*group.first)) continue;
    ++cases;
    won += std::none_of(group.rows.begin(), group.rows.end(), [&](const AppleRow* row) {
      return !row->variant.source.empty() && !row->ms.empty() && row->mean() < *time;
    });
  }
  if (cases == 0) return {std::move(text), {}, "no such rows were run"};
  return counted_rows(rows, {}, applies)
      .judge({std::move(text), 2 * won >= cases,
              fmt::format("fastest in {} of {} cases; held from half of them", won, cases)});
}

/// Of the source's variant of that beginning, as the device has it.
std::string rung_of(const std::vector<AppleRow>& rows, const char* source) {
  const auto row =
      std::ranges::find_if(rows, [&](const AppleRow& one) { return one.variant.source.starts_with(source); });
  return row == rows.end() ? "" : row->variant.rung;
}

}  // namespace

std::vector<Claim> apple_claims(const std::vector<AppleRow>& rows) {
  const auto all = [](const AppleRow&) { return true; };
  const auto from_512 = [](const AppleRow& row) { return row.n >= 512; };
  const auto rows_from_1024 = [](const AppleRow& row) { return row.layout == "row" && row.n >= 1024; };
  return {
      fastest(rows, "BLAS with vector operations is the best on a CPU", "blas", all),
      compare(rows, "explicit vectors, unrolled, with threads, do almost as well as BLAS", "threads", "blas",
              1.25, from_512),
      fastest(rows, "by rows from n = 1024, explicit vectors with threads are the best on a CPU", "threads",
              rows_from_1024),
      compare(rows, "unrolling by columns pays", "simd-8", "simd-1", 0.95,
              [](const AppleRow& row) { return row.layout == "col"; }),
      compare(rows, "unrolling by rows pays", "simd-8", "simd-1", 0.95,
              [](const AppleRow& row) { return row.layout == "row"; }),
      {"a GPU is worth its overhead from n = 2048, and the best from n = 4096",
       {},
       "CPU and GPU are not timed in one run"},
      compare(rows, "one commit for all sweeps beats one per sweep on small problems",
              rung_of(rows, "METAL ONE"), rung_of(rows, "METAL MULTIPLE"), 0.95,
              [](const AppleRow& row) { return row.n <= 1024; }),
  };
}

}  // namespace jacobi::cli
