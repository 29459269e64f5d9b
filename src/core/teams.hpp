/// Threads that this process can have.
#pragma once
#include <optional>
#include <string>

#include "jacobi/backend.hpp"
#include "jacobi/note.hpp"

namespace jacobi {

/// Threads of the processor that the backend may use.
int threads_of(const Backend& on);

/// So many threads as a team, the caller among them, or as many as can be started: libgomp ends the process
/// where it cannot start one. Tried once for the largest number asked for; teams of no given size then get no
/// more than can be started either. 1 in a child that was forked while other threads ran: libgomp would wait
/// for those.
int startable(int threads);

/// Of available_cores() as many as can be started: a team for passes over all of a matrix or a file.
int whole_team();

/// Cores that the affinity mask leaves this process.
int cores_of_affinity();

/// CPUs that control groups let this process take at a time, of the tightest one; infinity without a quota.
/// root: of the folders proc and sys, for tests.
double cpu_quota(const std::string& root = "");

/// How many of so many more threads can be started right now.
int started_at_once(int threads);

/// Why teams are smaller than asked for; none where they are not.
std::optional<Note> note_on_threads();

}  // namespace jacobi
