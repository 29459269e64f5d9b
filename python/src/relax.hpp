/// Sweeps straight over a caller's compressed rows, nothing of which is copied, kept or trusted.
#pragma once
#include <cstdint>

#include "jacobi/types.hpp"

namespace jacobi::python {

/// What a sweep reads. I: std::int32_t or std::int64_t.
template <class T, class I>
struct GivenRows {
  Index rows, entries;
  const I* offsets;  ///< rows + 1
  const I* columns;
  const T* values;
  const T* b;
  T omega;
  bool weighted;  ///< omega is not 1
};

/// How far a sweep came.
struct Swept {
  Index end;    ///< the first row that cannot be swept, or the end of those asked for
  bool finite;  ///< so are all new values
};

/// out = u swept once, for rows first ... last - 1, of the instruction set in force. Every offset and column
/// is looked at before what it leads to is read.
template <class T>
struct GivenRowsKernels {
  Swept (*narrow)(const GivenRows<T, std::int32_t>& a, const T* u, T* out, Index first, Index last);
  Swept (*wide)(const GivenRows<T, std::int64_t>& a, const T* u, T* out, Index first, Index last);

  auto of(const GivenRows<T, std::int32_t>&) const { return narrow; }
  auto of(const GivenRows<T, std::int64_t>&) const { return wide; }
};

}  // namespace jacobi::python

namespace jacobi::sweep {
template <class T>
python::GivenRowsKernels<T> given_rows_kernels();
}
