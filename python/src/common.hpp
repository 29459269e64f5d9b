/// What every part of the module needs: arrays as spans, and operators with what keeps their memory alive.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/asked.hpp"
#include "gil.hpp"
#include "jacobi/jacobi.hpp"

namespace jacobi::python {

using namespace nb::literals;

/// Arrays that lie on this machine without gaps; nothing is ever cast to fit (noconvert at each use).
template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Any strides.
template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::device::cpu>;

template <class T>
std::span<const T> view(const In<T>& a) {
  return {a.data(), a.size()};
}
template <class T>
std::span<T> view(const Out<T>& a) {
  return {a.data(), a.size()};
}

/// A new NumPy array that owns these values.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> array_of(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = kept->data();
  const std::size_t size = kept->size();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {data, {size}, owner};
}

/// "_f64", "_f32": what names of classes for T end with.
template <class T>
constexpr const char* suffix = sizeof(T) == sizeof(double) ? "_f64" : "_f32";

template <class T>
struct AnyHeat;  // heat.hpp

/// What steps in time begin from.
template <class T>
struct HeatStart {
  std::span<const T> f, u;
  double dt;
  HeatOptions options;
  std::shared_ptr<const Backend> on;
};

/// A Domain of any number of dimensions.
template <class T>
struct AnyDomain {
  virtual ~AnyDomain() = default;
  virtual std::vector<Note> fold(std::span<const T> b, std::span<T> out, bool project) const = 0;
  virtual void start(std::span<T> x) const = 0;
  virtual void finish(std::span<T> x) const = 0;
  virtual void finish(Report& report) const = 0;
  /// Whether a part of it touches no given value.
  virtual bool has_pockets() const = 0;
  virtual Range bounds_of_box() const = 0;
  virtual std::unique_ptr<AnyHeat<T>> heat(const HeatStart<T>& start) const = 0;
};

/// An operator, and the arrays that it views.
template <class T>
class Matrix {
 public:
  using Arrays = std::vector<nb::object>;

  explicit Matrix(Operator<T> a, Arrays keeps = {}, std::shared_ptr<const AnyDomain<T>> domain = nullptr)
      : a_(std::move(a)), keeps_(std::move(keeps)), domain_(std::move(domain)) {}
  bool has_domain() const { return domain_ != nullptr; }
  /// Throws: UsageError where it is the operator of no domain.
  const AnyDomain<T>& domain() const {
    if (!domain_) throw UsageError("this operator is that of no domain");
    return *domain_;
  }

  const Operator<T>& a() const { return a_; }
  template <class Visit>
  void each_kept(Visit visit) const {
    for (const nb::object& one : keeps_) visit(one);
  }
  Index rows() const {
    return std::visit([](const auto& one) { return one.rows(); }, a_);
  }
  bool is_csr() const { return std::holds_alternative<Csr<T>>(a_); }
  bool is_dense() const { return std::holds_alternative<Dense<T>>(a_); }
  bool is_matrix() const { return is_csr() || is_dense(); }
  bool gives_products() const { return std::holds_alternative<MatrixFree<T>>(a_); }
  const MatrixFree<T>& products() const { return std::get<MatrixFree<T>>(a_); }
  /// What a pass over it visits; of products, which the caller's thread is to make, none.
  double entries() const {
    if (gives_products()) return 0;
    if (is_csr()) return static_cast<double>(std::get<Csr<T>>(a_).entries());
    if (is_dense()) return static_cast<double>(std::get<Dense<T>>(a_).entries());
    return 5 * static_cast<double>(rows());
  }
  /// The entries of a matrix; of a dense one a copy, made once.
  const Csr<T>& csr() const {
    if (is_csr()) return std::get<Csr<T>>(a_);
    const std::lock_guard lock(*mutex_);
    if (!entries_) entries_.emplace(to_csr(std::get<Dense<T>>(a_)));
    return *entries_;
  }

 private:
  Operator<T> a_;
  Arrays keeps_;
  std::shared_ptr<const AnyDomain<T>> domain_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::optional<Csr<T>> entries_;
};

/// What was asked for by name; empty: nothing.
using Request = AskedMethod;

/// One of the names of an enumeration, as name() gives them. Throws: UsageError that lists them.
Norm norm_of(const std::string& text);
Reference reference_of(const std::string& text);
Cholesky cholesky_of(const std::string& text);

/// A text of the library that names options of the command line, with arguments and functions of Python
/// instead.
std::string in_python(std::string text);

/// `name` of the library, or that and so many threads.
std::shared_ptr<const Backend> backend_of(const std::string& name, std::optional<int> threads);

void bind_errors();
void bind_report(nb::module_& m);
void bind_machine(nb::module_& m);
template <class T>
void bind_matrix(nb::module_& m);
template <class T>
void bind_boxes(nb::module_& m);
template <class T>
void bind_products(nb::module_& m);
template <class T>
void bind_solve(nb::module_& m);
template <class T>
void bind_sweeper(nb::module_& m);
template <class T>
void bind_relax(nb::module_& m);
void bind_heat_options(nb::module_& m);
template <class T>
void bind_heat(nb::module_& m);

}  // namespace jacobi::python
