#include "backend/cuda/bound.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "backend/device/layout.hpp"
#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/layout/coefficients.hpp"

namespace jacobi::cuda {

namespace {

// registers <= 16
// gfx90a: registers <= 8
template <class T>
JACOBI_KERNEL add_flux(T* g, const T* values, Index first, Shape n, Index stride, Index stride_of_lines) {
  const Index i = static_cast<Index>(block().x) * threads().x + thread().x, j = block().y;
  if (i < n.x) g[first + i * stride + j * stride_of_lines] += values[j * n.x + i];
}

// registers <= 64
// gfx90a: registers <= 24
template <class T, int D>
JACOBI_KERNEL_OF(most_threads, 1)
finish_load(DeviceGrid<T, D> w, T* g, T* u) {
  for_each_point(w, [&](const Point<D>& p) {
    if (!w.has_one_g) g[p.offset] /= w.diagonals ? w.diagonals[p.offset] : w.diagonal;
    if (w.has_copies) renew_ghosts(w, p, u, u[p.offset]);
  });
}

/// update: u - v; correction: D^-1 (b - A u); residual: the diagonal times that.
// registers <= 64
// gfx90a: registers <= 48, scratch <= 16
template <Kind K, class T, int D>
JACOBI_KERNEL_OF(most_threads, 1)
measure(DeviceGrid<T, D> w, const T* u, const T* v, Want want, Partial* parts) {
  Partial mine;
  for_each_point(w, [&](const Point<D>& point) {
    const Index p = point.offset;
    T value = (want == Want::update ? v[p] : updated<K, StepKind::plain>(w, u, u, p, Step{})) - u[p];
    if (want == Want::residual) value *= w.diagonals ? w.diagonals[p] : w.diagonal;
    mine += part_of(static_cast<double>(value));
  });
  write_part(mine, shared_memory<Partial>(), parts);
}

/// As the host's blockings: entries beyond the dimensions do not count, and those of all others are 0
/// together or at least 1.
Shape threads_of(const std::array<Index, 3>& block, int dimensions) {
  std::string words = std::to_string(block[0]);
  Index count = 1;
  for (int d = 0; d < dimensions; ++d) {
    if (d > 0) words += " x " + std::to_string(block[d]);
    const Index most = d == 2 ? 1 : most_threads;
    count = block[d] < 1 || block[d] > most ? 0 : count * block[d];
  }
  if (count == 0 || count % lanes_of_warp != 0 || count > most_threads)
    throw UsageError("cuda: a block of " + words + " threads: whole warps of 32, at most 1024 in all" +
                     (dimensions > 2 ? ", of one plane" : ""));
  return {static_cast<unsigned>(block[0]), dimensions > 1 ? static_cast<unsigned>(block[1]) : 1};
}

bool is_asked_for(const std::array<Index, 3>& block, int dimensions) {
  return std::any_of(block.begin(), block.begin() + dimensions, [](Index n) { return n != 0; });
}

/// Blocks that cover the grid, each `covered` of it. Throws: BackendError for more than the device numbers.
template <class T, int D>
Launch blocks_of(const Grid<T, D>& grid, const Shape& threads, const Shape& covered) {
  const auto pieces = [](Index n, Index size) { return (n + size - 1) / size; };
  Launch how{{static_cast<unsigned>(pieces(grid.unknowns[0], covered.x))}, threads, bytes_of_sum};
  const Index high = D > 1 ? pieces(grid.unknowns[1 % D], covered.y) : 1;
  const Index deep = D > 2 ? pieces(grid.unknowns[2 % D], covered.z) : 1;
  constexpr Index most = 65535;
  if (high > most || deep > most)
    throw BackendError("cuda: a grid of more lines than the device numbers in blocks of " +
                       std::to_string(covered.y) + ": at most " + std::to_string(most * covered.y) +
                       " along y" + (D > 2 ? ", " + std::to_string(most * covered.z) + " along z" : ""));
  how.blocks.y = static_cast<unsigned>(high);
  how.blocks.z = static_cast<unsigned>(deep);
  return how;
}

template <class T, int D>
Launch strips(const Grid<T, D>& grid, unsigned lines) {
  using S = ThreadLines<D>;
  return blocks_of(grid, {S::wide, S::high},
                   {S::wide * Sixteen<T>::size, D == 2 ? S::high * lines : S::high, D == 3 ? lines : 1});
}

}  // namespace

template <class T, int D>
BoundGrid<T, D>::BoundGrid(const Stencil<T, D>& a, const Stream& on, bool one_g,
                           const std::array<Index, 3>& block)
    : BoundGrid(a, on, one_g, how_for(a.grid(), on, block)) {}

template <class T, int D>
typename BoundGrid<T, D>::How BoundGrid<T, D>::how_for(const Grid<T, D>& grid, const Stream& on,
                                                       const std::array<Index, 3>& block) {
  if (is_asked_for(block, D)) {
    const Shape threads = threads_of(block, D);
    const Launch how = blocks_of(grid, threads, threads);
    return {how, how, 1, 0};
  }
  using P = Patch<D>;
  const Launch others = blocks_of(grid, {P::wide, P::high}, {P::wide, P::high * P::rows});
  const Index least = ThreadLines<D>::blocks_of_multiprocessor * properties_of(on.device()).multiprocessors;
  int lines = ThreadLines<D>::most_lines;
  while (lines > 1 && strips(grid, lines).blocks.count() < least) lines /= 2;
  return {others, strips(grid, lines), P::rows, lines};
}

template <class T, int D>
BoundGrid<T, D>::BoundGrid(const Stencil<T, D>& a, const Stream& on, bool one_g, const How& how)
    : stream(on),
      norms(on, std::max(how.others.blocks.count(), how.sweep.blocks.count())),
      how_(how),
      one_g_(one_g) {
  lay_out(a.grid());
  w.rows = how.rows;
  w.lines = how.lines;
  const Index arrays = 3 + (a.is_constant() ? 0 : 2 * D + 1), bytes = arrays * padded * Index{sizeof(T)};
  if (bytes > free_memory(stream))
    throw BackendError("cuda: out of device memory: the sweeps need " + in_words(static_cast<double>(bytes)) +
                       ", " + in_words(static_cast<double>(free_memory(stream))) + " are free");
  take_sides(a);
  w.g = g_ = new_array(nullptr);
  take_coefficients(a);
}

template <class T, int D>
void BoundGrid<T, D>::lay_out(const Grid<T, D>& grid) {
  const device::Layout<D> layout = device::lay_out(grid);
  w.n = layout.n;
  w.stride = layout.stride;
  leading = layout.leading;
  padded = layout.padded;
}

/// A copy of the values, or zeros.
template <class T, int D>
T* BoundGrid<T, D>::new_array(const T* values) {
  arrays_.emplace_back(stream, padded);
  T* const all = arrays_.back().data();
  if (values)
    copy(stream, all, values, padded * Index{sizeof(T)});
  else
    fill_with_zeros(stream, all, padded * Index{sizeof(T)});
  return all + leading;
}

template <class T, int D>
T* BoundGrid<T, D>::another_iterate() {
  T* const made = new_array(nullptr);
  copy(stream, made - leading, u - leading, padded * Index{sizeof(T)});
  return made;
}

/// Rows of a vector to a padded array.
template <class T, int D>
void BoundGrid<T, D>::scatter(const T* from, T* to) const {
  const Index lines = D > 1 ? w.n[1 % D] : 1, width = w.n[0] * Index{sizeof(T)};
  const Index pitch = D > 1 ? w.stride[1 % D] * Index{sizeof(T)} : width;
  for (Index z = 0; z < (D > 2 ? w.n[2 % D] : 1); ++z)
    copy_rows(stream, to + (D > 2 ? z * w.stride[2 % D] : 0), pitch, from + z * lines * w.n[0], width, width,
              lines);
}

template <class T, int D>
void BoundGrid<T, D>::store(std::span<T> x) const {
  const Index lines = D > 1 ? w.n[1 % D] : 1, width = w.n[0] * Index{sizeof(T)};
  const Index pitch = D > 1 ? w.stride[1 % D] * Index{sizeof(T)} : width;
  for (Index z = 0; z < (D > 2 ? w.n[2 % D] : 1); ++z)
    copy_rows(stream, x.data() + z * lines * w.n[0], width, u + (D > 2 ? z * w.stride[2 % D] : 0), pitch,
              width, lines);
}

template <class T, int D>
void BoundGrid<T, D>::take_coefficients(const Stencil<T, D>& a) {
  if (a.is_constant()) {
    const sweep::Coefficients<T, D> same = sweep::coefficients_of(a);
    kind = same.kind;
    w.diagonal = same.diagonal;
    w.c = same.c;
    return;
  }
  std::vector<T> values(static_cast<std::size_t>(a.rows()));
  for (int k = 0; k <= 2 * D; ++k) {
    for (Index p = 0; p < a.rows(); ++p) values[p] = k == 2 * D ? a.center(p) : -a.off(k, p) / a.center(p);
    T* const to = new_array(nullptr);
    scatter(values.data(), to);
    (k == 2 * D ? w.diagonals : w.c_arrays[k]) = to;
  }
}

/// Dirichlet values go into the ghosts of both iterates, once; derivatives are kept for load().
template <class T, int D>
void BoundGrid<T, D>::take_sides(const Stencil<T, D>& a) {
  const Grid<T, D>& grid = a.grid();
  std::vector<T> values;  // of the padded array, where there are any but zeros
  for (int k = 0; k < 2 * D; ++k) {
    const int d = k / 2, e = k % 2;
    const BoundaryKind side = grid.sides[d][e].kind;
    const Index n = grid.unknowns[d];
    w.ghost_source[d][e] = ghost_source(side, e, n);
    w.has_copies = w.has_copies || side != BoundaryKind::dirichlet;
    if (!is_given(grid, k)) continue;
    const auto offset = [&](Index s) {
      const auto at = position(grid, a.side_unknown(k, s));
      Index p = 0;
      for (int j = 0; j < D; ++j) p += at[j] * w.stride[j];
      return p;
    };
    if (side == BoundaryKind::dirichlet) {
      values.resize(static_cast<std::size_t>(padded));
      for (Index s = 0; s < a.side_points(k); ++s)
        values[leading + offset(s) + (e == 0 ? -w.stride[d] : w.stride[d])] = a.boundary_value(k, s);
    } else {
      std::vector<T> flux(static_cast<std::size_t>(a.side_points(k)));
      for (Index s = 0; s < a.side_points(k); ++s) flux[s] = static_cast<T>(given(a, k, s));
      Flux& made = fluxes_.emplace_back(Flux{{stream, flux}, offset(0), {0, 0}, {1, 1}});
      for (int j = 0, t = 0; j < D; ++j) {
        if (j == d) continue;
        made.stride[t] = w.stride[j];
        made.n[t++] = w.n[j];
      }
    }
  }
  u = new_array(values.empty() ? nullptr : values.data());
  v = new_array(values.empty() ? nullptr : values.data());
}

template <class T, int D>
void BoundGrid<T, D>::load(std::span<const T> b, std::span<const T> x) {
  const std::size_t others = b.size_bytes() - sizeof(T);
  w.has_one_g =
      one_g_ && kind == Kind::equal && fluxes_.empty() && std::memcmp(b.data(), b.data() + 1, others) == 0;
  if (w.has_one_g) {
    Sixteen<T> one;
    std::fill(std::begin(one.at), std::end(one.at), b[0] / w.diagonal);
    copy(stream, g_, &one, sizeof one);
  } else {
    scatter(b.data(), g_);
  }
  scatter(x.data(), u);
  for (const Flux& flux : fluxes_)  // in the order of sides: a corner takes those of several
    cuda::launch(stream,
                 {{static_cast<unsigned>((flux.n[0] + 127) / 128), static_cast<unsigned>(flux.n[1])}, {128}},
                 add_flux<T>, g_, flux.values.data(), flux.first,
                 Shape{static_cast<unsigned>(flux.n[0]), static_cast<unsigned>(flux.n[1])}, flux.stride[0],
                 flux.stride[1]);
  cuda::launch(stream, launch(), finish_load<T, D>, w, g_, u);
}

template <class T, int D>
void BoundGrid<T, D>::save() {
  if (saved_.size() == 0) saved_ = Buffer<T>(stream, padded);
  copy(stream, saved_.data(), u - leading, padded * Index{sizeof(T)});
}
template <class T, int D>
void BoundGrid<T, D>::restore() {
  copy(stream, u - leading, saved_.data(), padded * Index{sizeof(T)});
}

template <class T, int D>
Norms BoundGrid<T, D>::measure(Want want) const {
  if (want == Want::nothing) return {};
  const Launch how = launch();
  with_kind<D>(kind, [&](auto k) {
    cuda::launch(stream, how, cuda::measure<k(), T, D>, w, static_cast<const T*>(u), static_cast<const T*>(v),
                 want, norms.parts());
  });
  return norms.of(how.blocks.count());
}

#define JACOBI_INSTANTIATE(T, D) template class BoundGrid<T, D>;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cuda
