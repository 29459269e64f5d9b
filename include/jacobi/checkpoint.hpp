/// A solve on its way, for another process to go on with.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jacobi/export.hpp"

namespace jacobi {

/// All that a solve needs to go on as if it had never ended: status, sweeps, history and the bits of iterates
/// and norms are then those of a solve without a break.
struct Snapshot {
  std::string of = {};  ///< what is solved, how and from where, each part a name and a value
  /// A number per unknown each, in the order of x; "x" is the iterate.
  std::map<std::string, std::vector<double>> vectors = {};
  std::map<std::string, std::vector<std::uint64_t>> words = {};  ///< all else, bit by bit
};

/// The newest snapshot of a solve in a folder of files, whole at every moment: two places take turns, and a
/// file `current.json`, replaced in one step, says which of them holds.
/// Vectors are files of 64-bit numbers, lowest byte first. Source of the scheme: Lorie, "Physical integrity
/// in a large segmented database", ACM Trans. Database Syst. 2, 1977 (shadow pages).
class JACOBI_API Checkpoints {
 public:
  /// The folder is made by the first write() where it is not there; its parent has to be.
  explicit Checkpoints(std::string folder);
  /// Makes the folder, and a file in it that does not stay. Throws: InputError where that cannot be.
  void prepare() const;
  /// Cost: as many bytes as its vectors have, on the disk before the call returns. Throws: InputError where
  /// they cannot be written; what was kept before then stays.
  void write(const Snapshot& snapshot);
  /// None where nothing was written yet. Throws: InputError where a file lacks or is not as it was written.
  std::optional<Snapshot> read() const;

 private:
  std::string folder_;
};

}  // namespace jacobi
