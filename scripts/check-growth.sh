#!/usr/bin/env bash
# An algorithm is a folder and a line: adds tests/growth/backward, on grids, upward, on sparse matrices, and
# downward, on dense ones, to a copy of the tree, and looks for them in 'info', a dry run, a report and the ladders' tests.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
copy=build/growth/tree
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$copy"
cp -r tests/growth/backward "$copy/src/sweep/stencil/"
sed -i '/struct StencilBatch,/i struct StencilBackward,' "$copy/src/sweep/stencil/registry.cpp"
cp -r tests/growth/upward "$copy/src/sweep/csr/"
sed -i '/struct CsrChunks,/i struct CsrUpward,' "$copy/src/sweep/csr/registry.cpp"
cp -r tests/growth/downward "$copy/src/sweep/dense/"
for folder in csr/upward dense/downward; do cp tests/growth/rows.hpp "$copy/src/sweep/$folder/"; done
sed -i '/struct DenseFused,/i struct DenseDownward,' "$copy/src/sweep/dense/registry.cpp"

# One instruction set and little optimisation: what is asked is whether the algorithm is there, and right.
cmake -S "$copy" -B build/growth/build -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_UNITY_BUILD=ON -DJACOBI_ONLY_LADDERS=ON -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' \
  -DCMAKE_CXX_FLAGS='-march=native -DHWY_COMPILE_ONLY_STATIC' \
  ${CONFIGURE_FLAGS:-} >/dev/null
cmake --build build/growth/build --target jacobi_cli jacobi_tests -j "$jobs" >/dev/null

jacobi=build/growth/build/bin/jacobi
expect() {
  if ! grep -q "$2" <<<"$1"; then
    echo "growth: '$2' is not in: $1"
    exit 1
  fi
}
expect "$($jacobi info)" 'backward .*lines from the last to the first'
grid=(poisson --points 602x52 --method plain --max-sweeps 100 --threads 3 --no-tune)
expect "$($jacobi "${grid[@]}" --dry-run)" 'rung tiled (backward)'
expect "$($jacobi "${grid[@]}" --json - --rtol 1)" '"algorithm": "backward"'
expect "$($jacobi info)" '9 upward .*rows from the last to the first'
expect "$($jacobi bench csr random --rows 5000 --rungs upward --repeat 1 --seconds 0.001 --json -)" '"rung": "upward"'
expect "$($jacobi info)" '9 downward .*rows from the last to the first'
expect "$($jacobi bench dense --n 50 --rungs downward --threads 1 --repeat 1 --seconds 0.001 --json -)" '"rung": "downward"'
ladders='LadderAlgorithms.AllRunIn2D*:SparseLadder.EveryRungEqualsTextbookInDouble:DenseLadder.EveryRungAgreesWithTextbookInDouble'
log=$(build/growth/build/jacobi_tests --gtest_filter="$ladders" 2>&1) ||
  { echo "$log"; exit 1; }
expect "$log" 'PASSED'

# Wrong values must be found: the ladder's test ran the new algorithm.
sed -i 's|T r = w.b\[i\];|T r = w.b[i] + 1;|' "$copy"/src/sweep/{csr/upward,dense/downward}/entry.cpp
sed -i 's|measure_by_team(w, want);|(w.u[0] += 1, measure_by_team(w, want));|' "$copy/src/sweep/stencil/backward/kernels.cpp"
cmake --build build/growth/build --target jacobi_tests -j "$jobs" >/dev/null
if log=$(build/growth/build/jacobi_tests --gtest_filter="$ladders" 2>&1); then
  echo "growth: wrong values of the new algorithm passed the ladder's test"
  exit 1
fi
expect "$log" 'backward on 600'
expect "$log" 'upward on 1, first at'
expect "$log" 'downward on 1'
rm -rf build/growth
echo "growth: one folder and one line added an algorithm to 'info', dry run, report and ladder"
