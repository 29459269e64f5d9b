/// What follows a diagnosis: the solve of its matrix.
#pragma once
#include <memory>

#include "jacobi/csr.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/solve.hpp"

namespace jacobi {

/// As solve() by a choice made before, for entries, those of a, that d was made of. Norms may grow where the
/// plan is proved to converge. Of one right-hand side the report has a proved bound of the error, if any; its
/// setup includes the diagnosis.
template <class T>
Solutions<T> solve_diagnosed(const Operator<T>& a, const Csr<T>& entries, const Diagnosis& d,
                             const Choice& choice, const Columns<T>& b, Columns<T> x, Stop stop,
                             const std::shared_ptr<const Backend>& on);

}  // namespace jacobi
