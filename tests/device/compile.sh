#!/usr/bin/env bash
# Compiles the cycle for sm_90: compile.sh SOURCE_DIR OUTPUT. Exits 77, a skip, where there is no nvcc.
set -euo pipefail
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) ||
  { echo "skipped: no nvcc on PATH or in /usr/local/cuda/bin"; exit 77; }
rm -f "$2"
# -fmad=false: fma only where it is written, as on the host
"$nvcc" -std=c++20 -O2 -fmad=false -arch=sm_90 --expt-relaxed-constexpr -Xcompiler -ffp-contract=off \
  -I "$1/include" -I "$1/src" -o "$2" "$1/tests/device/cycle.cu"
