/// Those who sweep one grid together: processes, or threads of one that stand for them.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "jacobi/export.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// One rank's view of all of them. All ranks make the same calls in the same order, but for those of
/// messages.
class JACOBI_API Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int count() const = 0;
  virtual int number() const = 0;  ///< this rank's, from 0 on
  /// Each value becomes the sum, or the largest, of those of all ranks.
  virtual void add(std::span<std::int64_t> values) = 0;
  virtual void max(std::span<std::int64_t> values) = 0;
  /// Bytes become those of rank `from`.
  virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
  /// Starts a message; its bytes have to stay until finish(). Two messages to one rank differ by their tags.
  virtual void start_to(int rank, int tag, std::span<const std::byte> bytes) = 0;
  virtual void start_from(int rank, int tag, std::span<std::byte> bytes) = 0;
  /// Returns when all messages started have come or gone.
  virtual void finish() = 0;
  /// Ends all ranks for an error of this one, as far as the others can be reached.
  virtual void abandon(const std::string& why) = 0;
};

/// One rank by itself.
JACOBI_API std::shared_ptr<Ranks> alone();

/// How emulated ranks behave.
struct Emulation {
  int ranks = 2;
  /// How late message number n of a rank comes, from 0 on; none: at once.
  std::function<std::chrono::microseconds(int rank, Index n)> delay = {};
  /// Called before message number n of a rank leaves: may throw.
  std::function<void(int rank, Index n)> fault = {};
  std::chrono::seconds patience{60};  ///< after which a rank that waits gives up
};

/// What emulated ranks sent.
struct Traffic {
  Index messages = 0, bytes = 0;
  Index collectives = 0;  ///< calls of add, max and broadcast, counted once for all ranks
};

/// body(ranks) on a thread for each rank of this process; returns when all have ended. Throws: what the first
/// rank to fail threw; BackendError where ranks make different calls, or wait for each other.
JACOBI_API Traffic emulate(const Emulation& how,
                           const std::function<void(const std::shared_ptr<Ranks>&)>& body);

}  // namespace jacobi
