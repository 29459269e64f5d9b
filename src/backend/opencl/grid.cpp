#include "backend/opencl/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/opencl/orders.hpp"
#include "core/instantiate.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/layout/coefficients.hpp"

namespace jacobi::opencl {

namespace {

constexpr Index most_items = 256;  ///< of a group, on every device

/// Items of a group: one on processors, where a group is a loop; else 64 along x and 4 lines, as far as the
/// device goes.
std::array<Index, 2> items_for(const Properties& p, int dimensions, const std::array<Index, 3>& asked) {
  if (asked[0] == 0) {
    if (p.is_cpu()) return {1, 1};
    const Index wide = std::min<Index>(64, p.most_items);
    return {wide, dimensions == 1 ? 1 : std::max<Index>(1, std::min<Index>(4, p.most_items / wide))};
  }
  const Index high = dimensions > 1 ? asked[1] : 1;
  const Index most = std::min(most_items, p.most_items);
  if (asked[0] < 1 || high < 1 || asked[0] > most || high > most || asked[0] * high > most ||
      (dimensions > 2 && asked[2] > 1))
    throw UsageError(fmt::format("opencl: a group of {} x {} items: 1 to {} in all{}", asked[0], high, most,
                                 dimensions > 2 ? ", of one plane" : ""));
  return {asked[0], high};
}

/// One unknown for each item or, on processors, whole lines, of which a group has some thousand unknowns.
SharedOut blocks_for(const Properties& p, const std::array<Index, 2>& items, Index n, Index lines) {
  SharedOut blocks;
  blocks.range.items = items;
  blocks.wide = p.is_cpu() ? std::max<Index>(items[0], std::min<Index>(n, 4096)) : items[0];
  blocks.lines =
      p.is_cpu() ? std::max<Index>(items[1], std::min<Index>(lines, 8192 / blocks.wide)) : items[1];
  blocks.range.groups = {(n + blocks.wide - 1) / blocks.wide, (lines + blocks.lines - 1) / blocks.lines};
  return blocks;
}

template <class T, int D>
Index lines_of(const Grid<T, D>& grid) {
  Index lines = 1;
  for (int d = 1; d < D; ++d) lines *= grid.unknowns[d];
  return lines;
}

template <class T, int D>
GridWords<T> words_of(const device::Layout<D>& layout, const Grid<T, D>& grid) {
  GridWords<T> words;
  words.leading = layout.leading;
  words.size = layout.padded;
  for (int d = 0; d < D; ++d) {
    words.n[d] = layout.n[d];
    words.stride[d] = layout.stride[d];
    for (int e = 0; e < 2; ++e) {
      words.source[2 * d + e] = ghost_source(grid.sides[d][e].kind, e, layout.n[d]);
      if (words.source[2 * d + e] >= 0) words.has_copies = 1;
    }
  }
  return words;
}

/// What kernels number them by, for norms that are wanted of a pass.
constexpr int number_of(Want want) { return want == Want::update ? 0 : want == Want::correction ? 1 : 2; }

}  // namespace

template <class T, int D>
BoundGrid<T, D>::BoundGrid(const Stencil<T, D>& a, const Queue& on, const std::array<Index, 3>& items)
    : queue(on),
      layout(device::lay_out(a.grid())),
      blocks(blocks_for(on.device().properties(), items_for(on.device().properties(), D, items), layout.n[0],
                        lines_of(a.grid()))),
      words(words_of(layout, a.grid())),
      norms(on, blocks.range.count()) {
  const Index arrays = 3 + (a.is_constant() ? 0 : 2 * D + 1);
  require_room(queue.device(), arrays * layout.padded * Index{sizeof(T)}, "the grid");
  take_coefficients(a);
  take_sides(a);
  u = Buffer<T>(queue, layout.padded, "an iterate");
  v = Buffer<T>(queue, layout.padded, "an iterate");
  g = Buffer<T>(queue, layout.padded, "the right-hand side");
  w = Buffer<GridWords<T>>(queue, {&words, 1}, "a grid's sizes");
  staged_.resize(static_cast<std::size_t>(layout.padded));
  const std::string defined = definitions(blocks.range.items);
  sweep_ = Kernel(queue, {"classic", {"words", "grid"}, defined});
  measure_ = Kernel(queue, {"measure", {"words", "grid"}, defined});
}

template <class T, int D>
std::string BoundGrid<T, D>::definitions(const std::array<Index, 2>& items) const {
  return opencl::definitions<T>(queue.device(), items) + fmt::format("#define DIMENSIONS {}\n", D) +
         orders_of_grid(kind, D);
}

template <class T, int D>
template <class Visit>
void BoundGrid<T, D>::for_each_line(Visit&& visit) const {
  Index row = 0;
  for (Index z = 0; z < words.n[2]; ++z)
    for (Index y = 0; y < words.n[1]; ++y, row += words.n[0])
      visit(layout.leading + y * words.stride[1] + z * words.stride[2], row);
}

template <class T, int D>
void BoundGrid<T, D>::take_coefficients(const Stencil<T, D>& a) {
  const sweep::Coefficients<T, D> same = sweep::coefficients_of(a);
  kind = same.kind;
  diagonal_ = same.diagonal;
  for (int k = 0; k < 2 * D; ++k) words.c[k] = same.c[k];
  const bool varies = kind == sweep::Kind::variable;
  c = Buffer<T>(queue, varies ? 2 * D * layout.padded : 1, "coefficients");
  diagonals = Buffer<T>(queue, varies ? layout.padded : 1, "the diagonal");
  if (!varies) return;
  std::vector<T> values(static_cast<std::size_t>(layout.padded));
  for (int k = 0; k <= 2 * D; ++k) {
    for_each_line([&](Index to, Index row) {
      for (Index i = 0; i < layout.n[0]; ++i)
        values[to + i] = k == 2 * D ? a.center(row + i) : -a.off(k, row + i) / a.center(row + i);
    });
    k == 2 * D ? diagonals.write(values) : c.write(values, k * layout.padded);
  }
  diagonal_values_ = std::move(values);  // the last array
}

/// Dirichlet values are written with x; derivatives are added to b.
template <class T, int D>
void BoundGrid<T, D>::take_sides(const Stencil<T, D>& a) {
  given_.resize(static_cast<std::size_t>(layout.padded));
  for (int k = 0; k < 2 * D; ++k) {
    const int d = k / 2, e = k % 2;
    if (!is_given(a.grid(), k)) continue;
    const bool is_value = a.grid().sides[d][e].kind == BoundaryKind::dirichlet;
    for (Index s = 0; s < a.side_points(k); ++s) {
      auto at = position(a.grid(), a.side_unknown(k, s));
      const Index p = layout.offset(at);
      if (is_value)
        given_[p + (e == 0 ? -layout.stride[d] : layout.stride[d])] = a.boundary_value(k, s);
      else
        fluxes_.push_back({p, static_cast<T>(given(a, k, s))});
    }
  }
}

/// Those that copy an unknown.
template <class T, int D>
void BoundGrid<T, D>::add_ghosts(std::vector<T>& values) const {
  for (int k = 0; k < 2 * D; ++k) {
    const int d = k / 2;
    const Index from = words.source[k], to = k % 2 == 0 ? -1 : layout.n[d];
    if (from < 0) continue;
    std::array<Index, 3> side = {words.n[0], words.n[1], words.n[2]};
    side[d] = 1;
    for (Index z = 0; z < side[2]; ++z)
      for (Index y = 0; y < side[1]; ++y) {
        const Index line = layout.leading + y * words.stride[1] + z * words.stride[2];
        for (Index x = 0; x < side[0]; ++x)
          values[line + x + to * words.stride[d]] = values[line + x + from * words.stride[d]];
      }
  }
}

template <class T, int D>
void BoundGrid<T, D>::load(std::span<const T> b, std::span<const T> x) {
  const bool varies = kind == sweep::Kind::variable;
  std::fill(staged_.begin(), staged_.end(), T(0));
  for_each_line([&](Index to, Index row) { std::copy_n(&b[row], layout.n[0], &staged_[to]); });
  for (const Flux& flux : fluxes_)
    staged_[flux.offset] += flux.value;  // a corner takes those of several sides
  for_each_line([&](Index to, Index) {
    for (Index i = to; i < to + layout.n[0]; ++i) staged_[i] /= varies ? diagonal_values_[i] : diagonal_;
  });
  g.write(staged_);
  staged_ = given_;
  v.write(staged_);
  put(x, u);
}

template <class T, int D>
void BoundGrid<T, D>::put(std::span<const T> x, const Buffer<T>& to) {
  staged_ = given_;
  for_each_line([&](Index at, Index row) { std::copy_n(&x[row], layout.n[0], &staged_[at]); });
  add_ghosts(staged_);
  to.write(staged_);
}

template <class T, int D>
void BoundGrid<T, D>::store(std::span<T> x) {
  get(u, x);
}

template <class T, int D>
void BoundGrid<T, D>::get(const Buffer<T>& from, std::span<T> x) {
  from.read(staged_);
  for_each_line([&](Index at, Index row) { std::copy_n(&staged_[at], layout.n[0], &x[row]); });
}

template <class T, int D>
void BoundGrid<T, D>::save() {
  if (saved_.size() == 0) saved_ = Buffer<T>(queue, layout.padded, "an iterate that is kept");
  saved_.copy_from(u);
}

template <class T, int D>
void BoundGrid<T, D>::sweep(const Step& step, bool measured) {
  sweep_.run(blocks.range, w, u, v, g, c, std::int64_t{blocks.wide}, std::int64_t{blocks.lines},
             static_cast<T>(step.omega), static_cast<T>(step.rho), static_cast<Int>(sweep::kind_of(step)),
             static_cast<Int>(measured), norms.scale(), shared(), norms.parts());
  swap();
}

template <class T, int D>
Norms BoundGrid<T, D>::update_of_sweep() {
  return norms.of(blocks.range.count(), [&] { return measure_parts(Want::update); });
}

template <class T, int D>
Index BoundGrid<T, D>::measure_parts(Want want) {
  measure_.run(blocks.range, w, u, v, g, c, diagonals, std::int64_t{blocks.wide}, std::int64_t{blocks.lines},
               diagonal_, Int{number_of(want)}, norms.scale(), shared(), norms.parts());
  return blocks.range.count();
}

template <class T, int D>
Norms BoundGrid<T, D>::measure(Want want) {
  if (want == Want::nothing) return {};
  return norms.of(measure_parts(want), [&] { return measure_parts(want); });
}

template <class T, int D>
std::string BoundGrid<T, D>::blocks_in_words() const {
  return fmt::format("groups of {} x {} items, {} x {} unknowns each", blocks.range.items[0],
                     blocks.range.items[1], blocks.wide, blocks.lines);
}

#define JACOBI_INSTANTIATE(T, D) template class BoundGrid<T, D>;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::opencl
