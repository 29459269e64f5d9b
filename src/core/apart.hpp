/// The check that what a solve writes is not what it reads.
#pragma once
#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "jacobi/error.hpp"
#include "jacobi/operator.hpp"

namespace jacobi {

/// Throws: UsageError where x and `read`, which messages call `what`, share any byte.
template <class T, class Read>
void require_apart(std::span<const T> x, const char* what, std::span<const Read> read) {
  const auto first = [](auto span) { return std::bit_cast<std::uintptr_t>(span.data()); };
  const auto last = [&](auto span) { return first(span) + span.size_bytes(); };
  if (!read.empty() && first(read) < last(x) && first(x) < last(read))
    throw UsageError(fmt::format(
        "x and {0} share memory: x would be written over {0}, which a solve reads to the end; give "
        "x memory of its own, or a copy of {0}",
        what));
}

template <class T, int D>
void require_apart(std::span<const T> x, const Stencil<T, D>& a) {
  require_apart(x, "the operator's diagonal", a.center());
  for (int k = 0; k < 2 * D; ++k) require_apart(x, "the operator's coefficients", a.off(k));
}
template <class T>
void require_apart(std::span<const T> x, const Csr<T>& a) {
  a.visit([&](auto offsets, auto columns, auto values) {
    require_apart(x, "the matrix's values", values);
    require_apart(x, "the matrix's columns", columns);
    require_apart(x, "the matrix's offsets", offsets);
  });
}
template <class T>
void require_apart(std::span<const T> x, const Dense<T>& a) {
  const auto size = static_cast<std::size_t>((a.order() - 1) * a.leading() + a.order());
  require_apart(x, "the matrix's values", std::span<const T>(a.data(), size));
}
template <class T>
void require_apart(std::span<const T>, const MatrixFree<T>&) {}  // what its products read is the caller's

template <class T>
void require_apart(std::span<const T>, const BoxStencil<T>&) {}  // keeps what it reads itself

/// The same for all that a solve reads: b and the operator's arrays.
template <class T>
void require_apart(std::span<const T> x, std::span<const T> b, const Operator<T>& matrix) {
  require_apart(x, "b", b);
  std::visit([&](const auto& a) { require_apart(x, a); }, matrix);
}

}  // namespace jacobi
