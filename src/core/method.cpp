#include "jacobi/method.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"

namespace jacobi {

Method plain() { return {}; }

Method weighted(double omega) {
  if (!(omega > 0 && omega < 2))
    throw UsageError(
        fmt::format("omega = {} lies outside (0, 2), where weighted Jacobi can converge", omega));
  return {"weighted", [omega](Index, const Step&) { return Step{omega, 1}; }};
}

Method l1() {
  Method method{"l1"};
  method.divisor = Divisor::l1;
  return method;
}

}  // namespace jacobi
