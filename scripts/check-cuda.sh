#!/usr/bin/env bash
# Builds the cuda backend with nvcc; fails on a kernel above its registers, on a symbol that the library lacks, and where
# the command line, linked with this backend before its own archives, does not say in words why there is no device. Kernels are
# those for Hopper, unless CUDA_ARCHITECTURES names others. A visible skip without nvcc: check-cuda.sh [JOBS].
set -euo pipefail
cd "$(dirname "$0")/.."
command -v nvcc > /dev/null || PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null || { echo "check-cuda: skipped: no nvcc on PATH or in /usr/local/cuda/bin"; exit 0; }

make -s build JOBS="${1:-$(nproc)}"
: "${CUDA_ARCHITECTURES:=90-real}"
cmake --preset cuda ${CONFIGURE_FLAGS:-} "-DCMAKE_CUDA_ARCHITECTURES=$CUDA_ARCHITECTURES"
cmake --build --preset cuda -j "${1:-$(nproc)}"
scripts/check-registers.sh . build/cuda/src/backend/cuda/CMakeFiles/jacobi_cuda.dir/*.ptxas

jacobi=build/cuda/src/backend/cuda/jacobi_cuda_before
info=$($jacobi info)
cuda=$(grep -E '^ *cuda ' <<< "$info") || { echo "check-cuda: info does not name the backend"; exit 1; }
echo "info: $cuda"
rc=0
said=$($jacobi poisson --points 64 --backend cuda:0 2>&1 > /dev/null) || rc=$?
if grep -q 'not usable\|no NVIDIA driver\|no CUDA device' <<< "$cuda"; then
  echo "poisson: exit $rc: $said"
  [ $rc -eq 4 ] && [ "$(wc -l <<< "$said")" -eq 1 ] && grep -q 'cuda: no ' <<< "$said" ||
    { echo "check-cuda: expected exit status 4 and one line that says why"; exit 1; }
else
  [ $rc -le 1 ] || { echo "check-cuda: poisson on the device: exit $rc: $said"; exit 1; }
fi
