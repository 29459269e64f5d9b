/// A diagnosis for people and for programs.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "jacobi/diagnosis.hpp"
#include "jacobi/method.hpp"
#include "jacobi/report.hpp"

namespace jacobi::cli {

nlohmann::ordered_json to_json(const Diagnosis& d, std::optional<double> seconds_per_sweep);
/// Verdict, what is proved, what is estimated, what it will take, what to do: a line each.
std::string to_text(const Diagnosis& d, std::optional<double> seconds_per_sweep);
/// The method advised; plain where none is.
Method advised(const Diagnosis& d);
/// Bound of the largest error after an update of x + omega D^-1 (b - A x), 0 < omega <= 1, by q / (1 - q)
/// times its norm, q and the norm as proved, and by what lies between that norm and the largest entry; none
/// where no contraction is proved.
template <class T>
std::optional<double> error_bound(const Csr<T>& a, const Diagnosis& d, double omega, const Report& report);

}  // namespace jacobi::cli
