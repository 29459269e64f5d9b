"""``python -m pyjacobi``: solve, diagnose and poisson for files, with the exit codes of the command line ``jacobi``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

import pyjacobi

CONVERGED, NOT_CONVERGED, USAGE, INPUT, BACKEND, INTERRUPTED = 0, 1, 2, 3, 4, 130


def read(path: str, precision: str) -> Any:
    """A matrix or vectors of real numbers: .npy, or Matrix Market."""
    if not path:
        raise pyjacobi.UsageError("the name of a file is empty")
    try:
        if path.endswith(".npy"):
            told = np.load(path, allow_pickle=False)
        else:
            import scipy.io

            told = scipy.io.mmread(path)
            told = told.tocsr() if hasattr(told, "tocsr") else told
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:  # of a reader of files that anybody wrote
        raise pyjacobi.InputError(f"{path}: {error}") from None
    if told.dtype.kind not in "fiub" or (told.dtype.kind == "f" and told.dtype.itemsize not in (4, 8)):
        raise pyjacobi.InputError(f"{path}: values of type {told.dtype} are not read: float64, float32 or integers are")
    return told.astype(np.float32 if precision == "float" else np.float64, copy=False)


def read_matrix(o: argparse.Namespace) -> Any:
    A = read(o.matrix, o.precision)
    if A.ndim != 2 or A.shape[0] != A.shape[1] or A.shape[0] == 0:
        raise pyjacobi.InputError(
            f"{o.matrix}: shape {A.shape}: as many equations as unknowns are needed, at least one"
        )
    return A


def read_rhs(o: argparse.Namespace, A: Any) -> Any:
    """Of the file, or A times ones."""
    n = A.shape[0]
    b = A @ np.ones(n, A.dtype) if o.b is None else read(o.b, o.precision)
    if b.ndim not in (1, 2) or b.shape[0] != n or b.size == 0:
        raise pyjacobi.InputError(f"{o.b}: shape {b.shape}: a right-hand side of {o.matrix} has {n} values")
    return b[:, 0] if b.ndim == 2 and b.shape[1] == 1 else b


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
    if result.status == "interrupted":
        return INTERRUPTED
    return CONVERGED if result.success else NOT_CONVERGED


def solve(A: Any, b: Any, o: argparse.Namespace) -> int:
    """Ctrl-C too leaves an iterate to be written."""
    try:
        result = pyjacobi.solve(A, b, **options(o))
    except pyjacobi.Interrupted as interrupt:
        if interrupt.result is None:
            raise
        result = interrupt.result
    return finish(result, o)


def options(o: argparse.Namespace) -> dict[str, Any]:
    told: dict[str, Any] = {"method": o.method, "rtol": o.rtol, "maxiter": o.max_sweeps, "threads": o.threads}
    return {**told, "omega": o.omega, "on_failure": "ignore"}


def check_outputs(o: argparse.Namespace, *read_from: str | None) -> None:
    """Before a solve: no file is written that is read, none twice, none under another name or in no folder."""
    if o.output and not o.output.endswith(".npy"):
        raise pyjacobi.UsageError(f"--output {o.output}: only .npy can be written")
    taken = {Path(p).resolve() for p in read_from if p}
    for option, path in (("--output", o.output), ("--json", o.json)):
        if path and path != "-":
            if not Path(path).resolve().parent.is_dir():
                raise pyjacobi.InputError(f"{option} {path}: there is no such folder; create it first")
            if Path(path).resolve() in taken:
                raise pyjacobi.UsageError(f"{option} {path} would replace another file of this run: name another")
            taken.add(Path(path).resolve())


def run_solve(o: argparse.Namespace) -> int:
    check_outputs(o, o.matrix, o.b)
    A = read_matrix(o)
    return solve(A, read_rhs(o, A), o)


def run_diagnose(o: argparse.Namespace) -> int:
    A = read_matrix(o)
    b = read_rhs(o, A)
    d = pyjacobi.diagnose(A, b if b.ndim == 1 else np.ascontiguousarray(b[:, 0]), rtol=o.rtol)
    if o.json:
        write(o.json, json.dumps(d.to_dict(), indent=2))
    if o.json != "-":
        print(d, end="")
    return CONVERGED if d.verdict in ("converges", "estimated to converge") else NOT_CONVERGED


def run_poisson(o: argparse.Namespace) -> int:
    try:
        shape = tuple(int(n) for n in reversed(o.interior.split("x")))
    except ValueError:
        raise pyjacobi.UsageError(f"--interior {o.interior}: sizes such as 510 or 300x200 are needed") from None
    check_outputs(o)
    dtype = np.float32 if o.precision == "float" else np.float64
    A = pyjacobi.poisson(shape, dtype=dtype)
    try:
        b = np.full(shape, o.rhs, dtype)
    except MemoryError as error:
        raise pyjacobi.BackendError(f"--interior {o.interior}: too many points for this memory: {error}") from None
    return solve(A, b, o)


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
        sub.add_argument("b", nargs="?", help="right-hand side (default: A times ones)")
    poisson.add_argument("--interior", default="510x510", help="unknowns per direction, x first (default 510x510)")
    poisson.add_argument("--rhs", type=float, default=1.0, help="right-hand side, one number (default 1)")
    for sub in (solve, diagnose, poisson):
        sub.add_argument("--rtol", type=float, default=1e-8, help="converged when norm <= rtol x reference")
        sub.add_argument("--precision", choices=["double", "float"], default="double", help="of matrix and vectors")
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
    told: BaseException
    try:
        code = int(o.run(o))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except (pyjacobi.UsageError, TypeError) as error:
        code, told = USAGE, error
    except (pyjacobi.InputError, OSError) as error:
        code, told = INPUT, error
    except MemoryError as error:
        code, told = BACKEND, MemoryError(f"out of memory: {error}")
    except pyjacobi.BackendError as error:
        code, told = BACKEND, error
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        code, told = BACKEND, RuntimeError(f"internal error, please report it: {error}")
    print(f"pyjacobi: {told}", file=sys.stderr)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
