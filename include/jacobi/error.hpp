#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "jacobi/export.hpp"
namespace jacobi {
/// Base of every exception that jacobi throws; what() names the place and the cure in one line.
struct JACOBI_API Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// A call or option that cannot be meant: sizes that do not fit, an unknown name (CLI exit code 2).
struct JACOBI_API UsageError : Error {
  using Error::Error;
};
/// Data that cannot be used: a file, a value, a coefficient (CLI exit code 3).
struct JACOBI_API InputError : Error {
  using Error::Error;
};
/// An entry, or two, that cannot be used. What a front end needs to tell it in the terms of its input.
struct JACOBI_API EntryError : InputError {
  using Text = std::function<std::string(std::int64_t first)>;
  explicit EntryError(Text text)
      : InputError(text(0) + "; rows and columns are counted from 0"), counted_from(std::move(text)) {}
  Text counted_from;  ///< the message where the first row and the first column have this number
};
/// A diagonal entry that sweeps cannot divide by. What a front end needs to tell it in the terms of its
/// input.
struct JACOBI_API ZeroDiagonal : InputError {
  ZeroDiagonal(const std::string& place, std::int64_t at, std::int64_t of, const std::string& why)
      : InputError("ZeroDiagonal: " + place + why), row(at), rows(of), is(why) {}
  std::int64_t row, rows;  ///< the row, counted from 0, of so many
  std::string is;          ///< " is 0: what follows from it, and what to do"
};
/// A backend that is not compiled in, not usable here, or out of memory (CLI exit code 4).
struct JACOBI_API BackendError : Error {
  using Error::Error;
};
/// Asked to end (Stop::cancel) before there was an iterate to return.
struct JACOBI_API Interrupted : Error {
  using Error::Error;
};
}  // namespace jacobi
