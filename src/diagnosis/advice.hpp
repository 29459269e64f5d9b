/// From proofs and estimates to a verdict and sentences.
#pragma once
#include "diagnosis/estimates.hpp"

namespace jacobi::diagnosis {

/// What is proved, else what the estimate says.
Verdict judge(const Proved& proved, const Radius& radius, const Ritz& ritz);

struct Advice {
  std::string method = "none";
  std::optional<double> sweeps = {};  ///< of that method
  std::string sentence = {};
};
/// d: all but the advice.
Advice advise(const Matrix& m, const Start& start, bool finite, const Diagnosis& d);

std::vector<std::string> warnings_of(const Matrix& m, const Start& start, const Proved& proved,
                                     const Radius& radius);

}  // namespace jacobi::diagnosis
