/// What a checkpoint is of.
#pragma once
#include <span>
#include <string>

#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Names and values of all that iterates and norms depend on, limits aside: library, instruction set,
/// precision, operator, b, initial x, plan and stopping test. Cost: a pass over A, b and x.
template <class T>
std::string fingerprint(const Operator<T>& a, const Plan& plan, const Stop& stop, std::span<const T> b,
                        std::span<const T> x);

/// Throws: InputError with the first part that differs.
void require_same(const std::string& kept, const std::string& now);

}  // namespace jacobi
