/// The seam between the iteration and the hardware.
#pragma once
#include <memory>
#include <optional>
#include <span>

#include "jacobi/checkpoint.hpp"
#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

struct Executed;  // what really ran, and why no more does: core/executed.hpp
struct Halt;
class Governor;  // how many threads sweep: core/governor.hpp

/// An operator bound to a backend: sweeps on memory of its own, allocated once. One thread at a time.
template <class T>
class JACOBI_API Sweeper {
  static_assert(Real<T>, "jacobi computes in float and double");

 public:
  Sweeper();
  virtual ~Sweeper();
  virtual Index rows() const = 0;
  /// Takes right-hand side and initial iterate, rows() values each. b must stay as it is until the next load:
  /// rungs that read a matrix as it is read b so too. b and x may lie in the same memory, and store() may
  /// write over b once nothing is swept or measured any more. Allocates nothing. Throws: UsageError for other
  /// lengths.
  void load(std::span<const T> b, std::span<const T> x);
  /// Runs the steps in order and measures what is wanted of the iterate reached. Allocates nothing. Takes as
  /// many threads as are fastest now, which is found while it sweeps: beside other processes that may be one.
  /// In cycles, where the plan has a tiling: as many sweeps_per_cycle() at a time as there are, then one
  /// shorter cycle; an update is then that of the last sweep inside each tile, or, where tiles overlap too
  /// little for that to be exact, the next one of the iterate reached. Likewise in multigrid cycles; what is
  /// short of one is made as sweeps. Throws: UsageError for a three-term step there, and on a matrix stored
  /// narrower.
  Norms advance(std::span<const Step> steps, Want want);
  /// Runs the steps and measures the update norms after each of them, updates.size() == steps.size(). Rungs
  /// that make many sweeps at once sum them in another order: equal to those of advance() within rounding.
  void advance_measured(std::span<const Step> steps, std::span<Norms> updates);
  /// Keeps a copy of the current iterate (allocates at the first call), and returns to it. The iterate before
  /// it is not kept: after restore(), the next step must not be a three-term one. Throws: UsageError where
  /// nothing was kept.
  void save();
  void restore();
  /// Adds the iterate, and all that the next steps need beside it, to the snapshot. iterate_before: the next
  /// step is a three-term one. Changes nothing of what follows. Throws: UsageError where the iterate before
  /// is not kept here.
  void keep(Snapshot& snapshot, bool iterate_before);
  /// Loads b and what a snapshot holds: the steps that follow have the bits that they had there. Throws:
  /// InputError where it holds something else.
  void take(std::span<const T> b, const Snapshot& snapshot);
  /// Measures the current iterate by a pass of its own (update: needs a sweep since load).
  Norms norms(Want want);
  /// Writes the current iterate, rows() values. Throws: UsageError for another length.
  void store(std::span<T> x) const;
  /// Writes the last update entry by entry, rows() values, and returns true: a dense matrix with several
  /// right-hand sides, whose norms are those of all together, needs it. Others return false.
  virtual bool store_update(std::span<T>) const { return false; }
  /// Takes the values of an operator whose structure is that of the one bound; load() anew afterwards. False
  /// where it cannot, and the operator has to be bound anew. Throws: as Backend::bind.
  virtual bool take_values(const Operator<T>&) { return false; }
  virtual Executed executed() const = 0;
  /// The same steps from 0 map every b to x by one linear map, boundary values aside: not so where inner
  /// products decide.
  virtual bool is_linear() const { return true; }
  /// Of accelerated methods, where they can do no more.
  virtual std::optional<Halt> halted() const;
  /// Ends an iteration that has not converged: goes back to the best iterate seen, where the method keeps
  /// it and it is better than the current one. Returns whether it did.
  virtual bool settle() { return false; }
  /// The blocking in use; all zeros of a rung without one.
  virtual Blocking blocking() const { return {}; }
  /// Blocks so from now on. Zeros leave things as they are; so does tile[0], because norms are summed over
  /// it: no bit of iterates or norms changes. Throws: UsageError for sizes below 0, or
  /// given in some directions only.
  virtual void reblock(const Blocking&) {}
  /// 1 but for plans with a tiling or multigrid; advance() is best called with multiples of it.
  virtual Index sweeps_per_cycle() const { return 1; }
  /// Sweeps below which a call of advance() costs more per sweep than it has to.
  virtual Index sweeps_at_once() const { return 1; }
  /// Bytes that one update should move by the rung's count (write-allocate not included), for what was
  /// loaded last: a right-hand side that is one number may not be read.
  virtual double bytes_per_update() const = 0;
  /// What measuring adds to a sweep, in sweeps: the loop spaces its checks so that it stays under 1 %.
  virtual double check_cost(Want want) const = 0;

 private:
  virtual void do_load(std::span<const T> b, std::span<const T> x) = 0;
  virtual Norms do_advance(std::span<const Step> steps, Want want) = 0;
  virtual void do_advance_measured(std::span<const Step> steps, std::span<Norms> updates) {
    for (std::size_t j = 0; j < steps.size(); ++j) updates[j] = do_advance(steps.subspan(j, 1), Want::update);
  }
  virtual Norms do_norms(Want want) = 0;
  virtual void do_save() = 0;
  virtual void do_restore() = 0;
  virtual void do_store(std::span<T> x) const = 0;
  virtual void do_keep(Snapshot& snapshot, bool iterate_before);
  virtual void do_take(const Snapshot&) {}

  std::unique_ptr<Governor> governor_;
  bool is_saved_ = false;
};

}  // namespace jacobi
