/// Ranks that are processes: the one header that knows MPI. Component jacobi::mpi.
#pragma once
#define OMPI_SKIP_MPICXX  // C++ bindings of old
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <chrono>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "jacobi/distributed.hpp"
#include "jacobi/error.hpp"
#include "jacobi/ranks.hpp"

namespace jacobi::mpi {

/// The ranks of a communicator, by a copy of it: messages of others do not meet theirs. Who waits longer than
/// JACOBI_MPI_TIMEOUT seconds (600; 0: for ever) for ranks that do not come ends all, and names these.
class CommunicatorRanks final : public Ranks {
 public:
  explicit CommunicatorRanks(MPI_Comm of) {
    require(MPI_Comm_dup(of, &comm_), "MPI_Comm_dup");
    if (const char* const seconds = std::getenv("JACOBI_MPI_TIMEOUT")) {
      char* end = nullptr;
      patience_ = std::strtod(seconds, &end);
      if (end == seconds || *end != 0 || !std::isfinite(patience_) || patience_ < 0)
        throw UsageError(std::string("JACOBI_MPI_TIMEOUT=") + seconds +
                         ": a number of seconds is needed, 0: for ever");
    }
    MPI_Comm_size(comm_, &count_);
    MPI_Comm_rank(comm_, &number_);
  }
  ~CommunicatorRanks() override {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over == 0) MPI_Comm_free(&comm_);
  }
  CommunicatorRanks(const CommunicatorRanks&) = delete;
  CommunicatorRanks& operator=(const CommunicatorRanks&) = delete;

  int count() const override { return count_; }
  int number() const override { return number_; }
  void add(std::span<std::int64_t> values) override { reduce(values, MPI_SUM); }
  void max(std::span<std::int64_t> values) override { reduce(values, MPI_MAX); }
  void broadcast(std::span<std::byte> bytes, int from) override {
    MPI_Request started = MPI_REQUEST_NULL;
    require(MPI_Ibcast(bytes.data(), size(bytes), MPI_BYTE, from, comm_, &started), "MPI_Ibcast");
    wait({&started, 1});
  }
  void start_to(int rank, int tag, std::span<const std::byte> bytes) override {
    started_.emplace_back();
    require(MPI_Isend(bytes.data(), size(bytes), MPI_BYTE, rank, tag, comm_, &started_.back()), "MPI_Isend");
  }
  void start_from(int rank, int tag, std::span<std::byte> bytes) override {
    started_.emplace_back();
    require(MPI_Irecv(bytes.data(), size(bytes), MPI_BYTE, rank, tag, comm_, &started_.back()), "MPI_Irecv");
  }
  void finish() override {
    wait(started_);
    started_.clear();
  }
  void abandon(const std::string& why) override {
    std::fprintf(stderr, "rank %d: %s\n", number_, why.c_str());
    MPI_Abort(comm_, 4);  // as the command line ends where a backend fails
  }

 private:
  static void require(int code, const char* call) {
    if (code != MPI_SUCCESS)
      throw BackendError(std::string(call) + " failed with code " + std::to_string(code));
  }
  static int size(std::span<const std::byte> bytes) {
    if (bytes.size() > INT_MAX) throw BackendError("a message of 2 GiB or more: take a thinner halo");
    return static_cast<int>(bytes.size());
  }
  void reduce(std::span<std::int64_t> values, MPI_Op how) {
    MPI_Request started = MPI_REQUEST_NULL;
    require(MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, how,
                           comm_, &started),
            "MPI_Iallreduce");
    wait({&started, 1});
  }
  void wait(std::span<MPI_Request> requests) {
    const auto begin = std::chrono::steady_clock::now();
    constexpr int often = 1024;
    for (int turn = 1;; ++turn) {
      int done = 0;
      require(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
      if (done != 0) return;
      if (turn % often != 0) continue;
      std::this_thread::yield();
      if (patience_ == 0) continue;
      int called = 0;
      require(MPI_Iprobe(MPI_ANY_SOURCE, roll_call, comm_, &called, MPI_STATUS_IGNORE), "MPI_Iprobe");
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
      if (called != 0 || waited.count() > patience_) end_without_those_that_are_missing();
    }
  }
  /// Ranks that wait say so to all others; of these the first ends all.
  [[noreturn]] void end_without_those_that_are_missing() {
    using namespace std::chrono_literals;
    std::vector<char> waits(static_cast<std::size_t>(count_), 0);
    waits[static_cast<std::size_t>(number_)] = 1;
    for (int rank = 0; rank < count_; ++rank) {
      MPI_Request sent = MPI_REQUEST_NULL;
      if (rank == number_ || MPI_Isend(nullptr, 0, MPI_BYTE, rank, roll_call, comm_, &sent) != MPI_SUCCESS)
        continue;
      MPI_Request_free(&sent);
    }
    for (int turn = 0; turn < 200; ++turn) {
      int called = 1;
      while (called != 0) {
        MPI_Status from;
        MPI_Iprobe(MPI_ANY_SOURCE, roll_call, comm_, &called, &from);
        if (called == 0) break;
        MPI_Recv(nullptr, 0, MPI_BYTE, from.MPI_SOURCE, roll_call, comm_, MPI_STATUS_IGNORE);
        waits[static_cast<std::size_t>(from.MPI_SOURCE)] = 1;
      }
      std::this_thread::sleep_for(10ms);
    }
    std::string missing;
    int first = count_;
    for (int rank = count_ - 1; rank >= 0; --rank)
      if (waits[static_cast<std::size_t>(rank)] != 0)
        first = rank;
      else
        missing = std::to_string(rank) + (missing.empty() ? "" : ", ") + missing;
    if (first != number_) std::this_thread::sleep_for(10s);  // as a rule that one has ended this one by then
    abandon("has waited for " +
            (missing.empty() ? "others that wait as well: ranks made different calls" : "rank " + missing) +
            " longer than JACOBI_MPI_TIMEOUT allows, " + std::to_string(std::lround(patience_)) + " s");
    std::abort();  // MPI_Abort returned
  }

  static constexpr int roll_call = 32'000;  ///< a tag that no other message has, and every MPI knows
  MPI_Comm comm_ = MPI_COMM_NULL;
  int count_ = 1, number_ = 0;
  double patience_ = 600;
  std::vector<MPI_Request> started_;
};

/// All processes of the communicator call it together, between MPI_Init and MPI_Finalize. Throws:
/// BackendError where MPI fails and returns.
inline std::shared_ptr<Ranks> ranks(MPI_Comm comm) { return std::make_shared<CommunicatorRanks>(comm); }

}  // namespace jacobi::mpi
