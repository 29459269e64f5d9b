#!/usr/bin/env bash
# Builds the device's tests and benchmarks with nothing but CUDA's toolkit, CMake and a compiler, runs the tests on the
# device, small ones under compute-sanitizer, and the whole table of docs/gpu.md: bench/gpu.sh [FOLDER], by default
# bench/results/<device>. Every stage has its own limit of time and says its verdict; all run, and the exit status is 1
# where one failed. In all under 9 minutes, or MOST seconds.
# bench/gpu.sh --emulated [--build]: the same program on the emulated device, at tiny sizes, without nvcc; no figure
# is a device's, and none is written.
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
emulated=OFF build=build/gpu only_build=no
most=${MOST:-530}  # seconds of all stages together
patience=1          # limits are so many times as long
refuse() { echo "bench/gpu.sh: $1: [FOLDER], or --emulated [--build]; MOST seconds, 60 at least" >&2; exit 2; }
case "${1:-}" in
  --emulated) [[ $# -eq 1 || ($# -eq 2 && $2 = --build) ]] || refuse "no option ${*:2}" ;;
  [!-]* | "") [ $# -le 1 ] || refuse "no option ${*:2}" ;;
  *) refuse "no option $1" ;;
esac
[[ $most =~ ^[0-9]{2,5}$ && 10#$most -ge 60 ]] || refuse "MOST=$most"
if [ "${1:-}" = --emulated ]; then
  emulated=ON build=build/gpu-emulated most=${MOST:-3400} patience=4  # no device waits, and cores may be busy
  [ "${2:-}" = --build ] && only_build=yes
fi
verdicts=() failed=0

# stage NAME SECONDS COMMAND...: exit status 77 is a skip
stage() {
  local name=$1 limit=$(($2 * patience)) start=$SECONDS verdict rc left=$((most - SECONDS))
  shift 2
  if [ $limit -gt $left ]; then limit=$((left > 1 ? left : 1)); fi
  echo "######## $name"
  timeout -k 5 "$limit" "$@"
  rc=$?
  case $rc in
    0) verdict=passed ;;
    77) verdict=SKIPPED ;;
    124 | 137) verdict="FAILED (over $limit s)" failed=1 ;;
    *) verdict="FAILED (exit $rc)" failed=1 ;;
  esac
  verdicts+=("$(printf '%-28s %s, %d s' "$name" "$verdict" $((SECONDS - start)))")
  echo "######## ${verdicts[-1]}"
  return $rc
}

configure() {
  local generator=() device
  if [ $emulated = OFF ]; then
    command -v nvcc > /dev/null || PATH=$PATH:/usr/local/cuda/bin
    device=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -n 1 | tr -d .)
    : "${CUDA_ARCHITECTURES:=$device}"
  fi
  command -v ninja > /dev/null && generator=(-G Ninja)
  cmake -S bench/gpu -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=None -DJACOBI_EMULATED=$emulated \
    ${CUDA_ARCHITECTURES:+-DCMAKE_CUDA_ARCHITECTURES=$CUDA_ARCHITECTURES} > "$build.log" 2>&1 ||
    { cat "$build.log"; return 1; }
}

# The compiler read nothing of the libraries that carried/ stands in for.
reads_no_library() {
  local lists
  mapfile -t lists < <(find "$build" -name '*.o.d')
  if [ ${#lists[@]} -eq 0 ]; then  # Ninja keeps them elsewhere
    (cd "$build" && ninja -t deps) > "$build/read" 2> /dev/null
    lists=("$build/read")
  fi
  grep -q carried/fmt "${lists[@]}" || { echo "no list of what the compiler read"; return 1; }
  ! grep -E '/(fmt|hwy|gtest|nlohmann|CLI|eigen3)/' "${lists[@]}" | grep -v bench/gpu/carried
}

# The carried runner finds the three failures of runner_check, and no other.
runner_finds_failures() {
  local said rc
  said=$("$build/runner_check")
  rc=$?
  echo "$said"
  [ $rc -eq 1 ] && grep -q '^5 tests: 1 passed, 3 failed, 1 skipped$' <<< "$said"
}

sanitize() {
  local tool=$1
  command -v compute-sanitizer > /dev/null || PATH=$PATH:/usr/local/cuda/bin
  command -v compute-sanitizer > /dev/null || { echo "skipped: no compute-sanitizer"; return 77; }
  local said rc
  compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/gpu_tests" --filter="$2" > "$build/$tool.log" 2>&1
  rc=$?
  said=$(< "$build/$tool.log")
  tail -n 25 <<< "$said"
  if [ $rc -ne 0 ] && ! grep -qE '^[0-9]+ tests: ' <<< "$said" && grep -qiE 'not supported|unable to (attach|connect)|debugger.*(permission|denied)' <<< "$said"; then
    echo "skipped: compute-sanitizer is refused on this machine"
    return 77
  fi
  return $rc
}

mkdir -p build
export -f configure reads_no_library runner_finds_failures sanitize
export build emulated
stage configure 60 bash -c configure &&
  stage build $((most / 2)) cmake --build "$build" -j "$jobs"
built=$?
[ $only_build = yes ] && exit $built
if [ $built -eq 0 ]; then
  stage "carried headers suffice" 20 bash -c reads_no_library
  stage "the runner finds failures" 20 bash -c runner_finds_failures
  if [ $emulated = ON ]; then
    stage "tests" 400 "$build/gpu_tests"
    stage "table" 120 "$build/gpu_bench" --tiny
    echo "emulated: no figure is a device's"
  else
    stage "device" 30 "$build/gpu_bench" --only=nothing > build/device.log
    cat build/device.log
    device=$(sed -n 's/^device: \(.*\), copies.*/\1/p' build/device.log)
    if [ -n "$device" ]; then
      folder=${1:-bench/results/$(tr '[:upper:] ' '[:lower:]-' <<< "$device" | tr -cd 'a-z0-9-')}
      mkdir -p "$folder"
      stage tests 90 "$build/gpu_tests"
      for_sanitizers=$((most - SECONDS > 250 ? 160 : 50))
      left=$((most - SECONDS - for_sanitizers < 240 ? most - SECONDS - for_sanitizers : 240))
      stage table 240 bash -c "set -o pipefail; '$build/gpu_bench' --limit=$((left > 60 ? left - 25 : 15)) '--out=$folder' | tee '$folder/table.txt'"
      small='CudaLines.*:CudaOneG.*In1D:CudaOneG.*In3D:CudaClassic.Blocks*:CudaClassic.LinesPer*:CudaTiled.AHalo*:CudaTiled.Parts*:CudaOnChip.Small*:DeviceCycles.Exact*:CudaDense.Graph*:CudaDense.Divides*:DeviceCsr.Says*:CudaMultigrid.GoesBack*'
      stage memcheck 60 bash -c "sanitize memcheck '$small'"
      no_graphs='CudaLines.H*:CudaLines.AB*:CudaLines.T*:CudaLines.K*:CudaOneG.*In3D:CudaClassic.Blocks*:CudaClassic.LinesPer*:CudaTiled.AHalo*:CudaTiled.Parts*:CudaOnChip.Small*:DeviceCycles.Exact*'  # which do not end under racecheck
      stage racecheck 150 bash -c "sanitize racecheck '$no_graphs'" || tail -n 3 "$build/racecheck.log" 2> /dev/null
    fi
  fi
fi
printf '%s\n' "" "stages, in $SECONDS s:" "${verdicts[@]}"
exit $failed
