#!/usr/bin/env bash
# The published ladder in short and a Poisson solve with its picture, into demo/.
set -euo pipefail
cd "$(dirname "$0")/.."
jacobi=build/release/bin/jacobi
mkdir -p demo

step() {
  echo
  echo "== $1"
  shift
  local argument line="   jacobi"
  for argument in "$@"; do
    case $argument in
      *[!A-Za-z0-9./_-]*) line+=" '$argument'" ;;
      *) line+=" $argument" ;;
    esac
  done
  echo "$line"
  "$jacobi" "$@"
}

step "Loiseau's Poisson problem, shortened, on every rung of the ladder" \
  reproduce loiseau --short --chart demo/ladder.svg
step "-laplacian u = sin(2 pi x) sin(2 pi y) on 512 x 512 points, against the exact solution" \
  poisson --points 512 --rhs 'sin(2*pi*x)*sin(2*pi*y)' --exact 'sin(2*pi*x)*sin(2*pi*y)/(8*pi^2)' \
  --method plain --norm update --reference none --atol 1.4901161193847656e-08 --image demo/solution.png

echo
echo "Made: demo/ladder.svg (published and measured seconds, program by program) and demo/solution.png (the solution)"
