/// Who runs the sweeps.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi {

/// Rungs of a device; empty: the default one.
struct DeviceRungs {
  std::string dense_together;    ///< hands over the sweeps of a call together
  std::string dense_one_by_one;  ///< hands over each by itself
  std::string dense_other;       ///< another one worth a row; empty: none
  std::string grid_tiled;        ///< exact tiles
};

/// What a backend makes beside sweeps with weights known beforehand.
struct Methods {
  bool multigrid = true;  ///< cycles of a grid
  bool products = true;   ///< methods with inner products, and cycles that precondition them
};

/// A place to sweep: owns the choice of device and threads, makes sweepers.
///
/// Sweeps take as many threads as are fastest, at most those asked for; where not as many can be started, as
/// many as can be. Where a process forks while it has several threads, as it has after a solve on two or
/// more, the child sweeps on one: the others stayed with the parent. In both cases the report has a note. A
/// child that runs a program of its own (exec) is free.
class JACOBI_API Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  /// Allocates and lays out the operator for the plan; operator and plan are not needed afterwards.
  /// Throws: UsageError for a rung that does not exist; BackendError where it is not usable here or memory
  /// does not suffice (needed and available bytes are named).
  virtual std::unique_ptr<Sweeper<double>> bind(const Operator<double>& a, const Plan& plan) const = 0;
  virtual std::unique_ptr<Sweeper<float>> bind(const Operator<float>& a, const Plan& plan) const = 0;
  /// Bytes per second, read and written, of copies within the memory of a device: what its sweeps are held
  /// against. Measured at the first call of the process; 0 of the processor's backends.
  virtual double copy_bandwidth() const { return 0; }
  /// Threads of the processor that sweeps may take: 1 of a device.
  virtual int threads() const { return 1; }
  /// Whether what it sweeps lies in the memory of a device.
  virtual bool has_own_memory() const { return false; }
  /// By which choose() chooses.
  virtual Methods methods() const { return {}; }
  /// Of a device, which sweep in ways that experiments compare.
  virtual DeviceRungs device_rungs() const { return {}; }
};

/// "serial", "threads" (available_cores(), fewer where the problem is too small to share) or
/// "threads:8" (just these), "cuda" (device 0) or "cuda:1", "opencl", "opencl:1", "opencl:cpu", "opencl:gpu";
/// empty: threads where compiled in, else serial. Throws: UsageError for a malformed name or more than 4
/// threads per core; BackendError for one that is not in this build or finds no device.
JACOBI_API std::shared_ptr<const Backend> backend(std::string_view name = {});

/// One known backend and whether it can be used, for `jacobi info`.
struct BackendInfo {
  std::string name;
  bool compiled = false;
  bool usable = false;
  std::string note;                       ///< device, or why it is not usable and what to do
  std::vector<std::string> devices = {};  ///< a line for each, where a backend lists them
};
JACOBI_API std::vector<BackendInfo> backends();

/// Whether the number behind the colon of such a name is one of threads, not of a device. Unknown names:
/// true.
JACOBI_API bool counts_threads(std::string_view name);

/// Cores that this process may use: the least of its affinity mask, the CPU quota of its control groups,
/// OMP_NUM_THREADS and OMP_THREAD_LIMIT; 1 inside a parallel region of OpenMP.
JACOBI_API int available_cores();

}  // namespace jacobi
