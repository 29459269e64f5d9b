/// Operators whose products Python makes.
#include "watch.hpp"

namespace jacobi::python {

namespace {

/// y = A x by product(x), which has checked shape and dtype. x is a copy, as the caller may keep it.
template <class T>
void multiply_in_python(nb::handle product, std::span<const T> x, std::span<T> y) {
  const WithGil gil;
  const auto made = [&] { return call_python(product, array_of(std::vector<T>(x.begin(), x.end()))); };
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
  else if (or_sleep([] { return PyErr_CheckSignals(); }) != 0)
    throw nb::python_error();
  const In<T> values = nb::cast<In<T>>(answer);
  if (values.size() != y.size()) throw UsageError("a product of another length than the operator has rows");
  std::copy_n(values.data(), y.size(), y.data());
}

/// diagonal: empty where it is not known. The Python object owns the product, so that the garbage collector
/// sees who does; no copy of the operator lives longer.
template <class T>
Matrix<T> from_products(Index rows, nb::object product, const In<T>& diagonal,
                        std::optional<std::pair<double, double>> bounds) {
  std::optional<Range> range;
  if (bounds) range = Range{bounds->first, bounds->second};
  const nb::handle called = product;
  MatrixFree<T> a(
      rows, [called](std::span<const T> x, std::span<T> y) { multiply_in_python(called, x, y); },
      std::vector<T>(diagonal.data(), diagonal.data() + diagonal.size()), range);
  return Matrix<T>(std::move(a), {std::move(product)});
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
