/// Methods asked for by name: what the command line, the Python module and benchmarks take alike.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "jacobi/automatic.hpp"
#include "jacobi/method.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Of method weighted, where none is given: the classic of smoothers.
inline constexpr double default_omega = 2.0 / 3.0;

/// A name, and what goes with it, as given.
struct AskedMethod {
  std::string method = "auto", rung;
  std::optional<double> omega;
  std::optional<Index> depth, period;
  std::optional<Amg> amg = {};  ///< of method amg, or what preconditions cg and bicgstab
};

/// A method that was asked for by its name or its omega; none for auto, multigrid, amg and scheduled.
/// spectrum: of D^-1 A, asked for where the method needs it. Throws: UsageError for options out of bounds.
std::optional<Method> named_method(const AskedMethod& asked, const std::function<Range()>& spectrum);

/// The same with what preconditions, and for amg.
std::optional<Plan> named_plan(const AskedMethod& asked, const std::function<Range()>& spectrum);

/// What a plan on a grid is chosen by. The functions are called where a plan needs them.
template <class T, int D>
struct Outlook {
  const Stencil<T, D>& a;             ///< the operator, or one of its kind on fewer points
  std::function<Range()> spectrum;    ///< bounds()
  std::function<double()> floor;      ///< about the norm below which rounding keeps a solve
  std::function<double()> tolerance;  ///< of the norm tested
};

/// Of a problem that is there; all arguments must outlive the outlook. x: the start; empty: 0.
template <class T, int D>
Outlook<T, D> outlook_of(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x,
                         const Stop& stop);

/// Sweeps, or a method with inner products, on one grid: those asked for, else those that suit the grid's
/// sides. cycle: what preconditions cg. scheduled: where no period is asked for, the longest one up to 512
/// whose floor of rounding errors lies below the tolerance; the shortest, 8, where none does, and 512 where
/// nothing is to be met.
template <class T, int D>
Choice choose_asked(const AskedMethod& asked, const Outlook<T, D>& outlook,
                    const std::optional<Multigrid>& cycle);

}  // namespace jacobi
