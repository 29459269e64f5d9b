/// The rung of a device's ladder on matrices, whose tables go from the plainest rung to the best.
#pragma once
#include <iterator>
#include <string>

#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::cuda {

/// The rung named, or the best that suits. why_not(rung): empty where it suits. Throws: UsageError for one
/// that there is not, or that does not suit.
template <class Rung, std::size_t N, class WhyNot>
const Rung& rung_for(const Rung (&table)[N], const Plan& plan, const char* matrices, WhyNot&& why_not) {
  std::string names;
  for (auto rung = std::rbegin(table); rung != std::rend(table); ++rung) {
    names = rung->name + (names.empty() ? "" : ", " + names);
    if (!plan.rung().empty() && plan.rung() != rung->name) continue;
    const std::string why = why_not(*rung);
    if (why.empty()) return *rung;
    if (!plan.rung().empty()) throw UsageError(why);
  }
  throw UsageError("there is no rung '" + plan.rung() + "' for " + matrices + " on a device: choose one of " +
                   names);
}

}  // namespace jacobi::cuda
