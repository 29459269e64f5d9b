#include "backend/opencl/orders.hpp"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <array>
#include <utility>
#include <vector>

#include "sweep/stencil/order/order-inl.hpp"
#include "sweep/update-inl.hpp"

HWY_BEFORE_NAMESPACE();  // the rows' update is inlined, which takes the same target
namespace jacobi::opencl {

namespace {

using sweep::Kind;
using sweep::StepKind;
namespace order = sweep::HWY_NAMESPACE;

/// A value: the words for it.
struct Word {
  Word() = default;
  Word(std::string words) : text(std::move(words)) {}
  explicit Word(double) {}  // weights of steps, named afterwards
  std::string text;
};

/// Arithmetic on words; order-inl.hpp is written in it.
struct Record {
  using V = Word;
  static Word load(const Word* p) { return *p; }
  static Word set(Word value) { return value; }
  static Word add(const Word& a, const Word& b) { return fmt::format("({} + {})", a.text, b.text); }
  static Word sub(const Word& a, const Word& b) { return fmt::format("({} - {})", a.text, b.text); }
  static Word fma(const Word& a, const Word& b, const Word& c) {
    return fmt::format("fma({}, {}, {})", a.text, b.text, c.text);
  }
};

constexpr const char* names_of_steps[] = {"PLAIN", "WEIGHTED", "THREE_TERM"};

std::string define(StepKind step, const Word& value) {
  return fmt::format("#define {} {}\n", names_of_steps[static_cast<int>(step)], value.text);
}

/// A point and its neighbours, of arrays of three entries per direction.
template <Kind K, int D>
std::string define_all() {
  constexpr int size = D == 1 ? 3 : D == 2 ? 9 : 27, centre = size / 2;
  const char* const distances[] = {"1", "s1", "s2"};
  std::array<Word, size> u, out, g;
  std::array<std::array<Word, size>, 2 * D> c;
  sweep::Sources<Word, D> w;
  w.g = g.data();
  u[centre] = {"u[p]"}, out[centre] = {"out[p]"}, g[centre] = {"g[p]"};
  for (int d = 0, stride = 1; d < D; ++d, stride *= 3) {
    w.stride[d] = stride;
    u[centre - stride] = {fmt::format("u[p - {}]", distances[d])};
    u[centre + stride] = {fmt::format("u[p + {}]", distances[d])};
  }
  for (int k = 0; k < 2 * D; ++k) {
    w.c[k] = {fmt::format("c{}", k)};
    c[k][centre] = {fmt::format("c[p + {} * size]", k)};
    w.c_arrays[k] = c[k].data();
  }
  const Word omega{"omega"}, rho{"rho"};
  const auto value = [&](auto s) {
    return define(s(), order::new_value<K, s(), Record>(w, u.data(), out.data(), centre, omega, rho));
  };
  return value(std::integral_constant<StepKind, StepKind::plain>()) +
         value(std::integral_constant<StepKind, StepKind::weighted>()) +
         value(std::integral_constant<StepKind, StepKind::three_term>());
}

template <int D>
std::string define_all(Kind kind) {
  switch (kind) {
    case Kind::equal:
      return define_all<Kind::equal, D>();
    case Kind::lines:
      return define_all<Kind::lines, D>();
    case Kind::constant:
      return define_all<Kind::constant, D>();
    case Kind::variable:
      break;
  }
  return define_all<Kind::variable, D>();
}

}  // namespace

std::string orders_of_grid(Kind kind, int dimensions) {
  const std::string variable = fmt::format("#define VARIABLE {}\n", kind == Kind::variable ? 1 : 0);
  return variable + (dimensions == 1   ? define_all<1>(kind)
                     : dimensions == 2 ? define_all<2>(kind)
                                       : define_all<3>(kind));
}

std::string orders_of_rows() {
  std::string all;
  for (const Step step : {Step{1, 1}, Step{0.5, 1}, Step{0.5, 2}}) {
    order::Weights<Word> weights(step);
    weights.omega = {"omega"}, weights.rho = {"rho"};
    all += define(weights.kind, order::updated<Record>(weights, Word{"correction"}, Word{"x"},
                                                       [] { return Word{"before"}; }));
  }
  return all;
}

}  // namespace jacobi::opencl
HWY_AFTER_NAMESPACE();
