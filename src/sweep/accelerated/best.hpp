/// The best iterate seen, for methods whose residual may grow.
#pragma once
#include <algorithm>

#include "sweep/accelerated/crew.hpp"

namespace jacobi::sweep {

/// A copy of the iterate of the least residual in the 2-norm, up to a tenth: so that not every sweep copies.
template <class T>
class Best {
 public:
  explicit Best(Field<T>& field) : field_(field), x_(field.new_vector()) {}

  /// Keeps the iterate where its residual is less than `norm`, that of the one kept, by a tenth.
  void look(Crew<T>& crew, double residual, double& norm) {
    if (!(residual < 0.9 * norm)) return;
    norm = residual;
    const T* const x = field_.iterate();
    crew.pass([&](Index, Run run) {
      std::copy_n(x + run.first, run.count, x_ + run.first);
      return Sums{};
    });
  }
  void take_back(Crew<T>& crew) {
    crew.pass([&](Index s, Run run) {
      put(s, run);
      return Sums{};
    });
  }
  /// By one thread.
  void take_back() {
    for (Index s = 0; s < field_.pieces(); ++s) put(s, field_.piece(s));
  }

 private:
  void put(Index, Run run) { std::copy_n(x_ + run.first, run.count, field_.iterate() + run.first); }

  Field<T>& field_;
  T* x_;
};

}  // namespace jacobi::sweep
