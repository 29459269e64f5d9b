#!/usr/bin/env bash
# Compiles the cuda backend's kernels for an AMD GPU, gfx90a, by Debian's clang and HIP; nothing is run. Fails on a kernel
# with more registers, spilled registers or bytes of scratch memory than the line beside it in the source allows
# (`// gfx90a: registers <= N`, and where there are any `, spills <= N`, `, scratch <= BYTES`), and on one without a line.
# A visible skip without the packages: check-hip.sh [JOBS].
set -euo pipefail
cd "$(dirname "$0")/.."
clang=$(command -v clang++-15 || true)
bitcode=$(dirname "$(find /usr/lib -path '*amdgcn/bitcode/ockl.bc' 2> /dev/null | head -1)" 2> /dev/null)
for needed in "clang-15:$clang" "lld-15:$(command -v ld.lld-15 || true)" "rocm-device-libs:$bitcode/ockl.bc" \
              "libamdhip64-dev:/usr/include/hip/hip_runtime.h"; do
  [ -e "${needed#*:}" ] || { echo "check-hip: skipped: Debian's package ${needed%%:*} is missing (scripts/setup.sh hip)"; exit 0; }
done

out=build/hip
rm -rf $out
mkdir -p $out
# What the host calls lies in nvidia.cu and backend.cu, which have no kernels.
sources=$(ls src/backend/cuda/*.cu | grep -v '/nvidia.cu$\|/backend.cu$')
one() {
  "$clang" -x hip --offload-arch=gfx90a --cuda-device-only --rocm-path=/usr "--rocm-device-lib-path=$bitcode" \
    -include hip/hip_runtime.h -std=c++20 -O3 -ffp-contract=off -DNDEBUG -Iinclude -Isrc -S -o "$out/$(basename "$1" .cu).s" "$1"
}
export -f one
export clang bitcode out
echo "$sources" | xargs -P "${1:-$(nproc)}" -I{} bash -euc 'one {}'

awk '/\/\/ gfx90a: registers <= [0-9]+/ { n = $5 + 0; spills = scratch = 0
       for (i = 6; i < NF; ++i) { if ($i == "spills") spills = $(i + 2) + 0; if ($i == "scratch") scratch = $(i + 2) + 0 } }
     /^JACOBI_KERNEL/ { started = 1; sub(/^JACOBI_KERNEL(_OF\([^)]*\))? */, "") }
     started && match($0, /^[a-z_0-9]+\(/) { print substr($0, 1, RLENGTH - 1), n + 0, spills + 0, scratch + 0; started = n = spills = scratch = 0 }' \
  src/backend/cuda/*.cu src/backend/cuda/*.hpp > $out/ceilings
cat $out/*.s | awk '/^    \.name: +_Z/ { name = $2 } /^    \.private_segment_fixed_size:/ { scratch = $2 } /^    \.vgpr_count:/ { used = $2 }
                    /^    \.vgpr_spill_count:/ { print used, $2, scratch, name }' | c++filt > $out/used
awk '
  NR == FNR { ceiling[$1] = $2; spills[$1] = $3; scratch[$1] = $4; next }
  { full = $0; sub(/^[0-9]+ [0-9]+ [0-9]+ /, "", full); kernels++
    name = full; gsub(/\(anonymous namespace\)::/, "", name); sub(/^void /, "", name); sub(/[<(].*/, "", name); sub(/.*::/, "", name)
    if ($1 > most[name]) most[name] = $1
    if ($2 > spilled[name]) spilled[name] = $2
    if ($3 > scratched[name]) scratched[name] = $3
    if ($1 > ceiling[name] || $2 > spills[name] || $3 > scratch[name]) {
      print full ": " $1 " registers, " $2 " spilled, " $3 " bytes of scratch memory; allowed: " \
            (name in ceiling && ceiling[name] ? ceiling[name] ", " spills[name] ", " scratch[name] : "nothing is written"); findings++ } }
  END {
    for (name in most) print name ": " most[name] " registers of " ceiling[name] ", " spilled[name] + 0 " spilled, " scratched[name] + 0 " bytes of scratch" | "sort"
    close("sort")
    print kernels + 0 " kernels compiled for gfx90a and not run, " findings + 0 " findings"
    exit findings > 0 || kernels == 0 }' $out/ceilings $out/used
