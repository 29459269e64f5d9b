#!/usr/bin/env bash
# Compiler launcher: runs nvcc and keeps what `-Xptxas -v` says of its kernels beside the object, for
# scripts/check-registers.sh.
set -uo pipefail
object=
for word in "$@"; do
  [ "$object" = -o ] && object=$word && break
  [ "$word" = -o ] && object=-o
done
"$@" > "$object.ptxas" 2>&1
rc=$?
grep -vE '^ptxas info|bytes stack frame' "$object.ptxas"
exit $rc
