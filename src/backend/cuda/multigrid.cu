#include "backend/cuda/multigrid.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "backend/cuda/multigrid_cycle.hpp"
#include "backend/cuda/stream_clock.hpp"
#include "core/instantiate.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "sweep/multigrid/bind.hpp"

namespace jacobi::cuda {

namespace {

// registers <= 16
// gfx90a: registers <= 8
template <class T>
JACOBI_KERNEL add_at(T* g, const Index* at, const T* values, Index count) {
  const Index s = static_cast<Index>(block().x) * threads().x + thread().x;
  if (s < count) g[at[s]] += values[s];
}

/// g = b / diagonal.
// registers <= 32
// gfx90a: registers <= 16
template <class T>
JACOBI_KERNEL divide(T* g, const T* diagonals, T diagonal, Index count) {
  const Index p = static_cast<Index>(block().x) * threads().x + thread().x;
  const T by = p < count && diagonals ? diagonals[p] : diagonal;
  if (p < count && by != T(0)) g[p] /= by;  // 0: behind the end of a line
}

Launch per_entry(Index count) { return {{static_cast<unsigned>((count + 255) / 256)}, {256}}; }

template <class T, int D>
class MultigridSweeper final : public Sweeper<T> {
 public:
  MultigridSweeper(const Stencil<T, D>& a, const Multigrid& m, int device)
      : stream_(device),
        clock_(stream_),
        grids_(a, sweep::diffusion_of(a), stream_),
        cycle_(m),
        updates_(stream_, tiles()),
        residuals_(stream_, tiles()),
        on_device_(stream_, sweeps_per_cycle() + 1),
        steps_(static_cast<std::size_t>(sweeps_per_cycle())),
        lift_(m.full ? sweep::boundary_lift(a) : std::vector<T>()) {
    take_sides(a);
    upload_steps();
    const Properties p = properties_of(device);
    ran_.simd = p.name + ", sm_" + std::to_string(p.major) + std::to_string(p.minor);
    ran_.threads = 1;
    ran_.rung = "multigrid";
    List list = new_list();
    write_cycle(list, false, false, false, Want::nothing);
    words_ = list.words() / static_cast<double>(sweeps_per_cycle());
    const Launches<T, D> launches(list.passes(), on_device_.data(), grids_.variable, stream_);
    ran_.blocking = in_words(launches.count());
    ran_.occupancy = static_cast<double>(launches.resident_threads()) / p.threads_of_multiprocessor;
  }

  Index rows() const override { return grids_.levels.front().unknowns(); }

  Executed executed() const override {
    Executed ran = ran_;
    clock_.tell(ran);
    return ran;
  }
  Index sweeps_per_cycle() const override { return cycle_.pre + cycle_.post; }
  double bytes_per_update() const override { return words_ * sizeof(T); }
  /// Norms come with a cycle's last pass, and a cycle more than needed would cost ten times as much.
  double check_cost(Want) const override { return 0; }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    clock_.load([&] { upload(b, x); });
    x_is_zero_ = std::all_of(x.begin(), x.end(), [](T value) { return value == T(0); });
    fresh_ = true;
    update_ = Norms{};
  }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    for (const Step& step : steps)
      if (step.rho != 1)
        throw UsageError("multigrid smooths by weighted sweeps: a three-term step needs the iterate before");
    if (steps.empty()) return do_norms(want);
    return clock_.advance([&] { return make(steps, want); });
  }
  Norms do_norms(Want want) override {
    if (want == Want::residual || want == Want::correction) sweep({}, want);
    return measured(want);
  }
  void do_save() override {
    const auto& l = grids_.levels.front();
    if (saved_.size() == 0) saved_ = Buffer<T>(stream_, l.entries);
    copy(stream_, saved_.data(), l.x[home_], l.entries * Index{sizeof(T)});
    saved_at_ = ran_;
    saved_fresh_ = fresh_;
    saved_zero_ = x_is_zero_;
    saved_update_ = do_norms(Want::update);
  }
  void do_restore() override {
    const auto& l = grids_.levels.front();
    copy(stream_, l.x[home_], saved_.data(), l.entries * Index{sizeof(T)});
    ran_.rewind(saved_at_);
    fresh_ = saved_fresh_;
    x_is_zero_ = saved_zero_;
    update_ = saved_update_;
  }
  void do_store(std::span<T> x) const override {
    clock_.store([&] { grids_.gather(grids_.levels.front().x[home_], x.data()); });
  }

