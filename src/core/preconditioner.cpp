#include "jacobi/preconditioner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "jacobi/error.hpp"

namespace jacobi {

namespace {

std::vector<Step> first_steps(const Method& method, Index sweeps) {
  constexpr Index most = 1'000'000;
  if (sweeps < 1 || sweeps > most)
    throw UsageError(fmt::format("a preconditioner of {} sweeps: 1 to {}", sweeps, most));
  std::vector<Step> steps;
  for (Index n = 0; n < sweeps; ++n) steps.push_back(method.step(n, steps.empty() ? Step{} : steps.back()));
  return steps;
}

}  // namespace

template <class T>
Preconditioner<T>::Preconditioner(Sweeper<T>& sweeper, std::vector<Step> steps)
    : sweeper_(sweeper), steps_(std::move(steps)), zero_(static_cast<std::size_t>(sweeper.rows())) {
  if (steps_.empty()) throw UsageError("a preconditioner without sweeps: at least 1");
  if (!sweeper_.is_linear())
    throw UsageError(
        "a preconditioner must be a fixed linear map: sweeps with weights are, cg, bicgstab and "
        "anderson are not");
  std::vector<T> z(zero_.size());
  apply(zero_, z);
  if (std::any_of(z.begin(), z.end(), [](T value) { return value != 0; }))
    throw UsageError(
        "a preconditioner must map 0 to 0: the operator has boundary values; bind one without them");
}

template <class T>
Preconditioner<T>::Preconditioner(Sweeper<T>& sweeper, const Method& method, Index sweeps)
    : Preconditioner(sweeper, first_steps(method, sweeps)) {}

template <class T>
void Preconditioner<T>::apply(std::span<const T> r, std::span<T> z) {
  if (r.size() != zero_.size() || z.size() != zero_.size())
    throw UsageError(fmt::format("a preconditioner of {} rows is applied to {} values and {} places",
                                 zero_.size(), r.size(), z.size()));
  sweeper_.load(r, zero_);
  sweeper_.advance(steps_, Want::nothing);
  sweeper_.store(z);
}

template class Preconditioner<double>;
template class Preconditioner<float>;

}  // namespace jacobi
