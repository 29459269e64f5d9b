# Sourced by tests that start the command line: JACOBI MPIRUN [FLAGS...] become jacobi and mpirun, and an empty folder the
# one to work in.
jacobi=$1 && shift
# Where a process is killed as others end, Open MPI's launcher may wait for a lock of its own for ever.
mpirun=(timeout -k 5 100 "$@")
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
