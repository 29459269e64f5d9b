/// Threads that this process can have.
#pragma once
#include <optional>

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

/// The same for teams of no given size. To be called before the first of them.
void prepare_teams();

/// How many of so many more threads can be started right now.
int started_at_once(int threads);

/// Why teams are smaller than asked for; none where they are not.
std::optional<Note> note_on_threads();

}  // namespace jacobi
