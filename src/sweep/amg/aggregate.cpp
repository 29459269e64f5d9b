#include "sweep/amg/aggregate.hpp"

#include <cstdint>
#include <limits>

#include "core/cancel.hpp"
#include "sweep/amg/hash.hpp"

namespace jacobi::sweep::amg {

namespace {

/// What becomes of a node: in the set, out of it, or a number by which undecided ones are compared.
constexpr std::uint64_t in_set = 0, out_of_set = std::numeric_limits<std::uint64_t>::max();

std::uint64_t priority(std::uint64_t round, Id node) {
  const std::uint64_t high = hash(hash(round) ^ static_cast<std::uint64_t>(node)) >> 32;
  return (std::clamp<std::uint64_t>(high, 1, 0xfffffffeU) << 32) | static_cast<std::uint64_t>(node);
}

template <class Keep>
void keep_those(std::vector<Id>& nodes, Keep&& keep) {
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [&](Id i) { return !keep(i); }), nodes.end());
}

/// visit(node) for all in the list, by a team.
template <class Visit>
void share_nodes(int threads, const std::vector<Id>& nodes, Visit&& visit) {
  share_rows(threads, static_cast<Index>(nodes.size()), [&](int, Index first, Index last) {
    for (Index n = first; n < last; ++n) visit(nodes[n]);
  });
}

}  // namespace

std::vector<char> independent_set(const Sparse<float>& graph, const std::vector<char>& may, int threads) {
  const auto size = static_cast<std::size_t>(graph.rows);
  std::vector<std::uint64_t> state(size, out_of_set), least(size, out_of_set);
  std::vector<Id> undecided;
  for (Index i = 0; i < graph.rows; ++i)
    if (may[i]) undecided.push_back(static_cast<Id>(i));
  std::vector<Id> looking = undecided;  // nodes that may still say who of their neighbours comes first
  const auto for_neighbours = [&](Id i, auto&& visit) {
    for (Id k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k)
      if (may[graph.column[k]]) visit(graph.column[k]);
  };
  for (std::uint64_t round = 0; !undecided.empty(); ++round) {
    throw_if_cancelled();
    share_nodes(threads, undecided, [&](Id i) { state[i] = priority(round, i); });
    share_nodes(threads, looking, [&](Id i) {
      std::uint64_t first = state[i];
      for_neighbours(i, [&](Id j) { first = std::min(first, state[j]); });
      least[i] = first == in_set ? out_of_set : first;
    });
    share_nodes(threads, undecided, [&](Id i) {
      bool out = least[i] == out_of_set, in = least[i] == state[i];
      for_neighbours(i, [&](Id j) {
        out |= least[j] == out_of_set;
        in &= least[j] == state[i];
      });
      if (out) state[i] = out_of_set;
      if (!out && in) state[i] = in_set;
    });
    keep_those(undecided, [&](Id i) { return state[i] != in_set && state[i] != out_of_set; });
    keep_those(looking, [&](Id i) { return least[i] != out_of_set; });
  }
  std::vector<char> chosen(size);
  for (std::size_t i = 0; i < size; ++i) chosen[i] = state[i] == in_set && may[i];
  return chosen;
}

namespace {

/// An aggregate around each root, of those of its neighbours that are free.
void gather_around(const Sparse<float>& graph, const std::vector<char>& roots, Aggregates& found) {
  for (Index i = 0; i < graph.rows; ++i) {
    if (!roots[i]) continue;
    const Id number = static_cast<Id>(found.count++);
    found.of[i] = number;
    for (Id k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k)
      if (found.of[graph.column[k]] < 0) found.of[graph.column[k]] = number;
  }
}

Id free_neighbours(const Sparse<float>& graph, const std::vector<char>& free, Index i) {
  Id count = 0;
  for (Id k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) count += free[graph.column[k]];
  return count;
}

/// To which of the aggregates around it node i goes; -1 where there is none.
Id most_coupled(const Sparse<float>& graph, const Aggregates& found, const std::vector<Id>& size, Index i,
                Accumulators::One& mine) {
  mine.seen.clear();
  for (Id k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
    const Id to = found.of[graph.column[k]];
    if (to >= 0 && mine.add(to, i, static_cast<double>(graph.value[k]))) mine.seen.push_back(to);
  }
  Id best = -1;
  for (const Id to : mine.seen) {
    if (best < 0 || mine.sum[to] > mine.sum[best] ||
        (mine.sum[to] == mine.sum[best] && (size[to] < size[best] || (size[to] == size[best] && to < best))))
      best = to;
  }
  return best;
}

}  // namespace

Aggregates aggregate(const Strong& strong, int threads) {
  const Sparse<float>& graph = strong.graph;
  const auto size = static_cast<std::size_t>(graph.rows);
  Aggregates found;
  found.of.assign(size, -1);
  std::vector<char> free(size);
  for (std::size_t i = 0; i < size; ++i) free[i] = !strong.alone[i];
  gather_around(graph, independent_set(graph, free, threads), found);

  for (std::size_t i = 0; i < size; ++i) free[i] = free[i] && found.of[i] < 0;
  constexpr Id worth = 3;  // two cost a tenth of the entries more, and save as much of the cycles
  std::vector<char> roots = independent_set(graph, free, threads);
  for (Index i = 0; i < graph.rows; ++i) roots[i] = roots[i] && free_neighbours(graph, free, i) >= worth;
  gather_around(graph, roots, found);

  std::vector<Id> members(static_cast<std::size_t>(found.count));
  for (const Id to : found.of)
    if (to >= 0) ++members[to];
  std::vector<Id> joins(size, -1);
  Accumulators all(threads, found.count);
  share_rows(threads, graph.rows, [&](int member, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      if (found.of[i] < 0 && !strong.alone[i])
        joins[i] = most_coupled(graph, found, members, i, all.of(member));
  });
  for (std::size_t i = 0; i < size; ++i)
    if (joins[i] >= 0) found.of[i] = joins[i];
  return found;
}

}  // namespace jacobi::sweep::amg
