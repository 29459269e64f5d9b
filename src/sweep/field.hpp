/// What accelerated methods need beside sweeps, on the sweeper's own memory.
#pragma once
#include <vector>

#include "core/executed.hpp"
#include "jacobi/ranks.hpp"

namespace jacobi::sweep {

/// Who has which pieces of vectors that several ranks share.
struct Shares {
  Ranks* ranks;
  std::vector<Index> cuts;  ///< number of every rank's first piece, then that of all
  Index piece_size;         ///< unknowns of the first one of all
};

/// A contiguous run of unknowns in a field's vectors: the unit of work and of summation, whatever the
/// threads.
struct Run {
  Index first, count;
};

/// Calculations in the memory of a sweeper: vectors lie as its iterate does, products are made piece by
/// piece. A product reads neighbours beyond the grid from ghosts: 0 at Dirichlet sides of new vectors, the
/// given values in the iterate, else copies that renew() brings up to date.
template <class T>
class Field {
 public:
  virtual ~Field() = default;
  /// Loads, stores and measures; its sweeps are not needed.
  virtual Sweeper<T>& sweeper() = 0;
  virtual int threads() const = 0;
  virtual Index pieces() const = 0;
  virtual Run piece(Index s) const = 0;
  virtual T* iterate() = 0;
  /// Zeros.
  T* new_vector() {
    vectors_.push_back(make_vector());
    return vectors_.back();
  }
  /// All of them, in the order in which they were made.
  const std::vector<T*>& vectors() const { return vectors_; }
  /// 1 / divisor of each unknown, or none where all have reciprocal().
  virtual const T* reciprocals() const = 0;
  virtual T reciprocal() const { return 1; }
  /// In whose inner product A is self-adjoint where it is not symmetric: 1/2 for each Neumann side that an
  /// unknown lies on; none where all are 1.
  virtual const T* weights() const { return nullptr; }
  /// In words, for reports.
  virtual const char* preconditioner() const { return "preconditioned by the diagonal"; }
  /// Whether A x is made at once, by one thread that has no team.
  virtual bool makes_whole_products() const { return false; }
  /// Comes before product() and residual() of the pieces, which are of the same x.
  virtual void begin_product(const T*) const {}
  /// On piece s, y = A x; y = b - A x of the right-hand side loaded, boundary values included.
  virtual void product(Index s, const T* x, T* y) const = 0;
  virtual void residual(Index s, const T* x, T* y) const = 0;
  /// Brings ghosts up to date that copy unknowns of piece s.
  virtual void renew(Index, T*) const {}
  /// None of a field that one rank has all of.
  virtual const Shares* shares() const { return nullptr; }
  /// By one thread of each rank: what a product reads of other ranks' x becomes theirs.
  virtual void exchange(T*) const {}
  /// As Sweeper::take_values().
  virtual bool take_values(const Operator<T>&) { return false; }
  /// Bytes that a product moves per unknown beside x and y, and the instruction set that makes it.
  virtual double product_bytes() const = 0;
  virtual const char* simd() const = 0;

 private:
  virtual T* make_vector() = 0;

  std::vector<T*> vectors_;
};

}  // namespace jacobi::sweep
