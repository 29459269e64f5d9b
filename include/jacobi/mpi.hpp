/// Ranks that are processes: the one header that knows MPI. Component jacobi::mpi.
#pragma once
#define OMPI_SKIP_MPICXX  // C++ bindings of old
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <climits>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "jacobi/distributed.hpp"
#include "jacobi/error.hpp"
#include "jacobi/ranks.hpp"

namespace jacobi::mpi {

/// The ranks of a communicator, by a copy of it: messages of others do not meet theirs.
class CommunicatorRanks final : public Ranks {
 public:
  explicit CommunicatorRanks(MPI_Comm of) {
    require(MPI_Comm_dup(of, &comm_), "MPI_Comm_dup");
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
    require(MPI_Bcast(bytes.data(), size(bytes), MPI_BYTE, from, comm_), "MPI_Bcast");
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
    require(MPI_Waitall(static_cast<int>(started_.size()), started_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
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
    require(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, how, comm_),
        "MPI_Allreduce");
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int count_ = 1, number_ = 0;
  std::vector<MPI_Request> started_;
};

/// All processes of the communicator call it together, between MPI_Init and MPI_Finalize. Throws:
/// BackendError where MPI fails and returns.
inline std::shared_ptr<Ranks> ranks(MPI_Comm comm) { return std::make_shared<CommunicatorRanks>(comm); }

}  // namespace jacobi::mpi
