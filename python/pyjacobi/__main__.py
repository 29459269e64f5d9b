"""``python -m pyjacobi``: solve, diagnose and poisson for files, with the exit codes of the command line ``jacobi``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import pyjacobi

CONVERGED, NOT_CONVERGED, USAGE, INPUT, BACKEND, INTERRUPTED = 0, 1, 2, 3, 4, 130


def read(path: str) -> Any:
    """A matrix or vectors: .npy, or Matrix Market."""
    try:
        if path.endswith(".npy"):
            return np.load(path, allow_pickle=False)
        import scipy.io

        told = scipy.io.mmread(path)
        return told.tocsr() if hasattr(told, "tocsr") else told
    except (OSError, ValueError, EOFError) as error:
        raise pyjacobi.InputError(f"{path}: {error}") from None


def write(path: str, text: str) -> None:
    if path == "-":
        print(text)
    else:
        Path(path).write_text(text + "\n", encoding="utf-8")


def finish(result: pyjacobi.Result, o: argparse.Namespace) -> int:
    if o.output:
        np.save(o.output, result.x)
    if o.json:
        write(o.json, json.dumps(result.to_dict(), indent=2))
    if not o.quiet and o.json != "-":
        print(result, end="")
    return CONVERGED if result.success else NOT_CONVERGED


def options(o: argparse.Namespace) -> dict[str, Any]:
    told: dict[str, Any] = {"method": o.method, "rtol": o.rtol, "maxiter": o.max_sweeps, "threads": o.threads}
    return {**told, "omega": o.omega, "on_failure": "ignore"}


def check_outputs(o: argparse.Namespace, *read_from: str | None) -> None:
    """Before a solve: no file is written that is read, none twice, none under another name."""
    if o.output and not o.output.endswith(".npy"):
        raise pyjacobi.UsageError(f"--output {o.output}: only .npy can be written")
    taken = {Path(p).resolve() for p in read_from if p}
    for option, path in (("--output", o.output), ("--json", o.json)):
        if path and path != "-":
            if Path(path).resolve() in taken:
                raise pyjacobi.UsageError(f"{option} {path} would replace another file of this run: name another")
            taken.add(Path(path).resolve())


def run_solve(o: argparse.Namespace) -> int:
    check_outputs(o, o.matrix, o.b)
    A = read(o.matrix)
    b = A @ np.ones(A.shape[1]) if o.b is None else read(o.b)
    if b.ndim == 2 and b.shape[1] == 1:
        b = b[:, 0]
    return finish(pyjacobi.solve(A, b, **options(o)), o)


def run_diagnose(o: argparse.Namespace) -> int:
    d = pyjacobi.diagnose(read(o.matrix), None if o.b is None else read(o.b).ravel(), rtol=o.rtol)
    if o.json:
        write(o.json, json.dumps(d.to_dict(), indent=2))
    if o.json != "-":
        print(d, end="")
    return CONVERGED


def run_poisson(o: argparse.Namespace) -> int:
    try:
        shape = tuple(int(n) for n in reversed(o.interior.split("x")))
    except ValueError:
        raise pyjacobi.UsageError(f"--interior {o.interior}: sizes such as 510 or 300x200 are needed") from None
    check_outputs(o)
    A = pyjacobi.poisson(shape)
    return finish(pyjacobi.solve(A, np.full(shape, o.rhs), **options(o)), o)


def run_info(o: argparse.Namespace) -> int:
    print(json.dumps(pyjacobi.info(), indent=2))
    return CONVERGED


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m pyjacobi", description="Linear systems by Jacobi sweeps.")
    top.add_argument("--version", action="version", version=f"pyjacobi {pyjacobi.__version__}")
    commands = top.add_subparsers(required=True, metavar="command")

    def command(name: str, run: Any, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    solve = command("solve", run_solve, "solve A x = b read from files")
    diagnose = command("diagnose", run_diagnose, "say what is proved and estimated before any solve")
    poisson = command("poisson", run_poisson, "solve a Poisson problem on the unit box, 0 on its sides")
    command("info", run_info, "what this build holds and this machine can run")
    for sub in (solve, diagnose):
        sub.add_argument("matrix", help="A: Matrix Market or .npy")
        sub.add_argument("b", nargs="?", help="right-hand side (default: A times ones; of diagnose ones)")
    poisson.add_argument("--interior", default="510x510", help="unknowns per direction, x first (default 510x510)")
    poisson.add_argument("--rhs", type=float, default=1.0, help="right-hand side, one number (default 1)")
    for sub in (solve, diagnose, poisson):
        sub.add_argument("--rtol", type=float, default=1e-8, help="converged when norm <= rtol x reference")
        sub.add_argument("--json", metavar="FILE", help="write the report as JSON ('-': to standard output)")
    for sub in (solve, poisson):
        sub.add_argument("--method", default="auto", help="auto, plain, weighted, chebyshev, cg, ...")
        sub.add_argument("--omega", type=float, help="weight of method weighted or anderson")
        sub.add_argument("--max-sweeps", type=int, help="limit of sweeps")
        sub.add_argument("--threads", type=int, help="threads to use")
        sub.add_argument("-o", "--output", metavar="X.npy", help="write the solution")
        sub.add_argument("--quiet", action="store_true", help="print nothing but errors")
    return top


def main(arguments: list[str] | None = None) -> int:
    o = parser().parse_args(arguments)
    try:
        return int(o.run(o))
    except (pyjacobi.UsageError, TypeError) as error:
        code, told = USAGE, error
    except (pyjacobi.InputError, OSError) as error:
        code, told = INPUT, error  # type: ignore[assignment]
    except (pyjacobi.BackendError, MemoryError) as error:
        code, told = BACKEND, error  # type: ignore[assignment]
    except KeyboardInterrupt as error:
        code, told = INTERRUPTED, error  # type: ignore[assignment]
    print(f"pyjacobi: {told}", file=sys.stderr)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
