#include "backend/cuda/multigrid_grids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda {

namespace {

constexpr Index line_bytes = 128;  ///< that a warp fetches at once: lines start at multiples

template <int D>
bool any_of(const std::array<bool, D>& along) {
  return std::any_of(along.begin(), along.end(), [](bool one) { return one; });
}

/// As GridLevel::source().
int source_of(const sweep::Axis& axis, int e) {
  if (axis.n == 1) return axis.wraps() ? 0 : -1;
  const int n = static_cast<int>(axis.n);
  if (axis.sides[static_cast<std::size_t>(e)] == BoundaryKind::dirichlet) return -1;
  if (axis.wraps()) return e == 0 ? n - 1 : 0;
  return e == 0 ? 1 : n - 2;
}

}  // namespace

template <class T, int D>
Index DeviceGrids<T, D>::OneGrid::unknowns() const {
  Index all = 1;
  for (const int count : seen.n) all *= count;
  return all;
}

template <class T, int D>
DeviceGrids<T, D>::DeviceGrids(const Stencil<T, D>& a, sweep::Diffusion<D> here, const Stream& stream)
    : variable(!here.constant()), stream_(stream) {
  const double bytes = bytes_for(here);
  if (const double left = static_cast<double>(free_memory(stream)); bytes > left)
    throw BackendError("cuda: out of device memory: multigrid needs " + in_words(bytes) + ", " +
                       in_words(left) + " are free");
  for (bool on = true; on;) {
    OneGrid l;
    lay_out(here, l);
    for (T*& x : l.x) x = new_array(l);
    l.seen.g = new_array(l);
    l.seen.has_holes = !here.holes.empty();
    if (l.seen.has_holes && levels.empty())
      l.seen.inverses = filled(l, [&](Index p) { return T(!here.is_hole(p)); });
    levels.empty() ? take_coefficients(a, l) : take_coefficients(here, l);
    const auto along = sweep::directions<D>(here);
    sweep::Diffusion<D> next = (on = any_of<D>(along)) ? sweep::coarser<D>(here, along) : std::move(here);
    for (int d = 0; d < D && on; ++d) take_axis(here.axes[d], next.axes[d], along[d], l.seen.axis[d]);
    levels.push_back(l);
    here = std::move(next);
  }
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    const double below = levels[k + 1].diagonal;
    levels[k].seen.scale = below == 0 ? T(0) : static_cast<T>(std::abs(levels[k].diagonal / below));
  }
}

template <class T, int D>
double DeviceGrids<T, D>::bytes_for(const sweep::Diffusion<D>& finest) const {
  sweep::Diffusion<D> a{finest.axes, finest.strength, finest.reaction, {}, {}, {}};
  const double arrays = 3 + (variable ? 2 * D + 2 : 0);
  double bytes = 0;
  for (bool on = true; on;) {
    OneGrid l;
    lay_out(a, l);
    bytes += arrays * static_cast<double>(l.entries) * sizeof(T);
    const auto along = sweep::directions<D>(a);
    if ((on = any_of<D>(along))) a = sweep::coarser<D>(a, along);
  }
  return bytes;
}

template <class T, int D>
void DeviceGrids<T, D>::lay_out(const sweep::Diffusion<D>& a, OneGrid& l) const {
  constexpr Index lanes = line_bytes / static_cast<Index>(sizeof(T));
  l.seen = {};
  l.entries = 1;
  for (int d = 0; d < D; ++d) {
    const sweep::Axis& axis = a.axes[d];
    if (axis.n > std::numeric_limits<int>::max() / 4)
      throw BackendError("cuda: multigrid takes at most 2^29 unknowns per direction");
    l.seen.n[d] = static_cast<int>(axis.n);
    l.seen.wraps[d] = axis.wraps();
    for (int e = 0; e < 2; ++e) l.seen.source[d][e] = source_of(axis, e);
    l.seen.stride[d] = l.entries;
    l.entries *= d == 0 ? (axis.n + lanes - 1) / lanes * lanes : axis.n;
    if (d == 0) l.pitch = l.entries;
  }
}

