#include "core/amg.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"

namespace jacobi {

namespace {

constexpr std::string_view letters = "VWK";  // in the order of AmgCycle

}  // namespace

char letter_of(AmgCycle cycle) { return letters[static_cast<std::size_t>(cycle)]; }

AmgCycle cycle_of(std::string_view letter) {
  for (const AmgCycle cycle : {AmgCycle::v, AmgCycle::w, AmgCycle::k})
    if (letter.size() == 1 && std::toupper(static_cast<unsigned char>(letter[0])) == letter_of(cycle))
      return cycle;
  throw UsageError(fmt::format("there is no cycle '{}' of algebraic multigrid: take V, W or K", letter));
}

void require_sensible(const Amg& options) {
  constexpr Index most = 64, largest_block = 64, most_factored = 5000;
  if (options.pre < 0 || options.pre > most || options.post < 1 || options.post > most)
    throw UsageError(
        fmt::format("algebraic multigrid with {} sweeps before and {} after the correction: 0 to {} before, "
                    "1 to {} after",
                    options.pre, options.post, most, most));
  if (!(options.strength >= 0 && options.strength < 1))
    throw UsageError(fmt::format("strength {} of a coupling: 0 to below 1", options.strength));
  if (options.block < 1 || options.block > largest_block)
    throw UsageError(fmt::format("blocks of {} unknowns: 1 to {}", options.block, largest_block));
  if (options.coarsest < 1 || options.coarsest > most_factored)
    throw UsageError(fmt::format("a coarsest level of {} rows: 1 to {}", options.coarsest, most_factored));
  if (!(options.complexity > 1))
    throw UsageError(
        fmt::format("complexity {}: above 1, the share of the matrix itself", options.complexity));
  if (!(options.max_setup_seconds >= 0))
    throw UsageError(fmt::format("a setup within {} s: at least 0 is needed", options.max_setup_seconds));
}

Plan amg(Amg options) {
  require_sensible(options);
  Plan plan;
  plan.method.name = "amg";
  plan.by = std::move(options);
  return plan;
}

Plan cg_with_amg(Amg options) {
  require_sensible(options);
  Plan plan{cg()};
  plan.by = std::move(options);
  return plan;
}

std::vector<std::vector<double>> rigid_body_modes(const std::vector<double>& coordinates, Index dimension) {
  const Index values = static_cast<Index>(coordinates.size());
  if ((dimension != 2 && dimension != 3) || values % dimension != 0)
    throw UsageError(fmt::format(
        "rigid body modes of {} coordinates in {} dimensions: 2 or 3, of whole points", values, dimension));
  const Index turns = dimension == 2 ? 1 : 3;
  std::vector<std::vector<double>> modes(static_cast<std::size_t>(dimension + turns),
                                         std::vector<double>(coordinates.size()));
  for (Index d = 0; d < dimension; ++d)
    for (Index i = d; i < values; i += dimension) modes[d][i] = 1;
  for (Index turn = 0; turn < turns; ++turn) {  // in the plane of two directions
    const Index one = turn == 2 ? 1 : 0, other = turn == 0 ? 1 : 2;
    std::vector<double>& mode = modes[dimension + turn];
    for (Index i = 0; i < values; i += dimension) {
      mode[i + one] = -coordinates[i + other];
      mode[i + other] = coordinates[i + one];
    }
  }
  return modes;
}

}  // namespace jacobi
