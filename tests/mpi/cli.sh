#!/usr/bin/env bash
# The command line under mpirun: one result, one voice, one end. Usage: cli.sh JACOBI MPIRUN [FLAGS...]
set -uo pipefail
source "$(dirname "$0")/launch.sh" "$@"
failed=0

# expect CODE LINES-OF-JACOBI WORDS -- COMMAND: its exit code, how many lines begin with 'jacobi:', and words
expect() {
  local code=$1 lines=$2 words=$3 said found
  shift 4
  said=$(timeout 60 "$@" 2>&1)
  found=$?
  if [[ $found != "$code" || $(grep -c '^jacobi:' <<<"$said") != "$lines" || $said != *"$words"* ]]; then
    printf 'expected code %s and "%s", found %s: %s\n%s\n' "$code" "$words" "$found" "$*" "$said"
    failed=1
  fi
}

facts='"(status|method|sweeps|cycles|checks|norm_final|norm_initial|update_norm|error_norm)"'
for options in "--points 120" "--points 700x600 --bc x+=neumann:0 --diffusion 1+x*y --rhs x --boundary y" \
               "--points 150x90 --method plain --rtol 1e-3" "--points 18x20x25 --method red-black" \
               "--points 300 --method cg --preconditioner multigrid" "--points 200 --mask x*x+y*y<0.9" \
               "--points 60 --method bicgstab --precision float --rtol 1e-4 --bc x=periodic"; do
  "$jacobi" poisson $options --quiet -o one.npy --json one.json
  for count in 2 3; do
    "${mpirun[@]}" -n $count "$jacobi" poisson $options -o all.npy --json all.json >said.txt
    cmp one.npy all.npy || failed=1
    diff <(grep -E "$facts" one.json) <(grep -E "$facts" all.json) || failed=1
    [[ $(grep -c 'wrote all.npy' said.txt) == 1 && $(grep -c '"backend": "ranks:' all.json) == 1 ]] || failed=1
    rm -f all.npy all.json
  done
done

expect 0 0 "jacobi " -- "${mpirun[@]}" -n 2 "$jacobi" --version
expect 1 0 "the limit of 3 sweeps" -- "${mpirun[@]}" -n 2 "$jacobi" poisson --points 90 --max-sweeps 3
expect 2 1 "--pionts" -- "${mpirun[@]}" -n 3 "$jacobi" poisson --pionts 20
expect 2 1 "is for one process" -- "${mpirun[@]}" -n 2 "$jacobi" solve one.npy
expect 2 1 "--tile is for one process" -- "${mpirun[@]}" -n 2 "$jacobi" poisson --tile 8x8
expect 3 1 "create it first" -- "${mpirun[@]}" -n 2 "$jacobi" poisson --points 20 -o nowhere/x.npy
expect 0 0 "2 of 6 ranks have lines" -- "${mpirun[@]}" -n 6 "$jacobi" poisson --interior 30x5
expect 2 1 "MPI sees one" -- env PMI_SIZE=4 PMI_RANK=0 "$jacobi" poisson --points 20
expect 2 0 "" -- env PMI_SIZE=4 PMI_RANK=2 "$jacobi" poisson --points 20

# what fails on one process only: an input that is not there, memory
"$jacobi" poisson --points 20 --quiet -o f.npy
mkdir elsewhere
on_the_last='[[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} == 2 ]]'
expect 3 1 "rank 2: --rhs f.npy: cannot be read" -- "${mpirun[@]}" -n 3 bash -c \
  "$on_the_last && cd elsewhere; exec $jacobi poisson --points 20 --rhs f.npy"
expect 4 1 "rank 2: this grid needs" -- "${mpirun[@]}" -n 3 bash -c \
  "$on_the_last && ulimit -v 400000; exec $jacobi poisson --points 3000"

# a process that is killed ends all
expect 137 0 "" -- "${mpirun[@]}" -n 2 bash -c \
  "[[ \${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}} == 1 ]] && { sleep 1; kill -9 \$\$; } & exec $jacobi poisson --points 800 --method plain --rtol 1e-12"

# a process that hangs is named, and ends all
for options in "--method plain" "--method cg"; do
  expect 4 0 "rank 0: has waited for rank 1 longer than JACOBI_MPI_TIMEOUT allows, 2 s" -- env JACOBI_MPI_TIMEOUT=2 "${mpirun[@]}" -n 3 \
    bash -c "$(sed 's/2 /1 /' <<<"$on_the_last") && { sleep 1; kill -STOP \$\$; } & exec $jacobi poisson --points 800 $options --rtol 1e-14"
done
expect 2 1 "JACOBI_MPI_TIMEOUT=soon: a number of seconds is needed" -- env JACOBI_MPI_TIMEOUT=soon "${mpirun[@]}" -n 2 "$jacobi" poisson --points 20
exit $failed
