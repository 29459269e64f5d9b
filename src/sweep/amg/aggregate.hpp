/// Nodes of a graph joined to aggregates, each of which becomes a node of the next coarser level.
#pragma once
#include <vector>

#include "sweep/amg/strength.hpp"

namespace jacobi::sweep::amg {

struct Aggregates {
  Index count = 0;
  std::vector<Id> of;  ///< by node; -1: left out
};

/// Members of a maximal set of the nodes with may[i] of which no two are joined by a path of one or two edges
/// within these nodes: 1 in the set, 0 else. Priorities are hashes of node and round, so that the set depends
/// on the graph alone, whatever the threads.
/// Source: Kelley and Rajamanickam, "Parallel, portable algorithms for distance-2 maximal independent set and
/// graph coarsening", IPDPS 2022, algorithm 1.
std::vector<char> independent_set(const Sparse<float>& graph, const std::vector<char>& may, int threads);

/// Around each member of such a set its neighbours; around members of a second set, of the nodes left, three
/// of these at least; each of the rest joins the aggregate that it is coupled with most, of several the
/// smallest one, of these the first. Nodes of `alone` are left out. Source: the same, algorithm 3.
Aggregates aggregate(const Strong& strong, int threads);

}  // namespace jacobi::sweep::amg
