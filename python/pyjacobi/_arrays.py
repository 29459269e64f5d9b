"""Arrays as the library takes them: viewed where they lie, copied where they cannot be, refused in words."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sparse

from . import _core
from ._errors import UsageError
from ._memory import FLOAT64, as_array, held, laid_out, narrowed, real_dtype, refuse_masked
from ._options import number


@dataclass
class System:
    """An operator of the library, and what is known of where it came from."""

    matrix: Any
    rows: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...] | None = None  # of a grid
    notes: list[str] = field(default_factory=list)
    viewed: tuple[np.ndarray[Any, Any], ...] = ()  # arrays whose memory the matrix reads

    def __post_init__(self) -> None:
        self._held = held(*self.viewed)

    @property
    def f64(self) -> bool:
        return self.dtype == FLOAT64

    @property
    def has_domain(self) -> bool:
        """Whether points of the grid are held, left out, or exchange heat."""
        return self.shape is not None and bool(self.matrix.has_domain)


def core(name: str, dtype: np.dtype[Any]) -> Any:
    """The function or class of `_core` for this precision."""
    return getattr(_core, name + ("_f64" if dtype == FLOAT64 else "_f32"))


def _require_square(shape: tuple[int, ...]) -> int:
    if len(shape) != 2:
        raise UsageError(f"A has shape {shape}: a matrix of two dimensions is needed")
    if shape[0] != shape[1]:
        raise UsageError(f"A has shape {shape}: as many rows as columns are needed")
    if shape[0] == 0:
        raise UsageError("A has no rows")
    return int(shape[0])


def sparse_dtype(A: Any) -> np.dtype[Any]:
    """Of a sparse matrix whose parts may have been replaced."""
    for name in ("indptr", "indices", "data"):
        part = getattr(A, name, None)
        refuse_masked(f"A.{name}", part)
        if part is not None and not isinstance(part, np.ndarray) and A.format in ("csr", "csc", "coo", "bsr", "dia"):
            raise TypeError(f"A.{name} is a {type(part).__name__}: an array is needed")
    try:
        dtype: np.dtype[Any] = np.dtype(A.dtype)
    except AttributeError:
        raise TypeError("A has lost its values: A.data is None") from None
    return dtype


def _require_sound(A: Any) -> None:
    if A.format == "coo":
        parts = [(indices, size) for indices, size in zip(A.coords, A.shape)]
        entries = len(A.data)
    else:
        block = A.blocksize if A.format == "bsr" else (1, 1)
        rows, columns = (n // k for n, k in zip(A.shape, block))
        major, minor = (columns, rows) if A.format == "csc" else (rows, columns)
        indptr = A.indptr
        if indptr.shape != (major + 1,) or indptr.dtype.kind not in "iu":
            raise ValueError(f"indptr has shape {indptr.shape} and dtype {indptr.dtype}")
        if indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any():
            raise ValueError("indptr does not rise from 0")
        entries = int(indptr[-1])
        if len(A.data) < entries or A.data.ndim != (3 if A.format == "bsr" else 1):
            raise ValueError(f"data has shape {A.data.shape} for {entries} entries")
        parts = [(A.indices, minor)]
    for indices, size in parts:
        if indices.ndim != 1 or len(indices) < entries or indices.dtype.kind not in "iu":
            raise ValueError(f"indices have shape {indices.shape} and dtype {indices.dtype} for {entries} entries")
        used = indices[:entries]
        if len(used) and not 0 <= used.min() <= used.max() < size:
            raise ValueError(f"indices from {used.min()} to {used.max()}: 0 ... {size - 1} are possible")


def to_csr(A: Any) -> Any:
    """By rows. SciPy converts and multiplies without a look at indices, which may have been changed meanwhile."""
    try:
        if A.format in ("coo", "csr", "csc", "bsr"):
            _require_sound(A)
        return A.tocsr()
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise UsageError(f"A is not a sound {A.format} matrix: {error}") from None


def csr_arrays(
    A: Any, dtype: np.dtype[Any], copy: bool = False, own_structure: bool = False
) -> tuple[np.ndarray[Any, Any], ...]:
    """indptr, indices and data of a matrix in CSR as the library takes them: viewed where they can be."""
    n = _require_square(tuple(A.shape))
    indptr, indices, data = (np.asarray(a) for a in (A.indptr, A.indices, A.data))
    for name, part in (("indptr", indptr), ("indices", indices), ("data", data)):
        if part.ndim != 1:
            raise UsageError(f"A.{name} has shape {part.shape}: one dimension is needed")
    if len(indptr) != n + 1:
        raise UsageError(f"A.indptr has {indptr.size} entries: a matrix of {n} rows needs {n + 1}")
    if indptr.dtype.kind not in "iu" or indices.dtype.kind not in "iu":
        raise TypeError(f"A.indptr and A.indices have dtypes {indptr.dtype} and {indices.dtype}: integers are needed")
    entries = int(indptr[-1])
    if not 0 <= entries <= min(len(indices), len(data)):
        raise UsageError(f"A.indptr ends at {entries}, beside {len(indices)} indices and {len(data)} values")
    small = indptr.dtype == np.int32 and indices.dtype == np.int32
    index = np.dtype(np.int32 if small else np.int64)
    # what SciPy keeps beyond the last row does not count
    parts = [(indptr, index), (indices[:entries], index), (data[:entries], dtype)]
    copies = (copy or own_structure, copy or own_structure, copy)
    return tuple(np.array(a, dtype=t, order="C") if c else laid_out(a, t) for (a, t), c in zip(parts, copies))


def _sparse_system(A: Any, dtype: np.dtype[Any], copy: bool, own_structure: bool) -> System:
    n = _require_square(tuple(A.shape))
    notes = []
    if A.format != "csr":
        notes.append(f"A was converted from {A.format} to csr")
        A = to_csr(A)
    if n > 100:  # smaller ones are not factored by LAPACK
        _lend_cholesky()
    arrays = csr_arrays(A, dtype, copy, own_structure)
    return System(core("csr", dtype)(*arrays), n, dtype, None, notes, arrays)


def _lies_without_gaps(A: np.ndarray[Any, Any]) -> bool:
    n, size = A.shape[0], A.itemsize
    down, across = A.strides
    by_rows = across == size and down >= n * size and down % size == 0
    by_columns = down == size and across >= n * size and across % size == 0
    return bool(n > 1 and A.flags.aligned and (by_rows or by_columns))


@functools.cache
def _lend_cholesky() -> bool:
    """SciPy's LAPACK factors full symmetric matrices, with which convergence is proved: the library has none here."""
    try:
        from scipy.linalg import cython_lapack

        return bool(_core.lend_dpotrf(cython_lapack.__pyx_capi__["dpotrf"]))
    except (ImportError, AttributeError, KeyError):
        return False


