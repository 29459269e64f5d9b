#!/usr/bin/env bash
# Compiles every kernel for sm_80, sm_90 and sm_100 and fails on a spill, on stack, on a kernel without a ceiling and on
# one above the ceiling beside it in the source (`// registers <= N` before the kernel): registers.sh SOURCE_DIR
# GENERATED_DIR OUTPUT_DIR. Exits 77, a skip, where there is no nvcc.
set -euo pipefail
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) ||
  { echo "skipped: no nvcc on PATH or in /usr/local/cuda/bin"; exit 77; }
source=$1 generated=$2 output=$3
mkdir -p "$output"
archs=()
for arch in 80 90 100; do archs+=(-gencode "arch=compute_$arch,code=sm_$arch"); done
ls "$source"/src/backend/cuda/*.cu | xargs -P 2 -I{} sh -c '
  log=$1/$(basename "$2").log; shift 2
  "$@" > "$log" 2>&1 || { cat "$log"; exit 255; }' - "$output" {} \
  "$nvcc" -std=c++20 -O3 -fmad=false --expt-relaxed-constexpr -Xcompiler -ffp-contract=off "${archs[@]}" -t 2 \
  -Xptxas -v -I "$source/include" -I "$source/src" -I "$generated" -c -o /dev/null {}

# ceilings: "name N" of each kernel in the sources
awk '/\/\/ registers <= [0-9]+/ { n = $NF }
     /^JACOBI_KERNEL/ { started = 1; sub(/^JACOBI_KERNEL(_OF\([^)]*\))? */, "") }
     started && match($0, /^[a-z_0-9]+\(/) { print substr($0, 1, RLENGTH - 1), n + 0; started = n = 0 }' \
  "$source"/src/backend/cuda/*.cu "$source"/src/backend/cuda/*.hpp > "$output/ceilings"
cat "$output"/*.cu.log | c++filt | awk -v ceilings="$output/ceilings" '
  BEGIN { while ((getline line < ceilings) > 0) { split(line, part); ceiling[part[1]] = part[2] } }
  /Compiling entry function/ {
    split($0, quoted, "\047"); full = quoted[2]; arch = quoted[4]
    name = full; gsub(/\(anonymous namespace\)::/, "", name); sub(/^void /, "", name); sub(/[<(].*/, "", name)
    sub(/.*::/, "", name) }
  /bytes stack frame/ && $1 + $5 + $9 > 0 { print arch " " full ": " $0; findings++ }
  /Used [0-9]+ registers/ {
    match($0, /Used [0-9]+/); used = substr($0, RSTART + 5, RLENGTH - 5) + 0; kernels++
    if (used > most[name]) most[name] = used
    if (used > ceiling[name]) {
      print arch " " full ": " used " registers, ceiling " (name in ceiling ? ceiling[name] : "not written"); findings++ } }
  END {
    for (name in most) print name ": " most[name] " registers, ceiling " ceiling[name] | "sort"
    close("sort")
    print kernels " kernels compiled, " findings + 0 " findings"
    exit findings > 0 || kernels == 0 }'
