#include "backend/cuda/persistent.hpp"

#include "jacobi/error.hpp"

namespace jacobi::cuda {

void Flags::require_success() const {
  unsigned turn = 0;
  copy(*stream_, &turn, gave_up(), sizeof turn);
  if (turn > 0)
    throw BackendError("cuda: the persistent kernel gave up: a block waited 2 s for another one at meeting " +
                       std::to_string(turn) + "; rung graph needs no meetings");
}

}  // namespace jacobi::cuda
