"""What nobody should hand over, and what is right, at random."""

from __future__ import annotations

import array
import math
import random
from typing import Any

import numpy as np
import pyjacobi
import scipy.sparse as sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator


class Planted(Exception):
    """Raised by an object of ours; may come out of any call as it is."""


class Liar:
    """Says one thing of itself and is another."""

    def __init__(self, r: random.Random) -> None:
        self._r = random.Random(r.random())
        self.shape = r.choice([(3, 3), (3,), (2**40, 2**40), (-1,), None, "ab", (3.5, 2)])
        self.ndim = r.choice([0, 1, 2, 99])
        self.dtype = r.choice([np.dtype(float), np.dtype(np.float32), None, "float64", np.dtype(object)])
        self.size, self.format = r.choice([0, 9, -5]), r.choice(["csr", "coo", None])
        self._told = numbers(r)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self._r.random() < 0.2:
            raise Planted("__array__")
        return self._told

    def __len__(self) -> int:
        return self._r.choice([0, 3, 2**31])

    def __getitem__(self, i: Any) -> Any:
        return self._r.choice([1.0, None, "a"]) if self._r.random() < 0.9 else 1 / 0


class Raiser:
    """Every question to it is an exception."""

    def _raise(self, *_: Any, **__: Any) -> Any:
        raise Planted("asked")

    __array__ = __float__ = __index__ = __len__ = __bool__ = __iter__ = __repr__ = __str__ = _raise
    __eq__ = __lt__ = __add__ = __call__ = __dlpack__ = __hash__ = _raise  # type: ignore[assignment]
    shape = dtype = property(_raise)


class Device:
    def __init__(self, r: random.Random) -> None:
        self._told = r.choice([(2, 0), (1, 0), (99, 1), None, (1,), "cpu"])
        self._made = r.choice([None, 3, object(), numbers(r)])

    def __dlpack_device__(self) -> Any:
        return self._told

    def __dlpack__(self, **_: Any) -> Any:
        return self._made.__dlpack__() if isinstance(self._made, np.ndarray) else self._made


DTYPES = ["f8", "f4", "i4", "i8", "u1", "?", ">f8", ">f4", "f2", "g", "c16", "c8", "O", "U3", "M8[s]", "V3"]


def odd_number(r: random.Random) -> Any:
    return r.choice(
        [0, -1, 1, 2, 3, 7, 0.5, 2 / 3, 1.5, -0.0, 1e-300, 1e308, 5e-324, math.inf, -math.inf, math.nan, 10**20]
        + [10**400, 10**5000, -(10**30), 2**31, 2**62, 2**63, True, None, "3", "x" * 200, b"1", 1j, np.float32(0.5), np.int8(3)]
        + [np.array(2.0), np.array([1, 2]), [1], {}, Raiser(), object(), np.nan, np.str_("a"), lambda: 1]
    )


def values(r: random.Random, count: int) -> np.ndarray[Any, Any]:
    told = np.array([r.uniform(-2, 2) for _ in range(count)])
    if r.random() < 0.3:
        for _ in range(r.randint(1, 3)):
            if count:
                told[r.randrange(count)] = r.choice([math.nan, math.inf, -math.inf, 0.0, 1e308, 5e-324, 1e-200])
    return told


