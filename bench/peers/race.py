"""Races jacobi against hypre, PETSc and pyamg, contenders in turn in one run: see bench/peers.sh.

Every contender says the residual that it computed from scratch, and a race in which one is above the tolerance fails.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

import matrices

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--jacobi", required=True, help="the command line of jacobi")
parser.add_argument("--build", required=True, help="the folder of the contenders")
parser.add_argument("--json", required=True, help="the file to write")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--small", action="store_true", help="sizes that only show that all of this runs")
options = parser.parse_args()

RTOL = 1e-8
environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode not in (0, 1):  # 1: a limit of sweeps, as asked for
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout[done.stdout.index("{"):])


def on_ranks(count):
    # Processes that wait give their core away; root may run them, as in a container.
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(count)]


def ours(*arguments, threads=1, ranks=1):
    """Seconds of the setup and of the solve by jacobi's report."""
    def run():
        start = on_ranks(ranks) if ranks > 1 else []
        said = output_of([*start, options.jacobi, *arguments, "--threads", str(threads), "--json", "-"])
        residual = said["residual_norm"] / said["reference_norm"] if said["norm"] == "residual" else None
        return {"setup": said["seconds_setup"], "solve": said["seconds"], "iterations": said["sweeps"],
                "residual": residual}
    return run


def theirs(program, *arguments, ranks=1):
    """The same by a program of bench/peers."""
    start = [sys.executable] if program.endswith(".py") else on_ranks(ranks)
    return lambda: output_of([*start, program, *(str(a) for a in arguments)])


def race(name, contenders, tolerance):
    """contenders: name -> function that runs it; the first is the one that others are compared with."""
    runs = {who: [] for who in contenders}
    for _ in range(options.rounds):
        for who, run in contenders.items():
            runs[who].append(run())
    rows = []
    for who, of in runs.items():
        row = {"race": name, "contender": who, "iterations": of[0]["iterations"], "residual": of[0]["residual"]}
        for key, value in (("setup", lambda r: r["setup"]), ("solve", lambda r: r["solve"]),
                           ("seconds", lambda r: r["setup"] + r["solve"])):
            row[key] = float(f"{statistics.median(map(value, of)):.4g}")
        if tolerance and max(r["residual"] for r in of) > tolerance:
            sys.exit(f"{name}: {who} left a residual of {row['residual']:g}, above {tolerance:g}")
        rows.append(row)
    compared = "solve" if tolerance is None else "seconds"  # a sweep has no setup
    for row in rows:
        row["over_first"] = float(f"{row[compared] / rows[0][compared]:.3g}")
        print(f"{name:28} {row['contender']:24} {row['iterations']:>7} {row['residual'] or 0:10.2e} "
              f"{row['setup']:9.4g} {row['solve']:9.4g} {row['over_first']:8.3g}", flush=True)
    return rows


def program(name):
    return os.path.join(options.build, name)


def plain_sweeps(points, dimensions, count):
    return ["poisson", "--points", str(points), "--dim", str(dimensions), "--method", "plain",
            "--max-sweeps", str(count), "--check-every", str(count)]


def sweeps_on_grids():
    sizes = [(2, 65, 1000)] if options.small else [(2, 512, 20000), (2, 1024, 5000), (3, 256, 200)]
    for dimensions, points, count in sizes:
        sweeps = plain_sweeps(points, dimensions, count)
        fewer = max(10, count // 20)  # of hypre, whose time a sweep does not depend on their number
        contenders = {"jacobi, 2 threads": ours(*sweeps, threads=2), "jacobi, 2 ranks": ours(*sweeps, ranks=2),
                      "hypre StructJacobi, 2 ranks":
                          theirs(program("hypre_grid"), "jacobi", dimensions, points - 2, fewer, ranks=2)}
        rows = race(f"plain sweeps, {points}^{dimensions}", contenders, None)
        for row in rows:
            row["seconds_per_sweep"] = float(f"{row['solve'] / row['iterations']:.4g}")
            row["per_sweep_over_first"] = float(f"{row['seconds_per_sweep'] / rows[0]['seconds_per_sweep']:.3g}")
        yield from rows


def grids_to_the_end():
    for dimensions, points in [(2, 129), (3, 33)] if options.small else [(2, 4097), (3, 257)]:
        solve = ["poisson", "--points", str(points), "--dim", str(dimensions), "--norm", "residual",
                 "--rtol", str(RTOL)]
        yield from race(f"to 1e-8, {points}^{dimensions}", {
            "jacobi, 2 threads": ours(*solve, threads=2),
            "jacobi, 2 ranks": ours(*solve, ranks=2),
            "hypre PCG+PFMG, 2 ranks": theirs(program("hypre_grid"), "pfmg", dimensions, points - 2, RTOL, ranks=2)},
            1.01 * RTOL)


def sweeps_on_rows(folder):
    path, ones = matrices.written("5-point", 10_000 if options.small else 1_000_000, folder)
    sweep = ["solve", path, ones, "--method", "plain", "--max-sweeps", "200", "--check-every", "200"]
    yield from race("200 sweeps, 5-point as rows", {
        "jacobi, 2 threads": ours(*sweep, threads=2),
        "jacobi, 2 threads, as rows": ours(*sweep, "--no-grid", threads=2),
        "PETSc richardson, 2 ranks": theirs(program("petsc_matrix"), path, 200, ranks=2)}, None)


def algebraic(folder):
    for name in matrices.KINDS:
        path, ones = matrices.written(name, 2000 if options.small else 193_000, folder)
        solve = ["solve", path, ones, "--no-grid", "--method", "cg", "--norm", "residual", "--rtol", str(RTOL)]
        by_cycles = [*solve, "--preconditioner", "amg"]
        here = os.path.dirname(os.path.abspath(__file__))
        yield from race(f"{name}, 1 thread", {
            "jacobi, cg with amg": ours(*by_cycles),
            "jacobi, cg": ours(*solve),
            "hypre PCG+BoomerAMG": theirs(program("hypre_matrix"), path, RTOL),
            "pyamg, cg": theirs(os.path.join(here, "pyamg_matrix.py"), path, RTOL)}, 1.01 * RTOL)
        yield from race(f"{name}, 2 threads", {
            "jacobi, cg with amg": ours(*by_cycles, threads=2),
            "jacobi, cg": ours(*solve, threads=2),
            "hypre PCG+BoomerAMG": theirs(program("hypre_matrix"), path, RTOL, ranks=2)}, 1.01 * RTOL)


print(f"{'':28} {'':24} {'sweeps':>7} {'residual':>10} {'setup s':>9} {'solve s':>9} {'times':>8}")
found = json.loads(subprocess.run([options.jacobi, "info", "--json", "-"], capture_output=True, text=True).stdout)
kept = {key: found[key] for key in ("jacobi", "date", "processor", "cores", "simd") if key in found}
table = [*sweeps_on_grids(), *grids_to_the_end(), *sweeps_on_rows(options.build), *algebraic(options.build)]
with open(options.json, "w") as file:
    file.write(json.dumps({**kept, "bench": "peers", "rounds": options.rounds, "rtol": RTOL})[:-1] + ',\n"rows": [\n')
    file.write(",\n".join(json.dumps(row) for row in table) + "\n]}\n")
