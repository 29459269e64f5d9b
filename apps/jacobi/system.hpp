/// A x = b from files.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/vector_file.hpp"
#include "jacobi/operator.hpp"
#include "named.hpp"

namespace jacobi::cli {

template <class T>
struct Matrix {
  Csr<T> a;
  std::optional<Dense<T>> dense;   ///< the same, where it was stored dense and few of its entries are zero;
                                   ///< perhaps a view of what a keeps
  std::vector<std::string> notes;  ///< decisions taken in reading
  std::optional<std::vector<T>> rhs;  ///< a right-hand side that stands in the same file
  std::string lost_diagonal;          ///< of a zero on the diagonal that the file has not: what it has there
};

/// Matrix Market, coordinate or array, or a .npy file of two dimensions, told by content, packed by gzip or
/// not; what is stored dense loses its zeros, and is kept as it is beside that where they are few. Throws:
/// InputError naming the file for what cannot be read or is not square.
template <class T>
Matrix<T> read_matrix(const std::string& path);

template <class T>
struct System {
  Csr<T> a;
  std::optional<Dense<T>> dense;         ///< as of Matrix
  Columns<T> b, x;                       ///< right-hand sides, and as many initial iterates
  std::optional<Columns<double>> exact;  ///< the solutions that b was made from, if it was
  std::vector<std::string> notes;
  std::string lost_diagonal;  ///< as of Matrix
};

/// The matrix as it is swept: dense where it is one.
template <class T>
Operator<T> operator_of(const System<T>& system, bool dense = true) {
  return dense && system.dense ? Operator<T>(*system.dense) : Operator<T>(system.a);
}

/// b: a file of one right-hand side or several columns, or empty for the one that stands in the matrix's
/// file, or for A times cos(c pi i / rows), c = 0 (ones) ... rhs_count - 1; initial: a file, or empty for
/// zeros. Throws: InputError also for vectors of another length, or another number of them.
template <class T>
System<T> read_system(const std::string& matrix, const std::string& b, const std::string& initial,
                      std::optional<Index> rhs_count = {});

/// The same for the system read from it: told with what the file has on a diagonal that underflowed.
template <class T, class Make>
auto named(const std::string& path, const System<T>& system, Make&& make) {
  return named(path, [&] {
    try {
      return make();
    } catch (const ZeroDiagonal&) {
      if (system.lost_diagonal.empty()) throw;
      throw InputError(system.lost_diagonal);
    }
  });
}

/// "1138 unknowns, 4054 entries, 1 to 18 in a row".
template <class T>
std::string describe(const Csr<T>& a);

}  // namespace jacobi::cli
