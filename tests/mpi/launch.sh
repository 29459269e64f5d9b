# Sourced by tests that start the command line: JACOBI MPIRUN [FLAGS...] become jacobi and mpirun, and an empty folder the
# one to work in.
jacobi=$1 && shift
mpirun=("$@")
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
