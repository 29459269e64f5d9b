#include "backend/cuda/csr.hpp"

#include <algorithm>
#include <limits>

#include "backend/cuda/csr_sell.hpp"
#include "backend/cuda/row_rungs.hpp"
#include "backend/cuda/row_sweeper.hpp"
#include "backend/cuda/stencil.hpp"
#include "jacobi/error.hpp"
#include "sweep/divisors.hpp"

namespace jacobi::cuda {

namespace {

struct CsrRung {
  const char* name;
  bool in_graphs;  ///< many launches at once
  bool by_rows, in_chunks;
};
constexpr CsrRung csr_rungs[] = {
    {"fused", false, true, false}, {"sell", false, false, true}, {"graph", true, true, true}};

/// Chunks are read in full lines and need no sums over lanes: better where little fills up, and no row is so
/// long that its lane would still go on when all others are done. A model, not measured.
template <class T>
bool are_better(const sweep::Sell<T>& m, const Csr<T>& a) {
  const Index longest = *std::max_element(m.length.begin(), m.length.end());
  return m.start.back() <= a.entries() + a.entries() / 4 + sweep::sell_rows && longest <= 512;
}

template <class T, class O>
std::unique_ptr<RowKernels<T>> make_rows(const Stream& stream, const Csr<T>& a, Index vectors) {
  require_device_memory(stream, CsrByRows<T, O>::bytes_needed(a) + vectors, "the matrix");
  return std::make_unique<CsrByRows<T, O>>(stream, a);
}

template <class T>
std::unique_ptr<RowKernels<T>> make_kernels(const Stream& stream, const Csr<T>& a, const CsrRung& rung) {
  const Index vectors = bytes_of_vectors<T>(a.rows(), 1);
  if (rung.in_chunks) {
    sweep::Sell<T> m = sweep::sell_order(a);
    if (!rung.by_rows || are_better(m, a)) {
      require_device_memory(stream, CsrSell<T>::bytes_needed(m) + vectors, "the matrix");
      return std::make_unique<CsrSell<T>>(stream, std::move(m), a);
    }
  }
  if (a.entries() < std::numeric_limits<std::int32_t>::max() - csr_threads)
    return make_rows<T, std::int32_t>(stream, a, vectors);
  return make_rows<T, std::int64_t>(stream, a, vectors);
}

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, int device) {
  require_sweeps(plan);
  if (a.rows() == 0) throw InputError("the matrix has no rows");
  if (a.rows() > std::numeric_limits<std::int32_t>::max() - sweep::sell_rows)
    throw BackendError("cuda: " + std::to_string(a.rows()) + " rows: a device takes fewer than 2^31");
  const CsrRung& rung =
      rung_for(csr_rungs, plan, "sparse matrices", [](const CsrRung&) { return std::string(); });
  return std::make_unique<RowSweeper<T>>(
      RowSystem<T>{a.rows(), a.rows(), 1, sweep::reciprocals(a, plan.method.divisor), rung.name,
                   [&](const Stream& stream) { return make_kernels(stream, a, rung); }, rung.in_graphs},
      device);
}

template std::unique_ptr<Sweeper<double>> bind(const Csr<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind(const Csr<float>&, const Plan&, int);

}  // namespace jacobi::cuda
