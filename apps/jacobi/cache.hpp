/// Small files of the user's cache folder: what was measured once for this machine. Deleting them is
/// harmless.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

namespace jacobi::cli {

/// $JACOBI_CACHE/name, else $XDG_CACHE_HOME/jacobi/name, else ~/.cache/jacobi/name; empty where none of these
/// is set.
std::string cache_path(const std::string& name);

/// Hands what a file holds to `take`, which returns why it is of no use ("" if it is) and throws any
/// std::exception for something else than a file of `what`. Returns one sentence on a file that is ignored.
/// Never throws for what a file holds; without a file, nothing is called.
std::string read_cached(const std::string& path, const char* what,
                        const std::function<std::string(const nlohmann::ordered_json&)>& take);

/// Makes the folder. Throws: InputError where `path` could not be written afterwards.
void prepare_cached(const std::string& path);

/// As io::write_atomically, folder included.
void write_cached(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace jacobi::cli
