/// A sweeper of a grid that others see parts of.
#pragma once
#include <limits>
#include <span>

#include "jacobi/norms.hpp"
#include "jacobi/types.hpp"
#include "sweep/partial.hpp"

namespace jacobi::sweep {

/// Slabs that nobody will need: j sweeps on, the first low + j and the last high + j.
struct Unneeded {
  static constexpr Index none = std::numeric_limits<Index>::min() / 2;
  Index low = none, high = none;
};

/// Its iterates by slabs, in natural order, and the parts of norms by pieces, slab after slab.
template <class T>
class Boxed {
 public:
  virtual ~Boxed() = default;
  /// Of the calls that follow, until it comes again: what nobody needs may be left anything finite.
  virtual void leave_out(const Unneeded& slabs) = 0;
  /// Comes before slabs of the iterate before are read or written.
  virtual void open_before() = 0;
  /// Slabs first ... last - 1 of the iterate, or of the one before.
  virtual void read_slabs(bool before, Index first, Index last, T* to) const = 0;
  virtual void write_slabs(bool before, Index first, Index last, const T* from) = 0;
  /// What was measured last, of all pieces: one list, or one for each of several vectors whose squares add
  /// up.
  virtual std::span<const Partial> parts(Want want, int list) const = 0;
  virtual int lists(Want) const { return 1; }
};

}  // namespace jacobi::sweep
