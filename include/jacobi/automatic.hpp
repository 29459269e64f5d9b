/// A method chosen for a problem, and another one for where it does not do what was expected.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "jacobi/backend.hpp"
#include "jacobi/box_stencil.hpp"
#include "jacobi/csr.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/export.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

struct Choice {
  Plan plan;
  std::string reason = {};  ///< one sentence, for the report; empty: the plan was asked for
  /// Several times the sweeps that it should take.
  Index most_sweeps = std::numeric_limits<Index>::max();
  std::optional<Plan> fallback = {};
};

/// The method for a grid, in this order:
/// constant coefficients that differ between the two sides of a direction: plain sweeps;
/// no diffusion with c >= 0: cg with constant coefficients, else bicgstab;
/// a backend without cycles: cg; without products as well: Chebyshev's method;
/// points not equally spaced, or points that are no unknowns: cg preconditioned by cycles;
/// else full multigrid, and cg preconditioned by cycles where these do not converge as for a Laplacian.
/// `stop` says how many digits are asked for. on: what the backend makes. spectrum: of Chebyshev's method;
/// bounds(a) where it is empty. Cost: a pass where coefficients vary, and that of the spectrum.
template <class T, int D>
JACOBI_API Choice choose(const Stencil<T, D>& a, const Stop& stop = {}, const Methods& on = {},
                         const std::function<Range()>& spectrum = {});

/// Of a box stencil: cg preconditioned by cycles of its star, where that is a diffusion and A symmetric; cg
/// for another symmetric A, else bicgstab.
template <class T>
JACOBI_API Choice choose(const BoxStencil<T>& a);

/// The method that a diagnosis advises; plain where it advises none.
JACOBI_API Method advised(const Diagnosis& d);

/// Eigenvalues of D^-1 A as claimed, or else as estimated, for chebyshev(), on the safe side: too small a
/// least one only costs sweeps. Throws: InputError where they are not known, or A is not positive definite as
/// far as is known.
JACOBI_API Range safe_spectrum(const Diagnosis& d);

/// Of a matrix, by its diagnosis: the sweeps advised, with products in reserve; or methods that take
/// products, where sweeps do not converge, not within stop.max_sweeps, or where cg, or bicgstab for A that is
/// not symmetric, should take a quarter of their time. rhs_count: right-hand sides, which sweeps take at
/// once. on: what the backend makes; without products Chebyshev's method stands in for cg, sweeps for
/// bicgstab. Throws: BackendError where what is left takes products, and the backend makes none.
JACOBI_API Choice choose(const Diagnosis& d, const Stop& stop = {}, Index rhs_count = 1,
                         const Methods& on = {});

/// The sweeps advised alone.
JACOBI_API Choice choose_sweeps(const Diagnosis& d);

/// Whether it is proved that the plan converges, whatever the norms do before: as plain Jacobi, with a weight
/// of at most 1; of an M-matrix, whose splittings are then regular, l1-Jacobi and sweeps colour by colour
/// too. Source: Varga, Matrix Iterative Analysis, section 3.6.
JACOBI_API bool proved_to_converge(const Diagnosis& d, const Plan& plan);

/// Full multigrid, where the matrix is a grid that it suits and sweeps alone would be many; else nothing. On
/// a backend without multigrid Chebyshev's method, where the grid's eigenvalues are known. Cost: a pass over
/// the entries, and binding where it is taken.
template <class T>
JACOBI_API std::optional<Choice> choose_grid(const Csr<T>& a, const Diagnosis& d, const Stop& stop,
                                             const Backend& on);

/// What runs a plan until `stop`, from the x given to solve() on and on that: refers to the caller's
/// function.
class RunPlan {
 public:
  // NOLINTBEGIN(bugprone-forwarding-reference-overload): what is required keeps copies apart
  template <class Run>
  requires(!std::is_same_v<std::remove_cvref_t<Run>, RunPlan> &&
           std::is_invocable_r_v<Report, Run&, const Plan&, const Stop&>) RunPlan(Run&& run)
      : run_(std::addressof(run)), call_(call<std::remove_reference_t<Run>>) {}
  // NOLINTEND(bugprone-forwarding-reference-overload)
  Report operator()(const Plan& plan, const Stop& stop) const { return call_(run_, plan, stop); }

 private:
  template <class Run>
  static Report call(const void* run, const Plan& plan, const Stop& stop) {
    return (*static_cast<Run*>(const_cast<void*>(run)))(plan, stop);
  }

  const void* run_;
  Report (*call_)(const void* run, const Plan& plan, const Stop& stop);
};

/// Runs the plan chosen. Where that diverges, breaks down, stands still far above rounding or takes
/// most_sweeps, the fallback goes on, once, from the iterate reached or, where that is worse, from the x
/// given; a note says so. The report is then that of the fallback, with sweeps and history of both where it
/// went on, and the time before as set-up; limits of `stop` are for both together. Where the levels of
/// algebraic multigrid cannot be set up, for want of time or memory, the fallback starts from the x given. x
/// may be empty, where each run starts from the same.
template <class T>
JACOBI_API Report solve(const Choice& choice, std::span<T> x, const Stop& stop, RunPlan run);

}  // namespace jacobi
