/// Threads that this process can have.
#pragma once
#include <optional>
#include <string>

#include "jacobi/backend.hpp"
#include "jacobi/note.hpp"

namespace jacobi {

/// So many threads as a team, the caller among them, or as many as can be started, which is tried once for
/// the whole process. 1 where the caller is alone.
int startable(int threads);

/// Whether this is a child that was forked while other threads ran, which it lacks.
bool forked();

/// Whether teams have one thread only: in a forked child, within a team, in a parallel region of OpenMP.
bool is_alone();

/// Of available_cores() as many as can be started, at most what limit_whole_teams() allows: a team for passes
/// over all of a matrix or a file.
int whole_team();
/// For the whole process, as where its user asks for so many threads.
void limit_whole_teams(int most);

/// Cores that the affinity mask leaves this process.
int cores_of_affinity();

/// CPUs that control groups let this process take at a time, of the tightest one; infinity without a quota.
/// root: of the folders proc and sys, for tests.
double cpu_quota(const std::string& root = "");

/// Cores of the machine on which nothing runs but this thread and `own` others, 1 at least, as the system has
/// counted just now.
int free_cores(int own = 0, const std::string& root = "");

/// How many of so many more threads can be started right now.
int started_at_once(int threads);

/// Why teams are smaller than asked for; none where they are not.
std::optional<Note> note_on_threads();

}  // namespace jacobi
