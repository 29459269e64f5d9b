#!/usr/bin/env bash
# Installs a build into a temporary prefix; looks at what the library shows; builds the examples against it, through CMake
# and through pkg-config; adds the project as a subdirectory of another. Usage: run.sh BUILD_DIR CMAKE CXX
set -euo pipefail
build=$1 cmake=$2 cxx=$3
here=$(cd "$(dirname "$0")/../../examples" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
prefix=$temporary/prefix

"$cmake" --install "$build" --prefix "$prefix" >"$temporary/install.log" ||
  { cat "$temporary/install.log"; echo "consumer: cmake --install failed"; exit 1; }

echo "== installed command line"
env -u LD_LIBRARY_PATH "$prefix/bin/jacobi" --version

echo "== what the library shows and needs"
library=$(find "$prefix" -name libjacobi.so)
shown=$(nm -DC "$library" | grep ' [TWVB] ')
echo "$(wc -l <<<"$shown") symbols"
[ "$(wc -l <<<"$shown")" -lt 1000 ] || { echo "consumer: 1000 symbols or more"; exit 1; }
if grep -E '(jacobi::(sweep|cpu|cli|machine|diagnosis)|fmt|hwy)::' <<<"$shown"; then
  echo "consumer: internals are among them"
  exit 1
fi
needed=$(ldd "$library")
if grep -E 'tbb|fmt' <<<"$needed"; then
  echo "consumer: the library needs what only the command line does"
  exit 1
fi
"$cxx" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror \
  -I "$prefix/include" -x c++ - <<'END'
#include <jacobi/jacobi.hpp>
template class jacobi::Csr<float>;
template class jacobi::Dense<double>;
template class jacobi::Stencil<double, 3>;
END
said=$("$cxx" -std=c++20 -fsyntax-only -I "$prefix/include" -x c++ - 2>&1 \
  <<<$'#include <jacobi/jacobi.hpp>\nauto a = jacobi::tridiagonal(5, -1, 2, -1);' || true)
grep -q 'jacobi computes in float and double' <<<"$said" || { echo "consumer: a matrix of int: $said"; exit 1; }

echo "== find_package(jacobi)"
"$cmake" -G Ninja -S "$here" -B "$temporary/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >"$temporary/configure.log" 2>&1 ||
  { cat "$temporary/configure.log"; echo "consumer: find_package failed"; exit 1; }
"$cmake" --build "$temporary/cmake"
"$temporary/cmake/poisson"
"$temporary/cmake/pagerank" 2000
"$temporary/cmake/resistors"
"$temporary/cmake/eigen_cg"
"$temporary/cmake/diffusion_file" 12 "$temporary/diffusion.mtx"
if [ -x "$temporary/cmake/mpi_heat" ]; then
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_hwloc_base_binding_policy=none mpirun -n 2 "$temporary/cmake/mpi_heat"
else
  echo "consumer: mpi_heat is left out: no MPI"
fi
env -u LD_LIBRARY_PATH "$prefix/bin/jacobi" solve "$temporary/diffusion.mtx" -o "$temporary/u.npy"

echo "== pkg-config jacobi"
pc=$(find "$prefix" -name jacobi.pc)
export PKG_CONFIG_PATH=${pc%/*}
flags=$(pkg-config --cflags --libs jacobi)
echo "$flags"
# shellcheck disable=SC2086
"$cxx" -std=c++20 "$here/poisson.cpp" -o "$temporary/through-pkg-config" $flags \
  "-Wl,-rpath,$(pkg-config --variable=libdir jacobi)"
"$temporary/through-pkg-config"

echo "== add_subdirectory(jacobi)"
"$cmake" -G Ninja -S "$here/../tests/consumer/subdirectory" -B "$temporary/parent" -DJACOBI_SOURCE="${here%/*}" \
  -DCMAKE_CXX_COMPILER="$cxx" >"$temporary/parent.log" 2>&1 ||
  { cat "$temporary/parent.log"; exit 1; }
