/// Cycles as lists of launches.
#pragma once
#include <memory>
#include <vector>

#include "backend/cuda/multigrid_grids.hpp"
#include "jacobi/multigrid.hpp"
#include "sweep/multigrid/schedule.hpp"

namespace jacobi::cuda {

/// Tiles of a grid that one block sweeps one after the other, in one launch with all coarser grids.
inline constexpr Index most_tiles_of_tail = 2;

/// Where steps lie on the device: those of a cycle, and a plain one behind them.
struct StepsOfCycle {
  std::span<const Step> host;
  const Step* device;
};

/// Writes down passes in the order of a Schedule.
template <class T, int D>
class PassList {
 public:
  /// home: which of its two arrays holds the finest grid's x.
  PassList(const DeviceGrids<T, D>& grids, const StepsOfCycle& steps, int home, Partial* updates,
           Partial* residuals)
      : grids_(grids), steps_(steps), updates_(updates), residuals_(residuals), at_(grids.levels.size()) {
    at_[0] = home;
  }

  template <class Work>
  void on(std::size_t, Work&& work) {
    work();
  }
  /// As many sweeps at a time as a pass makes; a residual alone where it has a pass of its own.
  void pass(std::size_t l, const sweep::PassTask& task);

  int home() const { return at_[0]; }
  double work() const { return work_; }    ///< as Executed::work
  double words() const { return words_; }  ///< moved, per unknown of the finest grid
  const std::vector<DevicePass<T, D>>& passes() const { return passes_; }

 private:
  /// Steps [first, first + count) of `task`; last: and what follows them.
  void add(std::size_t l, Start start, int first, int count, const sweep::PassTask& task, bool last);
  void count_words(std::size_t l, const DevicePass<T, D>& pass);

  const DeviceGrids<T, D>& grids_;
  const StepsOfCycle steps_;
  Partial *updates_, *residuals_;
  std::vector<int> at_;  ///< of every grid: which array holds x
  std::vector<DevicePass<T, D>> passes_;
  double work_ = 0, words_ = 0;
};

/// A list of passes as launches: one per pass over a grid of many tiles, one for all passes between.
template <class T, int D>
class Launches {
 public:
  Launches(std::vector<DevicePass<T, D>> passes, const Step* steps, bool variable, const Stream& stream);
  void make() const;
  Index count() const { return static_cast<Index>(groups_.size()); }
  /// On a multiprocessor, by the first launch.
  Index resident_threads() const;

 private:
  struct Group {
    std::size_t first, count;
  };
  Launch shape_of(const Group& group) const;
  template <bool Variable>
  void make_group(const Group& group) const;

  std::vector<DevicePass<T, D>> passes_;
  const Step* steps_;
  bool variable_;
  const Stream& stream_;
  std::vector<Group> groups_;
  Buffer<DevicePass<T, D>> on_device_;
};

}  // namespace jacobi::cuda
