#!/usr/bin/env bash
# kill -9 of one of several processes at random moments; the solve goes on over other numbers of processes, to the bits
# of one without a break. Usage: kills.sh JACOBI MPIRUN [FLAGS...]; JACOBI_TEST_KILLS: how often (20).
set -uo pipefail
source "$(dirname "$0")/launch.sh" "$@"
RANDOM=7
solve="poisson --points 500 --method plain --max-sweeps 60000 --rtol 1e-30 --quiet"
"$jacobi" $solve -o whole.npy --json whole.json

killed=0
for ((k = 0; k < ${JACOBI_TEST_KILLS:-20}; ++k)); do
  count=$((2 + k % 2))
  rm -f pid.*
  "${mpirun[@]}" -n $count bash -c \
    "echo \$\$ >pid.\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}; exec $jacobi $solve --checkpoint-every 0.02s --resume kept" \
    >said.txt 2>&1 &
  all=$!
  until [[ -s pid.$((count - 1)) ]] || ! kill -0 $all 2>/dev/null; do sleep 0.01; done
  sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
  kill -9 "$(cat pid.$((k % count)))" 2>/dev/null && ((++killed))
  wait $all 2>/dev/null
done
cp -r kept once
"${mpirun[@]}" -n 3 "$jacobi" $solve --resume kept -o three.npy --json three.json || [[ $? == 1 ]] || exit 1
"$jacobi" $solve --resume once -o one.npy || [[ $? == 1 ]] || exit 1
cmp whole.npy three.npy && cmp whole.npy one.npy || exit 1
facts='"(status|sweeps|norm_final|norm_initial|checks)"'
diff <(grep -E "$facts" whole.json) <(grep -E "$facts" three.json) || exit 1
[[ -s kept/current.json && $killed -gt 0 ]] || { echo "nobody was killed, or nothing was kept"; exit 1; }
echo "killed $killed times"
