#include "jacobi/row_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/divides.hpp"
#include "diagnosis/graph.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

/// The row for each place, of entries that `may` stand there, given the largest of their row; nothing where
/// no order will do.
template <class T, class May>
std::optional<std::vector<Index>> order_of_those(const Csr<T>& a, May&& may) {
  std::vector<double> values(a.values().size());
  return a.visit([&](auto offsets, auto columns, auto given) {
    for (Index i = 0; i < a.rows(); ++i) {
      double largest = 0;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        largest = std::max(largest, std::abs(static_cast<double>(given[k])));
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        values[k] = may(given[k], largest) ? static_cast<double>(given[k]) : 0;
    }
    return diagnosis::transversal(Csr<double>::view(offsets, columns, std::span<const double>(values)));
  });
}

}  // namespace

template <class T>
std::vector<Index> order_rows(const Csr<T>& a) {
  bool whole = true;
  for (Index i = 0; i < a.rows() && whole; ++i) whole = divides(a.diagonal(i));
  if (whole) {
    std::vector<Index> order(static_cast<std::size_t>(a.rows()));
    std::iota(order.begin(), order.end(), Index(0));
    return order;
  }
  for (const double share :
       {1.0, 0.5, 0.2, 0.1, 0.01, 1e-4, 0.0})  // large entries first: sweeps gain by them
    if (const auto order = order_of_those(a, [&](T value, double largest) {
          return divides(value) && std::abs(static_cast<double>(value)) >= share * largest;
        }))
      return *order;
  const bool small = order_of_those(a, [](T value, double) { return value != 0; }).has_value();
  throw InputError(fmt::format("no order of the rows has a diagonal without zeros{}",
                               small ? ", or what is too small to be divided by"
                                     : ": A is singular, whatever the values of its nonzeros"));
}

template <class T>
Csr<T> with_rows_in(const Csr<T>& a, std::span<const Index> order) {
  std::vector<char> taken(static_cast<std::size_t>(a.rows()));
  if (std::ssize(order) != a.rows())
    throw InputError(fmt::format("an order of {} rows for a matrix of {}", order.size(), a.rows()));
  for (const Index i : order)
    if (i < 0 || i >= a.rows() || std::exchange(taken[static_cast<std::size_t>(i)], 1))
      throw InputError(fmt::format("an order of {} rows that names row {} {}", a.rows(), i,
                                   i < 0 || i >= a.rows() ? "which there is not" : "twice"));
  return a.visit([&]<class Offsets>(Offsets offsets, auto columns, auto values) {
    using I = std::remove_cv_t<typename Offsets::element_type>;
    std::vector<I> first{0}, to;
    std::vector<T> entries;
    first.reserve(offsets.size());
    to.reserve(columns.size());
    entries.reserve(values.size());
    for (const Index i : order) {
      to.insert(to.end(), columns.begin() + offsets[i], columns.begin() + offsets[i + 1]);
      entries.insert(entries.end(), values.begin() + offsets[i], values.begin() + offsets[i + 1]);
      first.push_back(static_cast<I>(to.size()));
    }
    return Csr<T>::own(std::move(first), std::move(to), std::move(entries));
  });
}

template std::vector<Index> order_rows<double>(const Csr<double>&);
template std::vector<Index> order_rows<float>(const Csr<float>&);
template Csr<double> with_rows_in<double>(const Csr<double>&, std::span<const Index>);
template Csr<float> with_rows_in<float>(const Csr<float>&, std::span<const Index>);

}  // namespace jacobi
