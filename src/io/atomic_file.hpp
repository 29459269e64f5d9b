/// Files that are either whole or not there.
#pragma once
#include <functional>
#include <ostream>
#include <string>

namespace jacobi::io {

/// True for an existing path that no rename may replace: a device, a pipe, a socket.
bool is_special(const std::string& path);

/// Calls `write` with a binary stream to a new file beside `path`, then renames that file to `path`.
/// path: the file to create or replace; through a symbolic link, the file that it points to. A device or
/// pipe (`/dev/stdout`) is written directly, since it cannot be replaced.
/// write: puts the whole content; what it throws is passed on.
/// On any failure the new file is removed and an older `path` stays as it was.
/// Throws: InputError naming path and cause when the file cannot be created, written or renamed.
/// Cost: the content is written once; the rename is atomic on one file system.
void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Checks, before a long solve, that `path` can be written afterwards; leaves no trace.
/// Throws: InputError naming path and cure: its folder is missing or read-only, `path` is empty or a folder.
void check_writable(const std::string& path);

}  // namespace jacobi::io
