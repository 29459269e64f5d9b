/// Operators whose products Python makes.
#include "watch.hpp"

namespace jacobi::python {

namespace {

/// A Python object that is let go with the GIL, wherever its last owner ends.
std::shared_ptr<nb::object> shared(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* one) {
            const nb::gil_scoped_acquire gil;
            delete one;
          }};
}

/// y = A x by product(x), which has checked shape and dtype. x is a copy, as the caller may keep it.
template <class T>
void multiply_in_python(const nb::object& product, std::span<const T> x, std::span<T> y) {
  const nb::gil_scoped_acquire gil;
  const auto made = [&] { return product(array_of(std::vector<T>(x.begin(), x.end()))); };
  nb::object answer;
  Watch* const watch = Watch::of_this_thread();
  try {
    answer = made();
  } catch (nb::python_error& error) {
    if (!watch || !watch->keeps_interrupt(error)) throw;
    answer = made();  // again, so that the solve ends with an iterate
  }
  // A product of compiled code asks for no signals.
  if (watch)
    watch->ask_for_signals();
  else if (PyErr_CheckSignals() != 0)
    throw nb::python_error();
  const In<T> values = nb::cast<In<T>>(answer);
  if (values.size() != y.size()) throw UsageError("a product of another length than the operator has rows");
  std::copy_n(values.data(), y.size(), y.data());
}

/// diagonal: empty where it is not known.
template <class T>
Matrix<T> from_products(Index rows, nb::object product, const In<T>& diagonal,
                        std::optional<std::pair<double, double>> bounds) {
  std::optional<Range> range;
  if (bounds) range = Range{bounds->first, bounds->second};
  const auto called = shared(std::move(product));
  return Matrix<T>(MatrixFree<T>(
      rows, [called](std::span<const T> x, std::span<T> y) { multiply_in_python(*called, x, y); },
      std::vector<T>(diagonal.data(), diagonal.data() + diagonal.size()), range));
}

}  // namespace

template <class T>
void bind_products(nb::module_& m) {
  m.def((std::string("products") + suffix<T>).c_str(), &from_products<T>, "rows"_a, "product"_a,
        "diagonal"_a.noconvert(), "bounds"_a.none());
}

template void bind_products<double>(nb::module_&);
template void bind_products<float>(nb::module_&);

}  // namespace jacobi::python