def _dense_system(A: np.ndarray[Any, Any], dtype: np.dtype[Any], copy: bool) -> System:
    n = _require_square(A.shape)
    if n > 100:
        _lend_cholesky()
    if copy or A.dtype != dtype or not _lies_without_gaps(A):
        A = np.array(A, dtype=dtype, order="F" if A.flags.f_contiguous else "C")
    return System(core("dense", dtype)(A), n, dtype, viewed=(A,))


def sees_changes(system: System, A: Any) -> bool:
    """Whether the system reads the values of A where these lie now, rather than a copy or an array A had before."""
    if not system.viewed or system.shape is not None:  # products, or a grid
        return True
    values = getattr(A, "data", None) if sparse.issparse(A) else as_array("A", A)
    return isinstance(values, np.ndarray) and system.matrix.address == values.__array_interface__["data"][0]


def gives_products(A: Any) -> bool:
    """Whether A has a shape and makes products, as a LinearOperator does, and no entries."""
    return hasattr(A, "matvec") and hasattr(A, "shape") and not sparse.issparse(A) and not isinstance(A, np.ndarray)


def _checked(matvec: Any, n: int, dtype: np.dtype[Any]) -> Any:
    """The same product, which takes what it is given for nothing else than it is."""

    def product(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        y = as_array("A.matvec(x)", matvec(x))
        if y.shape not in ((n,), (n, 1)):
            raise UsageError(f"A.matvec(x) has shape {y.shape}: ({n},) is needed")
        if not np.can_cast(y.dtype, dtype, "safe"):
            raise TypeError(f"A.matvec(x) has dtype {y.dtype}, which does not fit into {dtype}, as A and b are")
        return laid_out(y.reshape(-1), dtype)

    return product


def _product_system(A: Any, wanted: list[np.dtype[Any]], diagonal: Any, bounds: Any) -> System:
    n = _require_square(tuple(A.shape))
    if getattr(A, "dtype", None) is not None:
        wanted = [real_dtype("A", np.dtype(A.dtype)), *wanted]
    dtype = np.result_type(*wanted) if wanted else FLOAT64
    if diagonal is None and callable(getattr(A, "diagonal", None)):
        diagonal = A.diagonal()
    given = np.empty(0, dtype)
    if diagonal is not None:
        told = as_array("diagonal", diagonal)
        real_dtype("diagonal", told.dtype)
        if told.shape != (n,):
            raise UsageError(f"diagonal has shape {told.shape}: ({n},) is needed")
        given = laid_out(told, dtype)
    if bounds is not None:
        try:
            low, high = bounds
        except (TypeError, ValueError):
            raise TypeError(f"bounds={bounds!r}: a pair (low, high) is needed") from None
        bounds = number("bounds", low), number("bounds", high)
    return System(core("products", dtype)(n, _checked(A.matvec, n, dtype), given, bounds), n, dtype)


def _common(dtype: np.dtype[Any], others: list[np.dtype[Any]]) -> np.dtype[Any]:
    """The one that holds all: asked of NumPy only where they differ."""
    for other in others:
        if other is not dtype:
            return np.result_type(dtype, *others)
    return dtype


def as_system(
    A: Any,
    *others: Any,
    copy: bool = False,
    own_structure: bool = False,
    products: bool = False,
    diagonal: Any = None,
    bounds: Any = None,
) -> System:
    """The operator that A is, in the precision that holds A and the arrays beside it.

    others: (name, array). own_structure: indices are copied, because Python code runs while they are in use.
    Values that change give other numbers, but indices that do lead anywhere. products: whether products are enough;
    diagonal and bounds go with these.
    """
    wanted = [real_dtype(name, array.dtype) for name, array in others]
    if type(A) is System:
        return A
    if diagonal is None and bounds is None:  # the shortest ways first
        if type(A) is np.ndarray:
            return _dense_system(A, _common(real_dtype("A", A.dtype), wanted), copy)
        if sparse.issparse(A):
            return _sparse_system(A, _common(real_dtype("A", sparse_dtype(A)), wanted), copy, own_structure)
    from ._stencil import Stencil

    by_products = gives_products(A) and not isinstance(A, Stencil)
    if by_products and products:
        return _product_system(A, wanted, diagonal, bounds)
    if diagonal is not None or bounds is not None:
        raise UsageError("diagonal and bounds go with an operator of which only products are known")
    if isinstance(A, Stencil):
        dtype = np.result_type(A.dtype, *wanted)
        return A.system if dtype == A.dtype else A.astype(dtype).system
    if by_products:
        raise TypeError(
            f"A is a {type(A).__name__}, of which only products are known: its entries are needed here; solve(), "
            "diagnose(), predict() and Solver take it"
        )
    if callable(A):
        raise TypeError(
            f"A is a {type(A).__name__}, of which no shape is known: take "
            "scipy.sparse.linalg.LinearOperator((n, n), matvec=...)"
        )
    array = as_array("A", A)
    return _dense_system(array, _common(real_dtype("A", array.dtype), wanted), copy)


@dataclass
class Vectors:
    """A right-hand side with the place for what is found, as the library takes them."""

    b: np.ndarray[Any, Any]  # (n,), or (n, k)
    x: np.ndarray[Any, Any]  # likewise; the start
    answer: np.ndarray[Any, Any]  # x in the caller's shape
    notes: list[str] = field(default_factory=list)

    def fold(self, system: System, project: bool) -> None:
        """From a right-hand side at all points of a domain to that of its operator, for each column."""
        if not system.has_domain:
            return
        self.b = np.array(self.b)
        for b, x in zip(*(v.reshape(system.rows, -1).T for v in (self.b, self.x))):
            flat, start = np.array(b), np.array(x)
            self.notes += system.matrix.domain_fold(flat, flat, project)
            system.matrix.domain_start(start)
            b[...], x[...] = flat, start

    def finish(self, system: System, report: Any) -> None:
        """The values that are no unknowns, and what a report says of them."""
        if not system.has_domain:
            return
        for x in self.x.reshape(system.rows, -1).T:
            flat = np.array(x)
            system.matrix.domain_finish(flat)
            x[...] = flat
        system.matrix.domain_finish_report(report)
        for note in dict.fromkeys(self.notes):
            report.add_note(note)

    def __post_init__(self) -> None:
        self._held = held(self.b, self.x)

    @property
    def many(self) -> bool:
        return self.b.ndim == 2


def _is_one(system: System, shape: tuple[int, ...]) -> bool:
    n = system.rows
    return shape in ((n,), (n, 1)) or (system.shape is not None and shape == system.shape)


def _shapes(system: System) -> str:
    n = system.rows
    grid = f", {system.shape}" if system.shape is not None else ""
    return f"({n},), ({n}, k){grid}"


def vectors(system: System, b: np.ndarray[Any, Any], x0: Any, out: Any, project: bool = False) -> Vectors:
    """b as it lies, or of a domain folded, x0 copied to a new x, or to `out`."""
    v = _vectors_as_given(system, b, x0, out)
    v.fold(system, project)
    return v


def _vectors_as_given(system: System, b: np.ndarray[Any, Any], x0: Any, out: Any) -> Vectors:
    one = _is_one(system, b.shape)
    if not one and (b.ndim != 2 or b.shape[0] != system.rows or b.shape[1] == 0):
        raise UsageError(f"b has shape {b.shape}: this system takes one of {_shapes(system)}")
    dtype = system.dtype
    if out is None:
        answer = np.zeros(b.shape, dtype) if x0 is None else np.empty(b.shape, dtype)
    else:
        if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != b.shape:
            raise UsageError(f"out must be an array of shape {b.shape} and dtype {dtype}")
        if not (out.flags.c_contiguous and out.flags.aligned and out.flags.writeable):
            raise UsageError("out must be writable and lie in memory without gaps")
        if np.may_share_memory(out, b):
            raise UsageError("out and b share memory: b is read until the end")
        if any(np.may_share_memory(out, array) for array in system.viewed):
            raise UsageError("out and A share memory: A is read until the end")
        answer = out
        if x0 is None:
            answer[...] = 0
    if x0 is not None:
        start = as_array("x0", x0)
        real_dtype("x0", start.dtype)
        if start.shape != b.shape and not (one and _is_one(system, start.shape)):
            raise UsageError(f"x0 has shape {start.shape}, b {b.shape}: they must be equal")
        answer[...] = narrowed(start, dtype).reshape(b.shape) if start.dtype != dtype else start.reshape(b.shape)
    x = np.asarray(answer)  # of no class that keeps two dimensions
    if one:
        flat = laid_out(b.reshape(-1), dtype)
        return Vectors(flat, x.reshape(-1), answer)
    if b.dtype != dtype:
        b = narrowed(b, dtype)
    return Vectors(np.require(b, requirements=["A"]), x, answer)


def system_and_vectors(
    A: Any, b: Any, x0: Any, out: Any = None, *, ones: bool = False, project: bool = False, **how: Any
) -> tuple[System, Vectors]:
    """A, b and x0 of a caller, read in one precision. ones: None stands for them. how: as as_system takes it."""
    rhs = None if b is None and ones else as_array("b", b)
    start = None if x0 is None else as_array("x0", x0)
    beside = [] if rhs is None else [("b", rhs)]
    if start is not None:
        beside.append(("x0", start))
    system = as_system(A, *beside, products=True, **how)
    given = np.ones(system.rows, system.dtype) if rhs is None else rhs
    return system, vectors(system, given, start, out, project)