def crooked(r: random.Random, a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same numbers elsewhere: other strides, gaps, an odd address, not to be written, a subclass."""
    way = r.randrange(10)
    if way == 0 and a.ndim:
        return np.repeat(a, 2, axis=0)[::2]
    if way == 1 and a.ndim:
        return np.ascontiguousarray(a[::-1])[::-1]
    if way == 2:
        return np.asfortranarray(a)
    if way == 3 and a.dtype.kind == "f" and a.size:
        raw = np.frombuffer(bytearray(a.nbytes + 1), np.uint8)[1:].view(a.dtype).reshape(a.shape)
        raw[...] = a
        return raw
    if way == 4:
        a = a.copy()
        a.flags.writeable = False
        return a
    if way == 5 and a.ndim:
        return np.broadcast_to(a[:1], a.shape) if a.shape[0] else a
    if way == 6 and a.ndim == 2:
        wide = np.zeros((a.shape[0], a.shape[1] + 3), a.dtype)
        wide[:, : a.shape[1]] = a
        return wide[:, : a.shape[1]]
    if way == 7 and a.ndim == 2:
        return np.asmatrix(a) if a.dtype.kind in "fiu" else a
    if way == 8:
        return np.ma.masked_array(a, mask=False) if r.random() < 0.3 else a.view(np.recarray) if a.ndim else a
    return a.T if way == 9 else a


def numbers(r: random.Random, shape: tuple[int, ...] | None = None) -> Any:
    """An array of any shape and dtype."""
    if shape is None:
        shape = tuple(r.choice([0, 1, 2, 3, 4, 6]) for _ in range(r.choice([0, 1, 1, 1, 2, 2, 3])))
    dtype = r.choice(DTYPES)
    try:
        with np.errstate(all="ignore"):
            a = values(r, math.prod(shape)).reshape(shape).astype(dtype)
    except (TypeError, ValueError, OverflowError):
        a = np.zeros(shape, dtype)
    return crooked(r, a)


def anything(r: random.Random) -> Any:
    way = r.randrange(12)
    if way < 4:
        return numbers(r)
    if way == 4:
        return Liar(r)
    if way == 5:
        return odd_number(r)
    if way == 6:
        return [[1.0, 2.0], [3.0]] if r.random() < 0.5 else [odd_number(r) for _ in range(3)]
    if way == 7:
        return memoryview(bytearray(24)) if r.random() < 0.5 else array.array("d", [4.0, 1.0, 1.0])
    if way == 8:
        return Device(r)
    if way == 9:
        return wrong_sparse(r)
    if way == 10:
        return aslinearoperator(np.eye(3)) if r.random() < 0.5 else LyingOperator(r)
    return r.choice([None, "A", object(), Raiser(), {"a": 1}, lambda x: x, np, dict, iter([1, 2])])


class LyingOperator(LinearOperator):
    def __init__(self, r: random.Random) -> None:
        n = r.randint(1, 5)
        super().__init__(np.dtype(r.choice(["f8", "f4", "c16"])), (n, n + (r.random() < 0.1)))
        self._r = random.Random(r.random())

    def _matvec(self, x: Any) -> Any:
        way = self._r.randrange(8)
        if way == 0:
            raise Planted("_matvec")
        return [2 * x, x[:-1], np.full_like(x, math.nan), x * 1j, np.float32(3) * x, "a", None, 0 * x][way]


def right_dense(r: random.Random, n: int, dtype: str = "f8") -> np.ndarray[Any, Any]:
    a = np.array([[r.uniform(-1, 1) if r.random() < 0.6 else 0.0 for _ in range(n)] for _ in range(n)]).reshape(n, n)
    if r.random() < 0.5:
        a = a + a.T
    a += np.diag(np.abs(a).sum(axis=1) * r.choice([1.0, 1.2, 0.3]) + r.choice([1.0, 1.0, 0.0]))
    return a.astype(dtype)


def right_matrix(r: random.Random, n: int, dtype: str = "f8") -> Any:
    """A system that can be solved, in one of the forms that are taken."""
    a = right_dense(r, n, dtype)
    way = r.randrange(6)
    if way < 2:
        return np.asfortranarray(a) if way else a
    A = sparse.csr_array(a)
    if way == 3:
        A = sparse.csr_array((A.data, A.indices.astype("i8"), A.indptr.astype("i8")), shape=A.shape)
    if way == 4:
        A = A.asformat(r.choice(["csc", "coo", "dia", "bsr", "lil", "dok"]))
    return sparse.csr_matrix(A) if way == 5 else A


def wrong_sparse(r: random.Random) -> Any:
    """Checked when it was made, and changed since."""
    n = r.randint(1, 5)
    A = sparse.csr_array(right_dense(r, n)).asformat(r.choice(["csr", "csr", "csr", "csc", "coo", "bsr"]))
    for _ in range(r.choice([1, 1, 2])):
        names = [k for k in ("indptr", "indices", "data") if hasattr(A, k)]
        name = r.choice(names)
        part = getattr(A, name)
        way = r.randrange(7)
        try:
            if way == 0 and part.size:
                where = tuple(r.randrange(k) for k in part.shape)
                part[where] = r.choice([-1, 0, 1, n, 99, -(2**31), 2**31 - 1])
            elif way == 1:
                setattr(A, name, part[:-1])
            elif way == 2:
                setattr(A, name, part.astype(r.choice(["i8", "i2", "u8", "f8", "f4", "c16"])))
            elif way == 3:
                setattr(A, name, np.concatenate([part, part]))
            elif way == 4:
                setattr(A, name, part.reshape(-1, 1))
            elif way == 5:
                setattr(A, name, part[::-1])
            else:
                setattr(A, name, r.choice([[1, 2], None, np.zeros(0), list(part)]))
        except (TypeError, ValueError, OverflowError, AttributeError):
            pass
    return A


def grid(r: random.Random) -> Any:
    """A grid that can be, or an exception."""
    shape = tuple(r.randint(1, 6) for _ in range(r.randint(1, 3)))
    kinds = ["dirichlet", "neumann", "periodic", ("dirichlet", 1.0), ("neumann", 0.5)]
    bc = r.choice([None, None, r.choice(kinds), {r.choice(["x", "y-", "x+", "z"]): r.choice(kinds)}])
    dtype = r.choice(["f8", "f8", "f4"])
    way = r.randrange(4)
    if way < 2:
        return pyjacobi.poisson(shape, bc=bc, reaction=r.choice([0.0, 0.0, 2.0]), dtype=dtype)
    if way == 2:
        k = np.array([r.uniform(0.1, 3) for _ in range(math.prod(n + 2 for n in shape))], dtype)
        return pyjacobi.diffusion(k.reshape(tuple(n + 2 for n in shape)))
    off = [np.full(shape, -1.0, dtype) if r.random() < 0.5 else -1.0 for _ in range(2 * len(shape))]
    return pyjacobi.stencil(shape, 2.0 * len(shape) + r.choice([0, 1]), off)
