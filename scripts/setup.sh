#!/usr/bin/env bash
# Installs the Debian packages that are missing, and says which. Instant when nothing is.
# Usage: scripts/setup.sh [build] [test] [check] [tidy] [arm] [python] [hip] [peers]
set -euo pipefail

packages() {
  case $1 in
    build) echo g++ ccache cmake ninja-build pkg-config libhwy-dev libcli11-dev libfmt-dev nlohmann-json3-dev \
                libmuparser-dev libtbb-dev gnuplot-nox zlib1g-dev libpng-dev libeigen3-dev \
                libopenblas-dev ;;
    test) echo libgtest-dev libopenmpi-dev openmpi-bin pocl-opencl-icd ocl-icd-libopencl1 opencl-c-headers ;;
    check) echo clang-14 clang-format-14 libomp-14-dev libclang-rt-14-dev llvm-14 oclgrind ;;
    arm) echo g++-aarch64-linux-gnu qemu-user libfmt-dev:arm64 libhwy-dev:arm64 libgtest-dev:arm64 libgomp1:arm64 ;;
    python) echo python3 python3-dev python3-venv python3-pip ;;
    hip) echo clang-15 lld-15 libamdhip64-dev rocm-device-libs ;;
    tidy) echo clang-tidy-14 libomp-14-dev ;;
    peers) echo libhypre-dev petsc-dev ;;
    *) echo "setup: unknown package group '$1': build, test, check, tidy, arm, python, hip or peers" >&2; return 2 ;;
  esac
}

[ $# -gt 0 ] || set -- build
wanted=
for group in "$@"; do
  wanted+=" $(packages "$group")"
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system, nothing installed. Needed (Debian's names):$wanted"
  exit 0
fi

# Packages of this architecture by their name, others with theirs behind it.
installed=$(dpkg-query -W -f='${Package}:${Architecture} ${db:Status-Status}\n' $wanted 2>/dev/null \
            | sed -n "s/ installed\$//p" | sed "s/:\(all\|$(dpkg --print-architecture)\)\$//" || true)
missing=
for package in $wanted; do
  grep -qxF -- "$package" <<<"$installed" || missing+=" $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=(env DEBIAN_FRONTEND=noninteractive)
elif command -v sudo >/dev/null; then
  as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
else
  echo "setup: neither root nor sudo here; have an administrator run: apt-get install$missing" >&2
  exit 1
fi

echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Quiet unless it fails: the list above is what matters.
foreign=$(grep -o ':[a-z0-9]*' <<<"$missing" | head -1 | tr -d : || true)
if ! { { [ -z "$foreign" ] || "${as_root[@]}" dpkg --add-architecture "$foreign"; } &&
       "${as_root[@]}" apt-get update -qq &&
       "${as_root[@]}" apt-get install -qq -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
  cat "$log" >&2
  echo "setup: apt-get could not install$missing" >&2
  exit 1
fi
