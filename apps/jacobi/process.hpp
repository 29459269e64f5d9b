/// What holds of the whole process, from its first step to its exit code.
#pragma once
#include <string>
#include <string_view>

namespace jacobi::cli {

/// Writes text to stderr: the only function that does. Where stderr takes nothing (closed, full, a pipe
/// without a reader, a terminal that hung up) the text is lost and the program goes on: no solve is worth
/// less than a line about it.
void tell(std::string_view text) noexcept;

/// From now on nothing is told: another process does.
void mute();

/// "jacobi: MESSAGE" and the end of a line: control characters stand as \n, \t, \x1b.
std::string complaint(const std::string& message);
/// Tells that.
void complain(const std::string& message);

/// To be called first. From then on: files that are opened never get the numbers of closed standard streams;
/// a pipe without a reader and a limit on the size of files are errors of a write, not signals; and what ends
/// the program from inside (std::terminate, exit() called by a library) ends it with a line on stderr and the
/// exit code of a failed backend.
void prepare_process();

/// A word in single quotes, as shells take one; `special` gets a backslash before it.
std::string in_quotes(std::string_view word, std::string_view special = "");

/// The words that the program was called by, as a shell takes them.
void keep_command_line(int argc, const char* const* argv);
const std::string& command_line();

/// To be called last: what calls exit() from here on is main.
void leave_process();

}  // namespace jacobi::cli
