#include "backend/cuda/multigrid_cycle.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "backend/cuda/multigrid_pass.hpp"
#include "core/instantiate.hpp"

namespace jacobi::cuda {

namespace {

/// One pass, a block per tile.
// registers <= 96
// gfx90a: registers <= 162, scratch <= 688
template <bool Variable, class T, int D>
JACOBI_KERNEL_OF(256, 2)
multigrid_tiles(DevicePass<T, D> pass, const Step* steps) {
  unsigned char* const shared = shared_memory<unsigned char>();
  make_tile<Variable>(pass, steps, block().x, reinterpret_cast<Partial*>(shared),
                      reinterpret_cast<T*>(shared + head_bytes<T, D>(false)));
}

/// Passes over small grids, one after the other, by one block.
// registers <= 96
// gfx90a: registers <= 160
template <bool Variable, class T, int D>
JACOBI_KERNEL_OF(256, 2)
multigrid_tail(const DevicePass<T, D>* passes, int count, const Step* steps) {
  unsigned char* const shared = shared_memory<unsigned char>();
  unsigned* const copied = reinterpret_cast<unsigned*>(shared + bytes_of_sum);
  const DevicePass<T, D>& pass = *reinterpret_cast<const DevicePass<T, D>*>(copied);
  for (int j = 0; j < count; ++j) {
    barrier();
    const unsigned* const from = reinterpret_cast<const unsigned*>(passes + j);
    for (Index w = number_of_thread(); w < Index{sizeof(pass) / sizeof(unsigned)}; w += threads().count())
      copied[w] = from[w];
    barrier();
    for (Index tile = 0; tile < pass.count_tiles(); ++tile)
      make_tile<Variable>(pass, steps, tile, reinterpret_cast<Partial*>(shared),
                          reinterpret_cast<T*>(shared + head_bytes<T, D>(true)));
  }
}

template <int D>
Shape threads_of_tile() {
  return D == 1 ? Shape{256} : Shape{32, 8};
}

}  // namespace

template <class T, int D>
void PassList<T, D>::pass(std::size_t l, const sweep::PassTask& task) {
  constexpr int most = most_sweeps_of_pass(D);
  const bool own = task.steps.data() == sweep::plain_sweep;
  int first = static_cast<int>(own                  ? steps_.host.size()
                               : task.steps.empty() ? 0
                                                    : task.steps.data() - steps_.host.data());
  int count = static_cast<int>(task.steps.size());
  const bool residual = task.restricts || task.measures_residual();
  Start start = task.start;
  const auto add_some = [&](int some, bool last) {
    add(l, start, first, some, task, last);
    first += some;
    count -= some;
    start = Start::keep;
  };
  while (count > most) add_some(most, false);
  if (residual && residual_is_apart(D) &&
      (count > 0 || start == Start::correct || start == Start::interpolate))
    add_some(count, false);
  add_some(count, true);
  const auto unknowns = [&](std::size_t grid) { return static_cast<double>(grids_.levels[grid].unknowns()); };
  work_ += static_cast<double>(task.work()) * unknowns(l) / unknowns(0);
}

template <class T, int D>
void PassList<T, D>::add(std::size_t l, Start start, int first, int count, const sweep::PassTask& task,
                         bool last) {
  const bool coarsest = l + 1 == grids_.levels.size();
  const auto& level = grids_.levels[l];
  DevicePass<T, D> p{};
  p.fine = level.seen;
  p.start = start;
  p.first = first;
  p.sweeps = count;
  p.restricts = last && task.restricts;
  p.nested = task.nested;
  p.natural = grids_.variable && task.want != Want::correction;
  p.x = level.x[at_[l]];
  if (!coarsest) {
    p.coarse = grids_.levels[l + 1].seen;
    p.coarse_x = grids_.levels[l + 1].x[at_[l + 1]];
  }
  if (count > 0 || start == Start::correct || start == Start::interpolate) {
    at_[l] = 1 - at_[l];
    p.out = level.x[at_[l]];
  }
  const bool ends_sweeps = task.ends && count > 0 &&
                           first + count == static_cast<int>(task.steps.data() - steps_.host.data() +
                                                             static_cast<std::ptrdiff_t>(task.steps.size()));
  p.updates = ends_sweeps ? updates_ : nullptr;
  p.residuals = last && task.measures_residual() ? residuals_ : nullptr;
  for (int d = 0; d < 3; ++d) {
    const int n = d < D ? p.fine.n[d < D ? d : 0] : 1, extent = tile_extent(D, d);
    p.tiles[d] = (n + extent - 1) / extent;
    const bool takes = d < D && p.restricts && p.fine.axis[d < D ? d : 0].coarsened;
    const int shift = takes ? p.fine.axis[d < D ? d : 0].shift : 0;
    p.low[d] = takes ? 2 - shift : 0;
    p.high[d] = takes ? shift : 0;
  }
  count_words(l, p);
  passes_.push_back(p);
}

/// x, g and coefficients read, x written; g of the coarser grid written, or its x read.
template <class T, int D>
void PassList<T, D>::count_words(std::size_t l, const DevicePass<T, D>& p) {
  const bool reads_x = p.start == Start::keep || p.start == Start::correct;
  const bool updates = p.sweeps > 0 || p.has_residual();
  const double words = (reads_x ? 1 : 0) + (updates ? 1 + (grids_.variable ? 2 * D : 0) : 0) +
                       (p.out ? 1 : 0) + (p.has_residual() && p.natural ? 1 : 0);
  const bool reads_coarse = p.start == Start::correct || p.start == Start::interpolate;
  const double coarse = (reads_coarse ? 1 : 0) + (p.restricts ? 1 + (grids_.variable ? 1 : 0) : 0);
  const auto unknowns = [&](std::size_t grid) { return static_cast<double>(grids_.levels[grid].unknowns()); };
  words_ += words * unknowns(l) / unknowns(0);
  if (coarse > 0) words_ += coarse * unknowns(l + 1) / unknowns(0);
}

template <class T, int D>
Launches<T, D>::Launches(std::vector<DevicePass<T, D>> passes, const Step* steps, bool variable,
                         const Stream& stream)
    : passes_(std::move(passes)), steps_(steps), variable_(variable), stream_(stream) {
  const auto is_small = [&](std::size_t j) { return passes_[j].count_tiles() <= most_tiles_of_tail; };
  bool together = false;
  for (std::size_t j = 0; j < passes_.size(); ++j) {
    if (j > 0 && is_small(j) && is_small(j - 1))
      ++groups_.back().count;
    else
      groups_.push_back({j, 1});
    together = together || groups_.back().count > 1;
  }
  if (together) on_device_ = Buffer<DevicePass<T, D>>(stream, std::span<const DevicePass<T, D>>(passes_));
}

template <class T, int D>
Launch Launches<T, D>::shape_of(const Group& group) const {
  Index entries = 0;
  for (std::size_t j = group.first; j < group.first + group.count; ++j)
    entries = std::max(entries, passes_[j].entries());
  const Index blocks = group.count == 1 ? passes_[group.first].count_tiles() : 1;
  return {{static_cast<unsigned>(blocks)},
          threads_of_tile<D>(),
          head_bytes<T, D>(group.count > 1) + entries * Index{sizeof(T)}};
}

template <class T, int D>
template <bool Variable>
void Launches<T, D>::make_group(const Group& group) const {
  if (group.count == 1)
    cuda::launch(stream_, shape_of(group), multigrid_tiles<Variable, T, D>, passes_[group.first], steps_);
  else
    cuda::launch(stream_, shape_of(group), multigrid_tail<Variable, T, D>,
                 static_cast<const DevicePass<T, D>*>(on_device_.data() + group.first),
                 static_cast<int>(group.count), steps_);
}

template <class T, int D>
Index Launches<T, D>::resident_threads() const {
  const Group& group = groups_.front();
  const Launch how = shape_of(group);
  const auto threads = [&](auto kernel) { return resident(stream_, how, kernel) * how.threads.count(); };
  if (group.count == 1)
    return variable_ ? threads(multigrid_tiles<true, T, D>) : threads(multigrid_tiles<false, T, D>);
  return variable_ ? threads(multigrid_tail<true, T, D>) : threads(multigrid_tail<false, T, D>);
}

template <class T, int D>
void Launches<T, D>::make() const {
  for (const Group& group : groups_) variable_ ? make_group<true>(group) : make_group<false>(group);
}

#define JACOBI_INSTANTIATE(T, D) \
  template class PassList<T, D>; \
  template class Launches<T, D>;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cuda
