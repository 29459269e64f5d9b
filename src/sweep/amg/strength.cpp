#include "sweep/amg/strength.hpp"

#include <cmath>
#include <limits>

namespace jacobi::sweep::amg {

namespace {

/// Squares of the entries of A summed over blocks.
template <class T>
Sparse<float> by_nodes(const Rows<T>& a, Index block, int threads) {
  const Index nodes = (a.rows + block - 1) / block;
  Sparse<float> n{nodes, nodes, std::vector<Id>(static_cast<std::size_t>(nodes) + 1), {}, {}};
  Accumulators all(threads, nodes);
  const auto each = [&](Accumulators::One& mine, Index node) {
    mine.seen.clear();
    for (Index i = node * block; i < std::min(a.rows, (node + 1) * block); ++i)
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        const Id to = static_cast<Id>(a.column[k] / block);
        const double value = static_cast<double>(a.value[k]);
        if (mine.add(to, node, value * value)) mine.seen.push_back(to);
      }
  };
  share_rows(threads, nodes, [&](int member, Index first, Index last) {
    for (Index node = first; node < last; ++node) {
      each(all.of(member), node);
      n.offsets[node + 1] = static_cast<Id>(all.of(member).seen.size());
    }
  });
  n.take_lengths();
  for (int member = 0; member < threads; ++member) std::ranges::fill(all.of(member).place, -1);
  share_rows(threads, nodes, [&](int member, Index first, Index last) {
    Accumulators::One& mine = all.of(member);
    for (Index node = first; node < last; ++node) {
      each(mine, node);
      std::ranges::sort(mine.seen);
      Id at = n.offsets[node];
      for (const Id to : mine.seen) {
        n.column[at] = to;
        n.value[at++] = static_cast<float>(std::sqrt(mine.sum[to]));
      }
    }
  });
  return n;
}

/// Magnitudes, for nodes of one unknown.
template <class T>
struct Magnitudes {
  const Rows<T>& a;
  double operator()(Id k) const { return std::abs(static_cast<double>(a.value[k])); }
};

/// value(k) >= 0 of the k-th entry of a square matrix of nodes.
template <class T, class Value>
Strong select_strong(const Rows<T>& n, double theta, int threads, Value&& value) {
  constexpr double outweighed = 0.2;  // the sum of the others, beside the diagonal
  Strong s;
  s.alone.assign(static_cast<std::size_t>(n.rows), 0);
  std::vector<double> diagonal(static_cast<std::size_t>(n.rows));
  share_rows(threads, n.rows, [&](int, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double others = 0;
      for (Id k = n.offsets[i]; k < n.offsets[i + 1]; ++k)
        (n.column[k] == i ? diagonal[i] : others) += value(k);
      s.alone[i] = others <= outweighed * diagonal[i];
    }
  });
  s.graph = {n.rows, n.rows, std::vector<Id>(static_cast<std::size_t>(n.rows) + 1), {}, {}};
  const auto weight = [&](Index i, Id k) {  // 0: not strong
    const Id j = n.column[k];
    if (j == i || s.alone[i] || s.alone[j]) return 0.0;
    const double between = value(k), scale = std::sqrt(diagonal[i]) * std::sqrt(diagonal[j]);
    return between > theta * scale ? (scale > 0 ? between / scale : 1.0) : 0.0;
  };
  share_rows(threads, n.rows, [&](int, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      for (Id k = n.offsets[i]; k < n.offsets[i + 1]; ++k) s.graph.offsets[i + 1] += weight(i, k) > 0;
  });
  s.graph.take_lengths();
  share_rows(threads, n.rows, [&](int, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      Id at = s.graph.offsets[i];
      for (Id k = n.offsets[i]; k < n.offsets[i + 1]; ++k)
        if (const double w = weight(i, k); w > 0) {
          s.graph.column[at] = n.column[k];
          s.graph.value[at++] = static_cast<float>(w);
        }
    }
  });
  return s;
}

/// The larger weight of both directions.
void make_symmetric(Sparse<float>& graph) {
  const Sparse<float> back = transposed(graph.view());
  Sparse<float> both{graph.rows, graph.rows, std::vector<Id>(graph.offsets.size()), {}, {}};
  const auto merge = [&](Index i, auto&& put) {
    Id k = graph.offsets[i], l = back.offsets[i];
    const Id k_end = graph.offsets[i + 1], l_end = back.offsets[i + 1];
    while (k < k_end || l < l_end) {
      const bool left = l == l_end || (k < k_end && graph.column[k] <= back.column[l]);
      const bool right = k == k_end || (l < l_end && back.column[l] <= graph.column[k]);
      put(left ? graph.column[k] : back.column[l],
          std::max(left ? graph.value[k] : 0.0F, right ? back.value[l] : 0.0F));
      k += left;
      l += right;
    }
  };
  for (Index i = 0; i < graph.rows; ++i) merge(i, [&](Id, float) { ++both.offsets[i + 1]; });
  both.take_lengths();
  for (Index i = 0; i < graph.rows; ++i) {
    Id at = both.offsets[i];
    merge(i, [&](Id j, float w) {
      both.column[at] = j;
      both.value[at++] = w;
    });
  }
  graph = std::move(both);
}

template <class T>
std::vector<Kept> kept_of(const Rows<T>& a, const Strong& s, Index block, double theta, int threads) {
  constexpr double faint = 0.1;  // of theta, below which nothing is kept
  std::vector<Kept> kept(static_cast<std::size_t>(a.entries()), Kept::never);
  share_rows(threads, a.rows, [&](int, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Index node = i / block;
      Id at = s.graph.offsets[node];
      const Id end = s.graph.offsets[node + 1];
      double own = std::numeric_limits<double>::infinity();  // of nodes with several unknowns: no row depends
      for (Id k = a.offsets[i]; k < a.offsets[i + 1] && block == 1; ++k)
        if (a.column[k] == i) own = std::abs(static_cast<double>(a.value[k]));
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        const Id to = static_cast<Id>(a.column[k] / block);
        while (at < end && s.graph.column[at] < to) ++at;
        const bool strong = to == node || (at < end && s.graph.column[at] == to);
        const double size = s.alone[node] || s.alone[to] ? 0 : std::abs(static_cast<double>(a.value[k]));
        if (strong || size > theta * own)
          kept[k] = Kept::always;
        else if (size > faint * theta * own)
          kept[k] = Kept::where_it_fits;
      }
    }
  });
  return kept;
}

}  // namespace

template <class T>
Strong strong_couplings(const Rows<T>& a, Index block, double theta, int threads) {
  Strong s;
  if (block == 1) {
    s = select_strong(a, theta, threads, Magnitudes<T>{a});
  } else {
    const Sparse<float> nodes = by_nodes(a, block, threads);
    const Rows<float> view = nodes.view();
    s = select_strong(view, theta, threads, Magnitudes<float>{view});
  }
  make_symmetric(s.graph);  // rounding alone may have told a coupling from the one back
  s.kept = kept_of(a, s, block, theta, threads);
  return s;
}

template Strong strong_couplings<double>(const Rows<double>&, Index, double, int);
template Strong strong_couplings<float>(const Rows<float>&, Index, double, int);

}  // namespace jacobi::sweep::amg
