#pragma once
#include <array>
#include <string>
#include <utility>

#include "jacobi/method.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// How the tiled rung cuts space and time; it changes no bit of the result. Zeros: chosen for the problem.
struct Blocking {
  std::array<Index, 3> tile = {};  ///< unknowns per direction, x first; 0 in all: chosen
  Index sweeps = 0;                ///< made per visit to a tile; 0: chosen
};

/// What to run: a method, and the rung of the ladder that runs it (empty: the backend's best).
struct Plan {
  Method method = {};
  std::string rung = {};
  Blocking blocking = {};

  Plan() = default;
  Plan(Method m, std::string rung_name = {}, Blocking b = {})
      : method(std::move(m)), rung(std::move(rung_name)), blocking(b) {}
};

}  // namespace jacobi
