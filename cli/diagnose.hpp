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
/// Bound of the largest error of x, whatever method it is from: e = (I - M)^-1 D^-1 (b - A x), hence at most
/// 1 / (1 - q) times the size of D^-1 (b - A x) in the norm of the proved contraction q, and what lies
/// between that norm and the largest entry. The residual is summed in twice double's precision. None where no
/// contraction is proved, or the bound is beyond the range of double.
template <class T>
std::optional<double> error_bound(const Csr<T>& a, const Diagnosis& d, std::span<const T> b,
                                  std::span<const T> x);

}  // namespace jacobi::cli