  using List = PassList<T, D>;

  Norms make(std::span<const Step> steps, Want want) {
    const std::size_t k = steps_.size(), whole = steps.size() / k * k;
    bool full = cycle_.full && fresh_;
    if (full && x_is_zero_ && whole > 0 && grids_.levels.size() > 1 && !lift_.empty()) {
      grids_.scatter(lift_.data(), grids_.levels.front().x[home_]);
      x_is_zero_ = false;
    }
    for (std::size_t j = 0; j < whole; j += k) {
      const bool ends = j + k == steps.size();
      cycle(steps.subspan(j, k), full, x_is_zero_, ends, ends ? want : Want::nothing);
      full = fresh_ = x_is_zero_ = false;
    }
    if (whole < steps.size()) sweep(steps.subspan(whole), want);
    fresh_ = x_is_zero_ = false;
    update_.reset();
    ran_.sweeps += static_cast<Index>(steps.size());
    ran_.cycles += static_cast<Index>(steps.size() / k);
    return measured(want);
  }

  using Key = std::array<int, 5>;  ///< full, from zero, ends, the norm wanted, where x is
  /// A cycle kept as a graph, and where it leaves x.
  struct Recorded {
    Recorded(const Key& made_for, const List& list, const Step* steps, bool variable, const Stream& stream)
        : key(made_for),
          launches(list.passes(), steps, variable, stream),
          graph(stream, [&] { launches.make(); }),
          work(list.work()),
          home(list.home()) {}
    Key key;
    Launches<T, D> launches;
    Graph graph;
    double work;
    int home;
  };
  struct Side {
    Buffer<Index> at;
    Buffer<T> values;
  };

  Index tiles() const {
    Index all = 1;
    for (int d = 0; d < D; ++d)
      all *= (grids_.levels.front().seen.n[d] + tile_extent(D, d) - 1) / tile_extent(D, d);
    return all;
  }

  /// Given values and fluxes become part of b.
  void take_sides(const Stencil<T, D>& a) {
    for (int k = 0; k < 2 * D; ++k) {
      if (!is_given(a.grid(), k)) continue;
      std::vector<Index> at;
      std::vector<T> values;
      for (Index s = 0; s < a.side_points(k); ++s) {
        const auto position_of = position(a.grid(), a.side_unknown(k, s));
        Index p = 0;
        for (int d = 0; d < D; ++d) p += position_of[d] * grids_.levels.front().seen.stride[d];
        at.push_back(p);
        values.push_back(static_cast<T>(given(a, k, s)));
      }
      sides_.push_back({{stream_, at}, {stream_, values}});
    }
  }

  void upload(std::span<const T> b, std::span<const T> x) {
    const auto& l = grids_.levels.front();
    grids_.scatter(b.data(), l.seen.g);
    grids_.scatter(x.data(), l.x[home_]);
    for (const Side& side : sides_)  // in the order of sides: a corner takes those of several
      launch(stream_, per_entry(side.values.size()), add_at<T>, l.seen.g,
             static_cast<const Index*>(side.at.data()), static_cast<const T*>(side.values.data()),
             side.values.size());
    launch(stream_, per_entry(l.entries), divide<T>, l.seen.g, l.seen.diagonals, l.diagonal, l.entries);
  }

  List new_list() {
    return {grids_, {steps_, on_device_.data()}, home_, updates_.parts(), residuals_.parts()};
  }
  void upload_steps() {
    std::vector<Step> all = steps_;
    all.push_back({});
    copy(stream_, on_device_.data(), all.data(), static_cast<Index>(all.size() * sizeof(Step)));
  }
  /// The same addresses for all steps: graphs hold them.
  void take_steps(std::span<const Step> steps) {
    const auto same = [](const Step& a, const Step& b) { return a.omega == b.omega; };
    if (std::equal(steps.begin(), steps.end(), steps_.begin(), same)) return;
    std::copy(steps.begin(), steps.end(), steps_.begin());
    upload_steps();
  }

