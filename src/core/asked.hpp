/// Methods asked for by name: what the command line, the Python module and benchmarks take alike.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  std::optional<Multigrid> cycle = {};  ///< of method multigrid, or what preconditions cg
  std::optional<Amg> amg = {};          ///< of method amg, or what preconditions cg and bicgstab
  MatrixPrecision matrix_precision = MatrixPrecision::as_given;
  bool recognise_grids = true;
  std::string mark = {};  ///< before the names of options in messages: "--" of a command line
};

/// What a method is for and what goes with it: flags of NamedMethod.
enum Suits : unsigned {
  on_grids = 1,
  on_matrices = 2,
  with_omega = 4,
  with_depth = 8,
  with_period = 16,
  with_multigrid = 32,  ///< a cycle preconditions it, or is it
  with_amg = 64,
  by_spectrum = 128  ///< weights, or the choice, follow from estimated eigenvalues
};

/// A method that can be asked for.
struct NamedMethod {
  std::string_view name;
  unsigned suits;
  /// Sweeps and methods with inner products; none for what is chosen, and for cycles by themselves.
  Method (*make)(const AskedMethod& asked, const std::function<Range()>& spectrum);
};

/// All of them: the one list of their names.
std::span<const NamedMethod> named_methods();

/// The names of those that suit all of that.
std::vector<std::string> method_names(unsigned suits);

/// Throws: UsageError for a name that there is not, or options that do not go with the method.
void require_fitting(const AskedMethod& asked);

/// Whether nothing is said that a method has to heed: neither a name, nor a weight, a rung or a cycle.
bool leaves_open(const AskedMethod& asked);

/// double (or nothing), float or bf16. Throws: UsageError.
MatrixPrecision matrix_precision_named(std::string_view name);

/// Whether a diagnosis has to estimate the spectrum, or only to prove what can be proved cheaply.
bool needs_estimates(const AskedMethod& asked);
/// What a diagnosis is asked before such a solve. Where the weights themselves follow from the spectrum it
/// takes what a diagnosis by itself does: too narrow an interval makes sweeps diverge.
DiagnoseOptions questions_before(const AskedMethod& asked, const Stop& solve);

/// A method that was asked for by its name or its omega; none for auto, multigrid and amg.
/// spectrum: of D^-1 A, asked for where the method needs it. Throws: UsageError for options out of bounds.
std::optional<Method> named_method(const AskedMethod& asked, const std::function<Range()>& spectrum);

/// Throws: UsageError where something else makes the sweeps of the plan. Empty: leaves it as it is.
void name_rung(Plan& plan, const std::string& rung);

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

/// What was asked for on one grid, else sweeps that suit the grid's sides. Multigrid smooths by one weight
/// where an omega is given. scheduled: where no period is asked for, the longest one up to 512 whose floor of
/// rounding errors lies below the tolerance; the shortest, 8, where none does, and 512 where nothing is to be
/// met. Throws: UsageError for methods of matrices.
template <class T, int D>
Choice choose_asked(const AskedMethod& asked, const Outlook<T, D>& outlook);

/// What was asked for of a box stencil, else what choose() takes; with a rung plain sweeps. Throws:
/// UsageError for methods that it does not go with, or one that needs a spectrum where no bounds are proved.
template <class T>
Choice choose_asked(const AskedMethod& asked, const BoxStencil<T>& a);

/// What was asked for of a matrix, else what its diagnosis says. entries: where grids are recognised; null
/// for a dense matrix. With a rung, or narrow entries, sweeps alone, without a fallback. Throws: InputError
/// where the method needs a spectrum that is not known, or a grid.
template <class T>
Choice choose_asked(const AskedMethod& asked, const Csr<T>* entries, const Diagnosis& d, const Stop& stop,
                    Index rhs_count, const Backend& on);

}  // namespace jacobi
