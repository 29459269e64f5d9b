#pragma once
#include <stdexcept>
namespace jacobi {
/// Base of every exception that jacobi throws; what() names the place and the cure in one line.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// A call or option that cannot be meant: sizes that do not fit, an unknown name (CLI exit code 2).
struct UsageError : Error {
  using Error::Error;
};
/// Data that cannot be used: a file, a value, a coefficient (CLI exit code 3).
struct InputError : Error {
  using Error::Error;
};
/// A backend that is not compiled in, not usable here, or out of memory (CLI exit code 4).
struct BackendError : Error {
  using Error::Error;
};
}  // namespace jacobi
