#include "jacobi/sweeper.hpp"

#include <type_traits>
#include <vector>

#include "core/executed.hpp"
#include "core/governor.hpp"
#include "core/kept.hpp"
#include "core/lengths.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

template <class T>
Sweeper<T>::Sweeper() : governor_(std::make_unique<Governor>()) {}

template <class T>
Sweeper<T>::~Sweeper() = default;

template <class T>
Norms Sweeper<T>::advance(std::span<const Step> steps, Want want) {
  const Governed call(*governor_, steps.size());
  return do_advance(steps, want);
}

template <class T>
void Sweeper<T>::advance_measured(std::span<const Step> steps, std::span<Norms> updates) {
  const Governed call(*governor_, steps.size());
  do_advance_measured(steps, updates);
}

template <class T>
Norms Sweeper<T>::norms(Want want) {
  const Governed call(*governor_);
  return do_norms(want);
}

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
void Sweeper<T>::keep(Snapshot& snapshot, bool iterate_before) {
  snapshot.vectors["x"] = in_double<T>([&](std::span<T> x) { do_store(x); }, rows());
  do_keep(snapshot, iterate_before);
}

template <class T>
void Sweeper<T>::take(std::span<const T> b, const Snapshot& snapshot) {
  const std::vector<double>& x = vector_of(snapshot, "x", static_cast<std::size_t>(rows()));
  load(b, std::vector<T>(x.begin(), x.end()));
  do_take(snapshot);
}

template <class T>
void Sweeper<T>::do_keep(Snapshot&, bool iterate_before) {
  if (iterate_before)
    throw UsageError(
        "a checkpoint between three-term steps needs the iterate before, which is not kept here");
}

template <class T>
std::optional<Halt> Sweeper<T>::halted() const {
  return {};
}

template class Sweeper<double>;
template class Sweeper<float>;

}  // namespace jacobi
