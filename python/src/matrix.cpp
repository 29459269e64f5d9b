/// Operators from arrays, viewed where they lie, and from the description of a grid.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/metric.hpp"
#include "grids.hpp"
#include "heat.hpp"
#include "watch.hpp"

namespace jacobi::python {

namespace {

template <class T, class I>
Matrix<T> from_csr(const In<I>& offsets, const In<I>& columns, const In<T>& values) {
  std::optional<Csr<T>> a;
  {
    const WithoutGil free;
    a.emplace(Csr<T>::template view<I>(view(offsets), view(columns), view(values)));
  }
  return Matrix<T>(std::move(*a), {nb::cast(offsets), nb::cast(columns), nb::cast(values)});
}

/// Any matrix whose rows or columns have no gaps.
template <class T>
Matrix<T> from_dense(const Table<const T>& values) {
  const auto n = static_cast<Index>(values.shape(0));
  if (values.shape(0) != values.shape(1))
    throw UsageError(fmt::format("a matrix of shape ({}, {}): as many rows as columns are needed",
                                 values.shape(0), values.shape(1)));
  const Index down = values.stride(0), across = values.stride(1);
  const bool by_rows = (across == 1 || n <= 1) && (down >= n || n <= 1);
  const bool by_columns = down == 1 && across >= n;
  if (!by_rows && !by_columns)
    throw UsageError("neither the rows nor the columns of the matrix lie without gaps");
  const Index leading = std::max<Index>(n <= 1 ? 1 : by_rows ? down : across, 1);
  const std::size_t size = n < 1 ? 0 : static_cast<std::size_t>((n - 1) * leading + n);
  std::optional<Dense<T>> a;
  {
    const WithoutGil free;
    a.emplace(Dense<T>::view({values.data(), size}, n, by_rows ? Layout::row_major : Layout::column_major,
                             leading));
  }
  return Matrix<T>(std::move(*a), {nb::cast(values)});
}

template <class T>
Matrix<T> make_poisson(const Box& box, double reaction) {
  return on_grid<T>(box, {}, [&](auto grid) { return poisson(grid, reaction); });
}

template <class T>
Matrix<T> make_diffusion(const Box& box, const In<T>& k, const In<T>& c) {
  return on_grid<T>(box, {}, [&]<int D>(Grid<T, D> grid) { return diffusion<T, D>(grid, view(k), view(c)); });
}

/// off: of x-, x+, y-, ...; one value each, or one per unknown.
template <class T>
Matrix<T> make_stencil(const Box& box, const In<T>& center, const std::vector<In<T>>& off) {
  typename Matrix<T>::Arrays keeps{nb::cast(center)};
  for (const In<T>& one : off) keeps.push_back(nb::cast(one));
  std::vector<std::span<const T>> views;
  for (const In<T>& one : off) views.push_back(view(one));
  return on_grid<T>(box, std::move(keeps), [&]<int D>(Grid<T, D> grid) {
    if (views.size() != 2 * D)
      throw UsageError(
          fmt::format("a grid of {} dimensions has {} neighbours, {} were given", D, 2 * D, views.size()));
    if (center.size() == 1 && std::ranges::all_of(views, [](auto v) { return v.size() == 1; })) {
      PerSide<T, D> values;
      for (std::size_t k = 0; k < 2 * D; ++k) values[k] = views[k][0];
      return Stencil<T, D>::constant(grid, view(center)[0], values);
    }
    PerSide<std::span<const T>, D> arrays;
    std::ranges::copy(views, arrays.begin());
    return Stencil<T, D>::variable(grid, view(center), arrays);
  });
}

/// Of grids f(stencil); throws of a matrix.
template <class T, class F>
auto of_grid(const Matrix<T>& a, F f) {
  using Result = decltype(f(std::get<Stencil<T, 1>>(a.a())));
  return std::visit(
      [&]<class A>(const A& one) -> Result {
        if constexpr (OnGrid<A>)
          return f(one);
        else
          throw UsageError("this operator is no grid");
      },
      a.a());
}

/// Of grids and box stencils f(operator); throws of a matrix.
template <class T, class F>
auto of_structured(const Matrix<T>& a, F f) {
  const auto* const box = std::get_if<BoxStencil<T>>(&a.a());
  return box ? f(*box) : of_grid(a, f);
}

template <class T, int D>
struct DomainOf final : AnyDomain<T> {
  DomainOf(const Stencil<T, D>& box, DomainPoints<T> points) : domain(box, std::move(points)) {}
  std::vector<Note> fold(std::span<const T> b, std::span<T> out, bool project) const override {
    return domain.fold(b, out, project);
  }
  void start(std::span<T> x) const override { domain.start(x); }
  void finish(std::span<T> x) const override { domain.finish(x); }
  void finish(Report& report) const override { domain.finish(report); }
  bool has_pockets() const override { return !domain.pockets().empty(); }
  Range bounds_of_box() const override { return domain.bounds_of_box(); }
  std::unique_ptr<AnyHeat<T>> heat(const HeatStart<T>& start) const override {
    return std::make_unique<HeatOf<T, D>>(domain, start);
  }
  Domain<T, D> domain;
};

/// A Robin side: its number, alpha and beta.
using Robin = std::tuple<int, In<double>, In<double>>;

/// kinds: of PointKind, and values, one per point, or none.
template <class T>
Matrix<T> make_domain(const Matrix<T>& box, const In<std::uint8_t>& kinds, const In<T>& values,
                      bool insulated, const std::vector<Robin>& robin) {
  return of_grid(box, [&]<int D>(const Stencil<T, D>& one) {
    std::shared_ptr<const DomainOf<T, D>> made;
    interruptibly(box.entries(), [&] {
      DomainPoints<T> points;
      for (const std::uint8_t kind : view(kinds)) points.kinds.push_back(static_cast<PointKind>(kind));
      points.values.assign(view(values).begin(), view(values).end());
      points.insulated = insulated;
      for (const auto& [side, alpha, beta] : robin) {
        if (side < 0 || side >= 2 * D) throw UsageError(fmt::format("a grid has no side {}", side));
        add_robin<T, D>(one, side, view(alpha), view(beta), points);
      }
      made = std::make_shared<const DomainOf<T, D>>(one, std::move(points));
    });
    return Matrix<T>(made->domain.a(), {}, made);
  });
}

template <class T>
void multiply_into(const Matrix<T>& a, const In<T>& x, const Out<T>& y) {
  interruptibly(a.entries(), [&] {
    const std::vector<T> product = std::visit([&](const auto& one) { return multiply(one, view(x)); }, a.a());
    if (product.size() != y.size())
      throw UsageError("a product needs as many places as the operator has rows");
    std::ranges::copy(product, y.data());
  });
}

/// (offsets, columns, values), kept by one another.
template <class T>
nb::tuple csr_arrays(const Matrix<T>& a) {
  std::unique_ptr<Csr<T>> made;
  interruptibly(a.entries(), [&] {
    made = std::make_unique<Csr<T>>(
        a.is_matrix() ? a.csr() : of_structured(a, [](const auto& stencil) { return to_csr(stencil); }));
  });
  const Csr<T>& csr = *made;
  nb::capsule owner(made.release(), [](void* p) noexcept { delete static_cast<Csr<T>*>(p); });
  return csr.visit([&](auto offsets, auto columns, auto values) {
    const auto array = [&]<class V>(std::span<const V> s) {
      return nb::ndarray<nb::numpy, const V, nb::ndim<1>>(s.data(), {s.size()}, owner);
    };
    return nb::make_tuple(array(offsets), array(columns), array(values));
  });
}

template <class T>
std::string kind(const Matrix<T>& a) {
  return a.is_csr() ? "csr" : a.is_dense() ? "dense" : a.gives_products() ? "products" : "grid";
}

/// Where the values swept lie, to be compared with where the caller's do.
template <class T>
std::uintptr_t address(const Matrix<T>& a) {
  return reinterpret_cast<std::uintptr_t>(std::visit(
      [&]<class A>(const A& one) -> const T* {
        if constexpr (std::is_same_v<A, Csr<T>>)
          return one.values().data();
        else if constexpr (std::is_same_v<A, Dense<T>>)
          return one.data();
        else if constexpr (OnGrid<A>)
          return one.center().data();
        else
          return nullptr;
      },
      a.a()));
}

}  // namespace

template <class T>
void bind_matrix(nb::module_& m) {
  const auto named = [&](const char* name) { return std::string(name) + suffix<T>; };
  if (!m.attr("__dict__").attr("__contains__")("Box").equal(nb::bool_(true)))
    nb::class_<Box>(m, "Box").def(
        "__init__",
        [](Box* box, std::vector<Index> unknowns, std::vector<double> lower, std::vector<double> upper,
           std::vector<double> spacing, std::vector<std::string> kinds,
           std::vector<std::vector<double>> values, std::vector<std::vector<double>> axes,
           std::string coordinates) {
          const std::size_t d = unknowns.size();
          if (lower.size() != d || upper.size() != d || (!spacing.empty() && spacing.size() != d) ||
              kinds.size() != 2 * d || values.size() != 2 * d || axes.size() != d)
            throw UsageError("a box whose parts are of different dimensions");
          new (box) Box{std::move(unknowns), std::move(lower),  std::move(upper), std::move(spacing),
                        std::move(kinds),    std::move(values), std::move(axes),  std::move(coordinates)};
        },
        "unknowns"_a, "lower"_a, "upper"_a, "spacing"_a, "kinds"_a, "values"_a, "axes"_a, "coordinates"_a);

  nb::class_<Matrix<T>>(m, named("Matrix").c_str(), nb::type_slots(slots_of<Matrix<T>>))
      .def_prop_ro("rows", &Matrix<T>::rows)
      .def_prop_ro("kind", &kind<T>)
      .def_prop_ro("address", &address<T>)
      .def_prop_ro("singular",
                   [](const Matrix<T>& a) {
                     return a.has_domain() ? a.domain().has_pockets()
                                           : of_structured(a, [](const auto& one) { return one.singular(); });
                   })
      .def("multiply", &multiply_into<T>, "x"_a.noconvert(), "y"_a.noconvert())
      .def("to_csr", &csr_arrays<T>,
           nb::sig("def to_csr(self) -> tuple[NDArray[numpy.generic], NDArray[numpy.generic], "
                   "NDArray[numpy.generic]]"))
      .def(
          "fold",
          [](const Matrix<T>& a, const In<T>& b, const Out<T>& out) {
            interruptibly(a.entries(), [&] {
              of_structured(a, [&]<class A>(const A& one) {
                if constexpr (OnGrid<A>)
                  one.fold(view(b), view(out));
                else  // whose values are in b
                  std::ranges::copy(view(b), view(out).begin());
                return 0;
              });
            });
          },
          "b"_a.noconvert(), "out"_a.noconvert())
      .def(
          "times_volumes",
          [](const Matrix<T>& a, const Out<T>& f) {
            if (std::holds_alternative<BoxStencil<T>>(a.a())) return;
            of_grid(a, [&]<int D>(const Stencil<T, D>& one) {
              return times_volumes<T, D>(one.grid(), view(f)), 0;
            });
          },
          "f"_a.noconvert())
      .def(
          "weights",
          [](const Matrix<T>& a, const Out<T>& out) {
            of_structured(a, [&](const auto& one) {
              for (Index p = 0; p < std::ssize(view(out)); ++p) view(out)[p] = static_cast<T>(one.weight(p));
              return 0;
            });
          },
          "out"_a.noconvert())
      .def_prop_ro("has_domain", &Matrix<T>::has_domain)
      .def(
          "domain_fold",
          [](const Matrix<T>& a, const In<T>& b, const Out<T>& out, bool project) {
            const WithoutGil free;
            const std::vector<Note> notes = a.domain().fold(view(b), view(out), project);
            return std::vector<std::string>(notes.begin(), notes.end());
          },
          "b"_a.noconvert(), "out"_a.noconvert(), "project"_a)
      .def(
          "domain_start", [](const Matrix<T>& a, const Out<T>& x) { a.domain().start(view(x)); },
          "x"_a.noconvert())
      .def(
          "domain_finish", [](const Matrix<T>& a, const Out<T>& x) { a.domain().finish(view(x)); },
          "x"_a.noconvert())
      .def(
          "domain_finish_report", [](const Matrix<T>& a, Report& report) { a.domain().finish(report); },
          "report"_a)
      .def("bounds", [](const Matrix<T>& a) {
        Range range;
        interruptibly(a.entries(), [&] {
          range = of_structured(a, []<class A>(const A& one) {
            if constexpr (OnGrid<A>)
              return bounds(one);
            else if (!one.bounds())
              throw InputError("no bounds of this box stencil's eigenvalues are proved");
            else
              return *one.bounds();
          });
          if (a.has_domain()) range.low = a.domain().bounds_of_box().low;
        });
        return std::pair(range.low, range.high);
      });
  m.def(named("csr").c_str(), &from_csr<T, std::int32_t>, "offsets"_a.noconvert(), "columns"_a.noconvert(),
        "values"_a.noconvert());
  m.def(named("csr").c_str(), &from_csr<T, std::int64_t>, "offsets"_a.noconvert(), "columns"_a.noconvert(),
        "values"_a.noconvert());
  m.def(named("dense").c_str(), &from_dense<T>, "values"_a.noconvert());
  m.def(named("poisson").c_str(), &make_poisson<T>, "box"_a, "reaction"_a);
  m.def(named("diffusion").c_str(), &make_diffusion<T>, "box"_a, "k"_a.noconvert(), "c"_a.noconvert());
  m.def(named("domain").c_str(), &make_domain<T>, "box"_a, "kinds"_a.noconvert(), "values"_a.noconvert(),
        "insulated"_a, "robin"_a);
  m.def(named("stencil").c_str(), &make_stencil<T>, "box"_a, "center"_a.noconvert(), "off"_a.noconvert());
}

template void bind_matrix<double>(nb::module_&);
template void bind_matrix<float>(nb::module_&);

}  // namespace jacobi::python
