#include "core/fingerprint.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "jacobi/version.hpp"

namespace jacobi {

namespace {

/// Source: Fowler, Noll, Vo, "The FNV non-cryptographic hash algorithm" (FNV-1a), by words in place of bytes.
class Digest {
 public:
  template <class P>
  requires std::is_trivially_copyable_v<P> Digest& add(std::span<const P> values) {
    std::uint64_t word = 0;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
    const std::size_t whole = values.size_bytes() / sizeof word * sizeof word;
    for (std::size_t i = 0; i < whole; i += sizeof word) {
      std::memcpy(&word, bytes + i, sizeof word);
      mix(word);
    }
    for (std::size_t i = whole; i < values.size_bytes(); ++i) mix(bytes[i]);
    mix(values.size());
    return *this;
  }
  template <class P>
  Digest& add(const std::vector<P>& values) {
    return add(std::span<const P>(values));
  }
  template <class P>
  requires std::is_arithmetic_v<P> || std::is_enum_v<P> Digest& add(P value) {
    return add(std::span<const P>(&value, 1));
  }
  std::string in_words() const { return fmt::format("{:016x}", state_); }

 private:
  void mix(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3; }

  std::uint64_t state_ = 0xcbf29ce484222325;
};

template <class T, int D>
void add_entries(Digest& to, const Stencil<T, D>& a) {
  const Grid<T, D>& grid = a.grid();
  for (int d = 0; d < D; ++d) {
    to.add(grid.unknowns[d]).add(grid.spacing[d]);
    for (const Side<T>& side : grid.sides[d]) to.add(side.kind).add(side.values);
  }
  to.add(a.center());
  for (int k = 0; k < 2 * D; ++k)
    for (Index p = 0; p < (a.is_constant() ? 1 : a.rows()); ++p) to.add(a.off(k, p));
}
template <class T>
void add_entries(Digest& to, const Csr<T>& a) {
  to.add(a.values());
  a.visit([&](auto offsets, auto columns, auto) {
    for (const auto offset : offsets) to.add(static_cast<Index>(offset));
    for (const auto column : columns) to.add(static_cast<Index>(column));
  });
}
template <class T>
void add_entries(Digest& to, const Dense<T>& a) {
  to.add(a.rows()).add(a.copies()).add(a.layout());  // in whose order a row is summed
  for (Index i = 0; i < a.rows() / a.copies(); ++i)
    for (Index j = 0; j < a.rows() / a.copies(); ++j) to.add(a.at(i, j));
}

template <class T>
void add_entries(Digest& to, const BoxStencil<T>& a) {
  for (int d = 0; d < 3; ++d) to.add(a.unknowns()[d]).add(a.side(d, 0)).add(a.side(d, 1));
  for (int k = -1; k <= 1; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) to.add(a.coefficient(i, j, k));
}

/// By one product, and its diagonal.
template <class T>
void add_entries(Digest& to, const MatrixFree<T>& a) {
  std::vector<T> x(static_cast<std::size_t>(a.rows())), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(1 + i % 7);
  a.apply(x, y);
  to.add(y).add(a.diagonal());
}

/// The weights of the first sweeps, and every option.
Digest weights_of(const Plan& plan) {
  Digest to;
  const Method& m = plan.method;
  Step step;
  for (Index n = 0; n < 64 && m.step; ++n) {
    step = m.step(n, step);
    to.add(step.omega).add(step.rho);
  }
  to.add(m.divisor).add(m.period).add(m.red_black).add(m.acceleration);
  to.add(m.anderson.depth).add(m.anderson.period).add(m.anderson.omega);
  for (const Multigrid* const cycle : {plan.multigrid(), plan.preconditioner()}) {
    to.add(cycle != nullptr);
    if (cycle) to.add(cycle->pre).add(cycle->post).add(cycle->visits).add(cycle->full);
  }
  to.add(plan.amg() != nullptr);
  if (plan.amg()) {
    const Amg& o = *plan.amg();
    to.add(o.pre).add(o.post).add(o.cycle).add(o.smoother).add(o.strength).add(o.block);
    to.add(o.complexity).add(o.coarsest).add(o.near_null != nullptr);
    if (o.near_null)
      for (const std::vector<double>& vector : *o.near_null) to.add(std::span<const double>(vector));
  }
  if (plan.tiling())
    for (int d = 0; d < 3; ++d)
      to.add(plan.tiling()->extent[d]).add(plan.tiling()->overlap[d]).add(plan.tiling()->subiterations);
  return to;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == '\n')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

}  // namespace

template <class T>
std::string fingerprint(const Operator<T>& a, const Plan& plan, const Stop& stop, std::span<const T> b,
                        std::span<const T> x) {
  Digest entries;
  std::visit([&](const auto& matrix) { add_entries(entries, matrix); }, a);
  return fmt::format(
      "library {}\ninstruction set {}\nprecision {}\nunknowns {}\nmethod {}\nweights {}\nrung {}\n"
      "matrix precision {}\nnorm {}\nreference {}\nrelative tolerance {}\nabsolute tolerance {}\n"
      "check every {}\nfirst check {}\nmatrix {}\nright-hand side {}\ninitial iterate {}",
      version(), simd::chosen(), sizeof(T) == sizeof(double) ? "double" : "float", b.size(), plan.name(),
      weights_of(plan).in_words(), plan.rung().empty() ? "chosen" : plan.rung(),
      static_cast<int>(plan.matrix_precision), name(stop.norm), name(stop.reference), stop.relative,
      stop.absolute, stop.check_every, stop.first_check, entries.in_words(), Digest().add(b).in_words(),
      Digest().add(x).in_words());
}

void require_same(const std::string& kept, const std::string& now) {
  const std::vector<std::string> before = parts_of(kept), here = parts_of(now);
  for (std::size_t i = 0; i < here.size(); ++i)
    if (i >= before.size() || before[i] != here[i])
      throw InputError(fmt::format("the checkpoint is of another solve: it has {}, this one {}",
                                   i < before.size() ? before[i] : "nothing in its place", here[i]));
}

template std::string fingerprint<double>(const Operator<double>&, const Plan&, const Stop&,
                                         std::span<const double>, std::span<const double>);
template std::string fingerprint<float>(const Operator<float>&, const Plan&, const Stop&,
                                        std::span<const float>, std::span<const float>);

}  // namespace jacobi
