#include "jacobi/sweeper.hpp"

#include "core/executed.hpp"
#include "core/lengths.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

template <class T>
void Sweeper<T>::load(std::span<const T> b, std::span<const T> x) {
  require_lengths(rows(), {{"b", b.size()}, {"x", x.size()}});
  do_load(b, x);
}

template <class T>
void Sweeper<T>::save() {
  do_save();
  is_saved_ = true;
}

template <class T>
void Sweeper<T>::restore() {
  if (!is_saved_) throw UsageError("restore() without save(): there is no iterate to return to");
  do_restore();
}

template <class T>
void Sweeper<T>::store(std::span<T> x) const {
  require_lengths(rows(), {{"x", x.size()}});
  do_store(x);
}

template <class T>
std::optional<Halt> Sweeper<T>::halted() const {
  return {};
}

template class Sweeper<double>;
template class Sweeper<float>;

}  // namespace jacobi
