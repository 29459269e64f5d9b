#include "core/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace jacobi {

namespace {

/// Levenshtein distance, one row of its table at a time.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

/// Names that other tools and books have for what is called otherwise here.
struct Known {
  const char* there;
  const char* here;
};
constexpr Known known_elsewhere[] = {
    // methods
    {"gauss-seidel", "red-black"},
    {"gaussseidel", "red-black"},
    {"gs", "red-black"},
    {"rbgs", "red-black"},
    {"sor", "cyclic-chebyshev"},
    {"ssor", "cyclic-chebyshev"},
    {"jacobi", "plain"},
    {"point-jacobi", "plain"},
    {"damped", "weighted"},
    {"damped-jacobi", "weighted"},
    {"relaxed", "weighted"},
    {"richardson", "weighted"},
    {"scheduled-relaxation", "scheduled"},
    {"srj", "scheduled"},
    {"pcg", "cg"},
    {"conjugate-gradient", "cg"},
    {"conjugate-gradients", "cg"},
    {"minres", "cg"},
    {"gmres", "bicgstab"},
    {"fgmres", "bicgstab"},
    {"bicg", "bicgstab"},
    {"bcgs", "bicgstab"},
    {"mg", "multigrid"},
    {"gmg", "multigrid"},
    {"amg", "multigrid"},
    {"multigrid", "auto"},
    {"mg", "auto"},
    {"fmg", "multigrid"},
    {"v-cycle", "multigrid"},
    {"direct", "auto"},
    {"lu", "auto"},
    {"cholesky", "auto"},
    // precisions
    {"single", "float"},
    {"fp32", "float"},
    {"f32", "float"},
    {"float32", "float"},
    {"fp64", "double"},
    {"f64", "double"},
    {"float64", "double"},
    // commands
    {"laplace", "poisson"},
    {"diffusion", "poisson"},
    {"benchmark", "bench"},
    {"check", "diagnose"},
    {"analyze", "diagnose"},
    {"analyse", "diagnose"},
    {"version", "info"},
    {"machine", "info"},
    {"matrix", "solve"},
    {"run", "solve"},
    // options
    {"--tol", "--rtol"},
    {"--tolerance", "--rtol"},
    {"--eps", "--rtol"},
    {"--epsilon", "--rtol"},
    {"--abstol", "--atol"},
    {"--maxiter", "--max-sweeps"},
    {"--max-iter", "--max-sweeps"},
    {"--max-iterations", "--max-sweeps"},
    {"--max-it", "--max-sweeps"},
    {"--iterations", "--max-sweeps"},
    {"--iters", "--max-sweeps"},
    {"--timeout", "--max-seconds"},
    {"--grid", "--points"},
    {"--size", "--points"},
    {"--nx", "--points"},
    {"--resolution", "--points"},
    {"--dimensions", "--dim"},
    {"--ndim", "--dim"},
    {"--nthreads", "--threads"},
    {"--num-threads", "--threads"},
    {"--solver", "--method"},
    {"--algorithm", "--method"},
    {"--weight", "--omega"},
    {"--relaxation", "--omega"},
    {"--damping", "--omega"},
    {"--precond", "--preconditioner"},
    {"--source", "--rhs"},
    {"--forcing", "--rhs"},
    {"--guess", "--initial"},
    {"--x0", "--initial"},
    {"--dirichlet", "--boundary"},
    {"--neumann", "--bc"},
    {"--periodic", "--bc"},
    {"--boundary-conditions", "--bc"},
    {"--conductivity", "--diffusion"},
    {"--plot", "--image"},
    {"--png", "--image"},
    {"--vtk", "--vti"},
    {"--log", "--history"},
    {"--float", "--precision"},
    {"--silent", "--quiet"},
    {"--single", "--precision"},
};

}  // namespace

std::string hint_for(const std::string& word, const std::vector<std::string>& names) {
  std::string lower = word;
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  std::string hint;
  for (const Known& known : known_elsewhere)
    if (hint.empty() && lower == known.there && std::ranges::find(names, known.here) != names.end())
      hint = known.here;
  if (hint.empty()) hint = std::ranges::find(names, lower) != names.end() ? lower : nearest(lower, names);
  return hint.empty() ? "" : ": did you mean '" + hint + "'?";
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& name : names)
    if (const std::size_t d = edit_distance(word, name); d < least) {
      least = d;
      best = name;
    }
  return best;
}

}  // namespace jacobi
