#include "reorder.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/divides.hpp"
#include "jacobi/row_order.hpp"
#include "named.hpp"

namespace jacobi::cli {

namespace {

/// sparse: the same in this order already, whose values serve where there is no zero and lines are rows.
template <class T>
Dense<T> in_order(const Dense<T>& a, const std::vector<Index>& order, const Csr<T>& sparse) {
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
  const std::vector<Index> order = named(path + ": --reorder-rows", [&] { return order_rows(system.a); });
  Index moved = 0;
  for (std::size_t i = 0; i < order.size(); ++i) moved += order[i] != static_cast<Index>(i);
  if (moved == 0) return {false, "no zero stands on the diagonal: the rows keep their order"};
  system.a = with_rows_in<T>(system.a, order);
  if (system.dense) system.dense = in_order(*system.dense, order, system.a);
  for (std::vector<T>& b : system.b) {
    const std::vector<T> before = b;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = before[static_cast<std::size_t>(order[i])];
  }
  return {true, fmt::format("{} of {} rows, and their right-hand sides, were put in other places, so that no "
                            "zero stands on the diagonal; the unknowns keep their order",
                            moved, order.size())};
}

template Reordered reorder_rows<double>(System<double>&, const std::string&);
template Reordered reorder_rows<float>(System<float>&, const std::string&);

}  // namespace jacobi::cli
