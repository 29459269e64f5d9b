/// A solve that is kept, or goes on from where one was.
#pragma once
#include <span>
#include <string>

#include "core/executed.hpp"
#include "core/fingerprint.hpp"
#include "core/kept.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stop.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi {

/// Of what a sweeper counts.
struct Counted {
  Index sweeps = 0, cycles = 0;
  double work = 0;
};

inline Counted counted_in(const Snapshot& snapshot) {
  Counted counted;
  take_value(snapshot, "counted", counted);
  return counted;
}
inline Index sweeps_kept(const Snapshot& snapshot) { return counted_in(snapshot).sweeps; }
/// Of a solve's sweeps the share that was not made before the snapshot it went on from.
inline double share_made_now(const Stop& stop, Index sweeps) {
  if (!stop.resume || sweeps == 0) return 1;
  return 1 - static_cast<double>(sweeps_kept(*stop.resume)) / static_cast<double>(sweeps);
}

/// `stop`, whose snapshots say what they are of and what was counted. Where it resumes one, the sweeper goes
/// on from there, and `before` becomes what it would have counted before the first of all sweeps.
/// Throws: InputError where the snapshot is of another solve.
template <class T>
Stop keeping(Sweeper<T>& sweeper, const Operator<T>& a, const Plan& plan, const Stop& stop,
             std::span<const T> b, std::span<const T> x, Executed& before) {
  if (!stop.keep && !stop.resume) return stop;
  const std::string of = fingerprint<T>(a, plan, stop, b, x);
  if (stop.resume) {
    require_same(stop.resume->of, of);
    const Counted counted = counted_in(*stop.resume);
    before.sweeps -= counted.sweeps;
    before.cycles -= counted.cycles;
    before.work -= counted.work;
    sweeper.take(b, *stop.resume);
  }
  Stop kept = stop;
  if (stop.keep) {
    if (plan.method.step(1, plan.method.step(0, {})).rho != 1) {  // else nothing can be refused
      Snapshot trial;
      sweeper.keep(trial, true);  // before the first sweep
    }
    kept.keep = [&sweeper, of, before, &stop](Snapshot snapshot) {
      const Executed now = sweeper.executed();
      snapshot.of = of;
      keep_value(snapshot, "counted",
                 Counted{now.sweeps - before.sweeps, now.cycles - before.cycles, now.work - before.work});
      stop.keep(snapshot);
    };
  }
  return kept;
}

}  // namespace jacobi