template <class T, int D>
T* DeviceGrids<T, D>::new_array(const OneGrid& l) {
  arrays_.emplace_back(stream_, l.entries);
  fill_with_zeros(stream_, arrays_.back().data(), l.entries * Index{sizeof(T)});
  return arrays_.back().data();
}

template <class T, int D>
template <class Value>
T* DeviceGrids<T, D>::filled(const OneGrid& l, Value&& value) {
  std::vector<T> values(static_cast<std::size_t>(l.entries));
  const Index n = l.seen.n[0], lines = l.unknowns() / n;
  for (Index line = 0; line < lines; ++line)
    for (Index i = 0; i < n; ++i) values[line * l.pitch + i] = value(line * n + i);
  arrays_.emplace_back(stream_, values);
  return arrays_.back().data();
}

/// Of the finest grid: the stencil's own.
template <class T, int D>
void DeviceGrids<T, D>::take_coefficients(const Stencil<T, D>& a, OneGrid& l) {
  if (!variable) {
    l.diagonal = a.center(0);
    for (int d = 0; d < D; ++d) l.seen.c[d] = -a.off(2 * d, 0) / a.center(0);
    return;
  }
  l.seen.diagonals = filled(l, [&](Index p) { return a.center(p); });
  for (int k = 0; k < 2 * D; ++k)
    l.seen.arms[k] = filled(l, [&](Index p) { return -a.off(k, p) / a.center(p); });
}

template <class T, int D>
void DeviceGrids<T, D>::take_coefficients(const sweep::Diffusion<D>& a, OneGrid& l) {
  const auto over = [&](Index p, double value) {
    return static_cast<T>(sweep::over_diagonal<D>(a, p, value));
  };
  if (!variable) {
    l.diagonal = static_cast<T>(sweep::diagonal_of<D>(a, 0));
    for (int d = 0; d < D; ++d) l.seen.c[d] = over(0, a.strength[d]);
    return;
  }
  l.seen.diagonals = filled(l, [&](Index p) { return static_cast<T>(sweep::diagonal_of<D>(a, p)); });
  l.seen.inverses = filled(l, [&](Index p) { return over(p, 1); });
  for (int k = 0; k < 2 * D; ++k)
    l.seen.arms[k] = filled(l, [&](Index p) { return over(p, sweep::coupling_of<D>(a, p, k)); });
}

template <class T, int D>
void DeviceGrids<T, D>::take_axis(const sweep::Axis& fine, const sweep::Axis& coarse, bool along,
                                  DeviceAxis<T>& axis) {
  axis = {along, static_cast<int>(fine.shift()), static_cast<int>(coarse.n), 0, nullptr, nullptr, nullptr};
  if (!along) return;
  const sweep::AxisWeights w = sweep::weights_of(fine, coarse);
  axis.pairs = static_cast<int>(w.upper[0].size());
  std::vector<T> tables;
  const auto add = [&](const std::vector<double>& from) {
    for (const double value : from) tables.push_back(static_cast<T>(value));
  };
  for (const auto& one : w.weights) add(one);
  const std::size_t upper = tables.size();
  for (const auto& one : w.upper) add(one);
  const std::size_t cubic = tables.size();
  for (const auto& parity : w.cubic)
    for (const auto& one : parity) add(one);
  arrays_.emplace_back(stream_, tables);
  axis.weights = arrays_.back().data();
  axis.upper = axis.weights + upper;
  axis.cubic = axis.weights + cubic;
}

template <class T, int D>
void DeviceGrids<T, D>::scatter(const T* from, T* to) const {
  const OneGrid& l = levels.front();
  const Index width = l.seen.n[0] * Index{sizeof(T)};
  copy_rows(stream_, to, l.pitch * Index{sizeof(T)}, from, width, width, l.unknowns() / l.seen.n[0]);
}
template <class T, int D>
void DeviceGrids<T, D>::gather(const T* from, T* to) const {
  const OneGrid& l = levels.front();
  const Index width = l.seen.n[0] * Index{sizeof(T)};
  copy_rows(stream_, to, width, from, l.pitch * Index{sizeof(T)}, width, l.unknowns() / l.seen.n[0]);
}

#define JACOBI_INSTANTIATE(T, D) template class DeviceGrids<T, D>;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cuda
