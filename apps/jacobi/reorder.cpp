#include "reorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/divides.hpp"
#include "diagnosis/graph.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

namespace {

using Order = std::vector<Index>;

/// The row for each place, of entries that `may` stand there, given the largest of their row; nothing where
/// no order will do.
template <class T, class May>
std::optional<Order> order_of(const Csr<T>& a, May&& may) {
  std::vector<double> values(a.values().size());
  return a.visit([&](auto offsets, auto columns, auto given) {
    for (Index i = 0; i < a.rows(); ++i) {
      double largest = 0;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        largest = std::max(largest, std::abs(static_cast<double>(given[k])));
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
        values[k] = may(given[k], largest) ? given[k] : 0;
      }
    }
    return diagnosis::transversal(Csr<double>::view(offsets, columns, std::span<const double>(values)));
  });
}

/// Of rows that are dominant in another order, that order: the larger diagonal entries are beside the others
/// of their row, the sooner sweeps converge.
template <class T>
std::optional<Order> order_without_zeros(const Csr<T>& a) {
  std::optional<Order> order;
  for (const double share : {1.0, 0.5, 0.2, 0.1, 0.01, 1e-4, 0.0})
    if ((order = order_of(a, [&](T value, double largest) {
           return divides(value) && std::abs(static_cast<double>(value)) >= share * largest;
         })))
      break;
  return order;
}

template <class T>
Csr<T> in_order(const Csr<T>& a, const Order& order) {
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

/// sparse: the same in this order already, whose values serve where there is no zero and lines are rows.
template <class T>
Dense<T> in_order(const Dense<T>& a, const Order& order, const Csr<T>& sparse) {
  const Index n = a.order();
  if (a.layout() == Layout::row_major && sparse.entries() == n * n) return Dense<T>::view(sparse.values(), n);
  std::vector<T> values(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      values[static_cast<std::size_t>(a.layout() == Layout::row_major ? i * n + j : i + j * n)] =
          a.at(order[i], j);
  return Dense<T>::own(std::move(values), n, a.layout());
}

}  // namespace

template <class T>
Reordered reorder_rows(System<T>& system, const std::string& path) {
  Index zeros = 0;
  for (Index i = 0; i < system.a.rows(); ++i) zeros += !divides(system.a.diagonal(i));
  if (zeros == 0) return {false, "no zero stands on the diagonal: the rows keep their order"};
  const std::optional<Order> order = order_without_zeros(system.a);
  if (!order)
    throw InputError(fmt::format("{}: --reorder-rows: no order of the rows has a diagonal without zeros{}",
                                 path,
                                 order_of(system.a, [](T value, double) { return value != 0; })
                                     ? ", or what is too small to be divided by"
                                     : ": A is singular, whatever the values of its nonzeros"));
  system.a = in_order(system.a, *order);
  if (system.dense) system.dense = in_order(*system.dense, *order, system.a);
  for (std::vector<T>& b : system.b) {
    const std::vector<T> before = b;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = before[static_cast<std::size_t>((*order)[i])];
  }
  Index moved = 0;
  for (std::size_t i = 0; i < order->size(); ++i) moved += (*order)[i] != static_cast<Index>(i);
  return {true, fmt::format("{} of {} rows, and their right-hand sides, were put in other places, so that no "
                            "zero stands on the diagonal; the unknowns keep their order",
                            moved, order->size())};
}

template Reordered reorder_rows<double>(System<double>&, const std::string&);
template Reordered reorder_rows<float>(System<float>&, const std::string&);

}  // namespace jacobi::cli