  void write_cycle(List& list, bool full, bool zero, bool ends, Want want) {
    const sweep::CycleShape shape{grids_.levels.size(), static_cast<std::size_t>(cycle_.pre), cycle_.visits,
                                  grids_.variable};
    sweep::Schedule<List>(list, shape).cycle(steps_, full, zero, ends, want);
  }
  void cycle(std::span<const Step> steps, bool full, bool zero, bool ends, Want want) {
    take_steps(steps);
    const Key key = {int{full}, int{zero}, int{ends}, static_cast<int>(want), home_};
    auto at = std::ranges::find_if(recorded_, [&](const auto& one) { return one->key == key; });
    if (at == recorded_.end()) {
      List list = new_list();
      write_cycle(list, full, zero, ends, want);
      recorded_.push_back(std::make_unique<Recorded>(key, list, on_device_.data(), grids_.variable, stream_));
      at = recorded_.end() - 1;
    }
    (*at)->graph.launch();
    ran_.work += (*at)->work;
    home_ = (*at)->home;
  }
  /// Sweeps alone; none: x is measured.
  void sweep(std::span<const Step> steps, Want want) {
    take_steps(steps);
    List list = new_list();
    list.pass(0, {Start::keep, std::span<const Step>(steps_).first(steps.size()), false, false, true, want});
    Launches<T, D>(list.passes(), on_device_.data(), grids_.variable, stream_).make();
    stream_.wait();  // the list of passes goes
    ran_.work += list.work();
    home_ = list.home();
  }

  Norms measured(Want want) {
    if (want == Want::nothing) return {};
    if (want == Want::update) {
      if (!update_) update_ = updates_.of(tiles());
      return *update_;
    }
    const Norms sum = residuals_.of(tiles());
    if (grids_.variable || want != Want::residual) return sum;
    const double size = std::abs(static_cast<double>(grids_.levels.front().diagonal));
    return {size * sum.l2, size * sum.max};
  }

  std::string in_words(Index launches) const {
    return std::string(cycle_.visits == 1 ? "V(" : "W(") + std::to_string(cycle_.pre) + "," +
           std::to_string(cycle_.post) + ") cycles on " + std::to_string(grids_.levels.size()) +
           " grids, from " + std::to_string(rows()) + " unknowns to " +
           std::to_string(grids_.levels.back().unknowns()) + ", " + std::to_string(launches) +
           (launches == 1 ? " launch" : " launches") + " in a graph each" +
           (cycle_.full ? ", the first one full" : "");
  }

  Stream stream_;
  mutable StreamClock clock_;
  DeviceGrids<T, D> grids_;
  Multigrid cycle_;
  NormSum updates_, residuals_;
  Buffer<Step> on_device_;  ///< those of a cycle, and a plain one
  std::vector<Step> steps_;
  std::vector<T> lift_;  ///< where a full cycle from 0 starts, where that is not 0
  std::vector<Side> sides_;
  int home_ = 0;  ///< which array of the finest grid holds x
  bool fresh_ = true, x_is_zero_ = false;
  std::optional<Norms> update_ = Norms{};  ///< none: to be added up
  std::vector<std::unique_ptr<Recorded>> recorded_;
  double words_ = 0;
  Executed ran_, saved_at_;
  Buffer<T> saved_;
  bool saved_fresh_ = true, saved_zero_ = false;
  Norms saved_update_;
};

}  // namespace

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind_multigrid(const Stencil<T, D>& a, const Plan& plan, int device) {
  sweep::require_cycles(plan);
  if (plan.method.red_black)
    throw UsageError("method " + plan.method.name + " is no smoother of multigrid: take weighted");
  return std::make_unique<MultigridSweeper<T, D>>(a, *plan.multigrid(), device);
}

#define JACOBI_INSTANTIATE(T, D) \
  template std::unique_ptr<Sweeper<T>> bind_multigrid<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cuda
