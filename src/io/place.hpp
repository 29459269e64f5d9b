/// Where a path for output leads, and whether something may be written there.
#pragma once
#include <filesystem>
#include <string>

namespace jacobi::io {

std::filesystem::path folder_of(const std::filesystem::path& path);

/// The file that `path` means, links followed, so that a rename does not replace a link.
/// Throws: InputError where links lead in a circle.
std::filesystem::path target_of(const std::string& path);

/// Says of an error of the system what to do about it.
std::string cure(int error, const std::filesystem::path& folder);

/// Throws: InputError where `target` is no name of a file in an existing folder.
void check_place(const std::string& path, const std::filesystem::path& target);

/// Number of the stream of this process that /dev/stdout, /dev/fd/N and the like name; -1: none.
int stream_of(const std::string& path);

/// Throws: InputError where a file of this very name may not be created, or the one there not be written.
void check_name(const std::string& path, const std::filesystem::path& target);

/// The same of a device, a pipe or a stream, whose name stays as it is.
void check_special(const std::string& path);

}  // namespace jacobi::io
