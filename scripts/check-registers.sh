#!/usr/bin/env bash
# Fails on a spill or stack, but for as many bytes as a kernel's source allows (a few numbers that no inner loop asks
# for), on a kernel without a ceiling and on one above the ceiling beside it in the source
# (`// registers <= N` or `// registers <= N, spills <= BYTES` before the kernel), by what ptxas said when the kernels
# were compiled (keep-ptxas.sh):
# check-registers.sh SOURCE_DIR LOG...
set -euo pipefail
source=$1
shift
ceilings=$(mktemp)
trap 'rm -f "$ceilings"' EXIT

# ceilings: "name N BYTES" of each kernel in the sources
awk '/\/\/ registers <= [0-9]+/ { n = $4; spills = /spills <= / ? $NF : 0 }
     /^JACOBI_KERNEL/ { started = 1; sub(/^JACOBI_KERNEL(_OF\([^)]*\))? */, "") }
     started && match($0, /^[a-z_0-9]+\(/) { print substr($0, 1, RLENGTH - 1), n + 0, spills + 0; started = n = spills = 0 }' \
  "$source"/src/backend/cuda/*.cu "$source"/src/backend/cuda/*.hpp > "$ceilings"
c++filt < <(cat "$@") | awk -v ceilings="$ceilings" '
  BEGIN { while ((getline line < ceilings) > 0) { split(line, part); ceiling[part[1]] = part[2]; spills[part[1]] = part[3] } }
  /Compiling entry function/ {
    split($0, quoted, "\047"); full = quoted[2]; arch = quoted[4]
    name = full; gsub(/\(anonymous namespace\)::/, "", name); sub(/^void /, "", name); sub(/[<(].*/, "", name)
    sub(/.*::/, "", name) }
  /bytes stack frame/ && $1 + $5 + $9 > 0 && ($5 == 0 || $5 > spills[name]) { print arch " " full ": " $0; findings++ }
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
