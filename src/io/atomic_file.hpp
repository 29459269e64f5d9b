/// Files that are either whole or not there.
#pragma once
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "jacobi/error.hpp"

namespace jacobi::io {

class Temporary;

/// Waiting for a reader of a pipe was given up.
struct Unread : InputError {
  using InputError::InputError;
};

/// True for an existing path that no rename may replace: a device, a pipe, a socket, a stream of this process
/// such as /dev/stdout, whatever it leads to.
bool is_special(const std::string& path);

/// Calls `write` with a binary stream to a new file beside `path`, waits until the disk has it, then renames
/// that file to `path`, which keeps its permissions, owner, access lists and attributes.
/// path: the file to create or replace; through a symbolic link, the file that it points to. A device, pipe
/// or stream (`/dev/stdout`) is written directly, since it cannot be replaced. A file that has several names,
/// or that only its owner may replace, is written again in its place once its new content is whole beside it.
/// write: puts the whole content; what it throws is passed on.
/// Where it cannot be written the new file is removed; where it cannot be put to its place it is kept, and
/// the message names it. In both cases an older `path` stays as it was. Throws: InputError naming path and
/// cause when the file cannot be created, written or renamed. Cost: the content is written once; the rename
/// is atomic on one file system.
void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write);

/// While it lives, files that its thread writes by write_atomically() stay beside their places.
class FileBatch {
 public:
  FileBatch();
  FileBatch(const FileBatch&) = delete;
  FileBatch& operator=(const FileBatch&) = delete;
  /// What has not been placed is removed.
  ~FileBatch();

  /// Puts them to their places, one after the other, whatever happens to one of them, and makes their folders
  /// remember it. Returns what went wrong, a sentence for each that is kept beside its place.
  std::vector<std::string> place();

 private:
  friend void write_atomically(const std::string&, const std::function<void(std::ostream&)>&);
  FileBatch* outer_;
  std::vector<std::unique_ptr<Temporary>> files_;
};

/// Checks, before a long solve, that `path` can be written afterwards, under this very name; leaves no trace.
/// Throws: InputError naming path and cure: its folder is missing or read-only, `path` is empty or a folder,
/// its name is too long, the file that has it may not be written.
void check_writable(const std::string& path);

/// Removes from a folder what runs of this user that were killed have left of files they wrote.
void remove_left_behind(const std::string& folder);

/// Who writes to a pipe waits for its reader until `asked` says that the program is to end.
void stop_waiting_when(bool (*asked)());

}  // namespace jacobi::io
