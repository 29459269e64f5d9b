#!/usr/bin/env bash
# Runs every fuzzer for some seconds, starting from its seeds. Usage: scripts/fuzz.sh [seconds, default 60]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
build=build/fuzz

shopt -s nullglob
sources=(tests/fuzz/*.cpp)
[ ${#sources[@]} -gt 0 ] || { echo "fuzz: no fuzzers in tests/fuzz"; exit 0; }
for source in "${sources[@]}"; do
  name=$(basename "$source" .cpp)
  seeds=tests/fuzz/corpus/$name
  found=$build/corpus/$name  # new inputs go here, not into the repository
  mkdir -p "$found" "$build/artifacts"
  echo "== fuzz $name, $seconds s"
  args=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
        -artifact_prefix="$build/artifacts/$name-" "$found")
  [ ! -d "$seeds" ] || args+=("$seeds")
  log=$build/artifacts/$name.log
  if ! "$build/bin/fuzz/$name" "${args[@]}" >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "fuzz: $name failed; log in $log, input in $build/artifacts/" >&2
    exit 1
  fi
  grep -E '^(Done|stat::number_of_executed_units)' "$log"
done
