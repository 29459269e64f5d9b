/// Messages that name what is at fault.
#pragma once
#include <string>

#include "jacobi/error.hpp"

namespace jacobi::cli {

/// make(), whose InputError, if it throws one, is told with the file.
template <class Make>
auto named(const std::string& path, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with(path) ? what : path + ": " + what);
  }
}

/// The same with an option and what it was given: a file, or a formula in quotes; nothing: it is not at
/// fault.
template <class Make>
auto named(const std::string& option, const std::string& given, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (given.empty() || what.starts_with(option)) throw;
    if (what.starts_with(given + ":")) throw InputError(option + " " + what);
    throw InputError(option + " " + (given.find(".np") != given.npos ? given : "'" + given + "'") + ": " +
                     what);
  }
}

}  // namespace jacobi::cli
