#include "backend/cuda/csr.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "backend/cuda/csr_sell.hpp"
#include "backend/cuda/row_rungs.hpp"
#include "backend/cuda/row_sweeper.hpp"
#include "backend/cuda/stencil.hpp"
#include "jacobi/error.hpp"
#include "sweep/divisors.hpp"

namespace jacobi::cuda {

namespace {

/// Chunks are read in full lines and need no sums over lanes: better where little fills up, and no row is so
/// long that its lane would still go on when all others are done. A model, not measured.
template <class T>
bool is_best_in_chunks(const sweep::Sell<T>& m, const Csr<T>& a) {
  const Index longest = *std::max_element(m.length.begin(), m.length.end());
  return m.start.back() <= a.entries() + a.entries() / 4 + sweep::sell_rows && longest <= 512;
}

template <class T>
void require_room(const Stream& stream, const Csr<T>& a, Index bytes) {
  require_device_memory(stream, bytes + bytes_of_vectors<T>(a.rows(), 1), "the matrix");
}

template <class T, class O>
Kernels<T> make_rows_with(const Stream& stream, const Csr<T>& a) {
  require_room(stream, a, CsrByRows<T, O>::bytes_needed(a));
  return std::make_unique<CsrByRows<T, O>>(stream, a);
}

template <class T>
Kernels<T> make_rows(const Stream& stream, const Csr<T>& a) {
  const bool short_offsets = a.entries() < std::numeric_limits<std::int32_t>::max() - csr_threads;
  return short_offsets ? make_rows_with<T, std::int32_t>(stream, a)
                       : make_rows_with<T, std::int64_t>(stream, a);
}

template <class T>
Kernels<T> make_chunks(const Stream& stream, const Csr<T>& a, sweep::Sell<T> m) {
  require_room(stream, a, CsrSell<T>::bytes_needed(m));
  return std::make_unique<CsrSell<T>>(stream, std::move(m), a);
}

template <class T>
Kernels<T> make_sell(const Stream& stream, const Csr<T>& a) {
  return make_chunks(stream, a, sweep::sell_order(a));
}

template <class T>
Kernels<T> make_better(const Stream& stream, const Csr<T>& a) {
  sweep::Sell<T> m = sweep::sell_order(a);
  return is_best_in_chunks(m, a) ? make_chunks(stream, a, std::move(m)) : make_rows(stream, a);
}

template <class T>
constexpr std::array<RowRung<T, Csr<T>>, 3> sparse_rungs = {{{"fused", false, suits_always, make_rows<T>},
                                                             {"sell", false, suits_always, make_sell<T>},
                                                             {"graph", true, suits_always, make_better<T>}}};

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, int device) {
  require_sweeps(plan);
  if (a.rows() == 0) throw InputError("the matrix has no rows");
  if (a.rows() > std::numeric_limits<std::int32_t>::max() - sweep::sell_rows)
    throw BackendError("cuda: " + std::to_string(a.rows()) + " rows: a device takes fewer than 2^31");
  const RowRung<T, Csr<T>>& rung = rung_for(sparse_rungs<T>, a, plan, device, "sparse matrices");
  return std::make_unique<RowSweeper<T>>(
      RowSystem<T>{a.rows(), a.rows(), 1, sweep::reciprocals(a, plan.method.divisor), rung.name,
                   [&](const Stream& stream) { return rung.make(stream, a); }, rung.in_graphs},
      device);
}

template std::unique_ptr<Sweeper<double>> bind(const Csr<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind(const Csr<float>&, const Plan&, int);

}  // namespace jacobi::cuda
