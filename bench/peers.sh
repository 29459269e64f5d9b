#!/usr/bin/env bash
# Races jacobi against hypre, PETSc (Debian's packages) and pyamg (its wheel), contenders in turn in one run on two
# cores: bench/peers.sh [--small] [FILE.json], by default build/peers/peers.json. Installs what it needs. Ten minutes on
# cores that nothing else uses; --small: sizes that only show that all of this runs.
set -euo pipefail
cd "$(dirname "$0")/.."
small=()
[ "${1:-}" = --small ] && { small=(--small --rounds 1); shift; }
[ $# -le 1 ] && [[ ${1:-} != -* ]] || { echo "bench/peers.sh [--small] [FILE.json]" >&2; exit 2; }
out=build/peers
json=${1:-$out/peers.json}
make -s build
scripts/setup.sh build test python peers
mkdir -p $out
hypre=(-I/usr/include/hypre -lHYPRE)
read -ra petsc <<< "$(pkg-config --cflags --libs PETSc)"
for program in hypre_grid hypre_matrix petsc_matrix; do
  case $program in hypre*) of=("${hypre[@]}") ;; *) of=("${petsc[@]}") ;; esac
  mpicxx -O3 -std=c++20 bench/peers/$program.cpp -o $out/$program "${of[@]}"
done
[ -x $out/python/bin/python ] || python3 -m venv $out/python
$out/python/bin/pip install -q numpy scipy pyamg
$out/python/bin/python bench/peers/race.py --jacobi "$PWD/build/release/bin/jacobi" --build $out --json "$json" "${small[@]}"
