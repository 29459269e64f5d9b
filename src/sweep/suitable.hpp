/// What an algorithm says of a problem before it is chosen.
#pragma once
#include <string>

namespace jacobi::sweep {

/// Yes, or one sentence why not.
struct Suitable {
  std::string why_not = {};
  explicit operator bool() const { return why_not.empty(); }
};

}  // namespace jacobi::sweep
