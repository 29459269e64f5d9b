/// Box stencils and their right-hand sides.
#include "grids.hpp"

namespace jacobi::python {

namespace {

/// Without a tensor the compact Laplacian.
template <class T>
Matrix<T> make_box(const Box& box, const std::vector<double>& tensor, double reaction) {
  return on_grid<T>(box, {}, [&]<int D>(const Grid<T, D>& grid) {
    return tensor.empty() ? compact_laplacian<T, D>(grid, reaction)
                          : tensor_operator<T, D>(grid, tensor, reaction);
  });
}

/// The right-hand side of that; f and given: at all points, those on Dirichlet sides included.
template <class T>
void make_box_rhs(const Box& box, const std::vector<double>& tensor, double reaction, const In<T>& f,
                  const In<T>& given, const Out<T>& out) {
  on_grid<T>(box, {}, [&]<int D>(const Grid<T, D>& grid) {
    const BoxProblem<T> made = tensor.empty()
                                   ? compact_poisson<T, D>(grid, view(f), view(given), reaction)
                                   : tensor_diffusion<T, D>(grid, tensor, view(f), view(given), reaction);
    if (made.b.size() != out.size()) throw UsageError("b has as many places as there are unknowns");
    std::ranges::copy(made.b, out.data());
    return made.a;
  });
}

}  // namespace

template <class T>
void bind_boxes(nb::module_& m) {
  const auto named = [&](const char* name) { return std::string(name) + suffix<T>; };
  m.def(named("box").c_str(), &make_box<T>, "box"_a, "tensor"_a, "reaction"_a);
  m.def(named("box_rhs").c_str(), &make_box_rhs<T>, "box"_a, "tensor"_a, "reaction"_a, "f"_a.noconvert(),
        "given"_a.noconvert(), "out"_a.noconvert());
}

template void bind_boxes<double>(nb::module_&);
template void bind_boxes<float>(nb::module_&);

}  // namespace jacobi::python
