/// Files that are not finished, for a signal that ends the program.
#pragma once
#include <csignal>
#include <string>

namespace jacobi::io {

/// While it lives no signal interrupts this thread, and remove_unfinished() in another one waits: what is
/// made in between is known, or gone, at its end.
class Undisturbed {
 public:
  Undisturbed();
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;
  ~Undisturbed();

 private:
  sigset_t before_;
};

/// Lists a file, and takes it off the list. No more than a few can be listed; others are not.
void list_unfinished(const std::string& name);
void unlist_unfinished(const std::string& name);

/// Removes the files listed. May be called by a signal handler.
void remove_unfinished() noexcept;

}  // namespace jacobi::io
