/// Messages that name what is at fault.
#pragma once
#include <string>

#include "jacobi/error.hpp"

namespace jacobi::cli {

/// A zero on the diagonal in the terms of a file, whose rows are counted from 1.
inline std::string in_file(const ZeroDiagonal& zero) {
  return "ZeroDiagonal: the diagonal of row " + std::to_string(zero.row + 1) + " of " +
         std::to_string(zero.rows) + zero.is;
}

/// make(), whose InputError, if it throws one, is told with the file, in its terms.
template <class Make>
auto named(const std::string& path, Make&& make) {
  try {
    return make();
  } catch (const ZeroDiagonal& zero) {
    throw InputError(path + ": " + in_file(zero));
  } catch (const EntryError& entry) {
    throw InputError(path + ": " + entry.counted_from(1));
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
    const bool is_file = given.find(".np") != given.npos || given.ends_with(".png");
    throw InputError(option + " " + (is_file ? given : "'" + given + "'") + ": " + what);
  }
}

}  // namespace jacobi::cli
