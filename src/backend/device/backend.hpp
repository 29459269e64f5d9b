/// What backends of devices have in common: which operators they bind.
#pragma once
#include <memory>
#include <type_traits>
#include <variant>

#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"

namespace jacobi::device {

/// Own: has bind_one(a, plan) for grids, sparse and dense matrices.
template <class Own>
class Backend : public jacobi::Backend {
 public:
  std::unique_ptr<Sweeper<double>> bind(const Operator<double>& a, const Plan& plan) const final {
    return bind_any(a, plan);
  }
  std::unique_ptr<Sweeper<float>> bind(const Operator<float>& a, const Plan& plan) const final {
    return bind_any(a, plan);
  }
  bool has_own_memory() const final { return true; }

 private:
  template <class T>
  std::unique_ptr<Sweeper<T>> bind_any(const Operator<T>& a, const Plan& plan) const {
    return std::visit(
        [&](const auto& one) -> std::unique_ptr<Sweeper<T>> {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, MatrixFree<T>>)
            throw BackendError(
                "the products of a matrix-free operator are its owner's, on the processor: take backend "
                "threads or serial");
          else if constexpr (std::is_same_v<std::decay_t<decltype(one)>, BoxStencil<T>>)
            throw BackendError(
                "box stencils are swept on the processor: take backend threads or serial, or give to_csr() "
                "of it");
          else
            return static_cast<const Own&>(*this).bind_one(one, plan);
        },
        a);
  }
};

}  // namespace jacobi::device
