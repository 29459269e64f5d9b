/// What a file is besides its content.
#pragma once
#include <sys/stat.h>

#include <string>

namespace jacobi::io {

/// Gives an open file the owner, permissions, access lists and attributes of the one named, whose status is
/// `old`. False where it cannot have that owner or group; attributes that cannot be set are left out.
bool become(int file, const std::string& other, const struct stat& old);

/// Writes the content of an open file into an existing one, all of whose names then have it; 0 or an error.
int copy_into(int file, const std::string& other);

}  // namespace jacobi::io
