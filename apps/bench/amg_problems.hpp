/// Systems that `jacobi bench amg` makes by itself.
#pragma once
#include <string>
#include <vector>

#include "jacobi/amg.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::cli {

struct AmgProblem {
  Csr<double> a;
  Amg options = {};       ///< block and near-null vectors, where there are several unknowns per point
  bool symmetric = true;  ///< else bicgstab solves
};

/// Names, and what they are, in the order of amg_problem().
struct AmgProblemName {
  const char *name, *what;
};
const std::vector<AmgProblemName>& amg_problem_names();

/// Of about so many unknowns. Throws: UsageError for another name.
AmgProblem amg_problem(const std::string& name, Index unknowns);

}  // namespace jacobi::cli
