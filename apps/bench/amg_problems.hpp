/// Systems that `jacobi bench amg` makes by itself.
#pragma once
#include <vector>

#include "jacobi/amg.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::cli {

struct AmgProblem {
  Csr<double> a;
  Amg options = {};       ///< block and near-null vectors, where there are several unknowns per point
  bool symmetric = true;  ///< else bicgstab solves
};

/// Problems by their names; make(n): of about so many unknowns.
struct AmgProblemKind {
  const char* name;
  AmgProblem (*make)(Index unknowns);
};
const std::vector<AmgProblemKind>& amg_problems();

}  // namespace jacobi::cli
