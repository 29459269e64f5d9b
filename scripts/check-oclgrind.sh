#!/usr/bin/env bash
# Runs some of the device's tests on Oclgrind, which interprets kernels item by item: fails on a race, an access out of
# bounds and whatever else it reports, and where it does not report a race that is put in. A visible skip without it.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$(find /usr/lib /usr/local/lib -name liboclgrind-rt.so -print -quit 2> /dev/null)
[ -n "$library" ] || { echo "check-oclgrind: skipped: no liboclgrind-rt.so: scripts/setup.sh check"; exit 0; }
tests=build/release/tests/opencl/jacobi_opencl_tests
folder=$PWD/build/oclgrind
mkdir -p "$folder"
ln -sf "$library" "$folder/libOpenCL.so.1"

# It knows no function that the compiler makes of `restrict`, so kernels go without that word.
# run FILTER: the tests' words and Oclgrind's go to $folder/log
run() {
  LD_LIBRARY_PATH=$folder OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=20 OCLGRIND_BUILD_OPTIONS=-Drestrict= \
    timeout 120 "$tests" --gtest_also_run_disabled_tests --gtest_filter="$1" > "$folder/log" 2>&1
}
reports() { grep -qiE 'data race|invalid|error|divergence|uninit' <(grep -v '^\[' "$folder/log"); }

run 'OpenClOclgrind.*-*DISABLED*' || { cat "$folder/log"; echo "check-oclgrind: tests failed"; exit 1; }
grep -q '\[  PASSED  \] [1-9]' "$folder/log" || { cat "$folder/log"; echo "check-oclgrind: no test ran"; exit 1; }
if reports; then
  cat "$folder/log"
  echo "check-oclgrind: reported, see above"
  exit 1
fi
told=$(grep -c '\[       OK' "$folder/log")
run '*ASumWithoutBarriers' || true
reports || { cat "$folder/log"; echo "check-oclgrind: a sum without barriers was not reported"; exit 1; }
echo "check-oclgrind: $told tests, nothing reported; a sum without barriers is"
