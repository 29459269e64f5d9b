/// Why a device takes no matrix-free operator.
#pragma once
#include "jacobi/error.hpp"

namespace jacobi::device {

[[noreturn]] inline void refuse_products() {
  throw BackendError(
      "the products of a matrix-free operator are its owner's, on the processor: take backend threads or "
      "serial");
}

}  // namespace jacobi::device
