#include "backend/cuda/persistent.hpp"

#include <utility>

#include "jacobi/error.hpp"

namespace jacobi::cuda {

void Flags::require_success() const {
  stream_->wait();
  if (const unsigned turn = std::exchange(*gave_up(), 0U); turn > 0)
    throw BackendError("cuda: the persistent kernel gave up: a block waited 2 s for another one at meeting " +
                       std::to_string(turn) + "; rung graph needs no meetings");
}

}  // namespace jacobi::cuda
