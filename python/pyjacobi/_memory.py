"""Memory of arrays: taken where it lies, kept as long as it is read, refused in words."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import scipy.sparse as sparse

from ._errors import BackendError, UsageError

FLOAT64 = np.dtype(np.float64)
FLOAT32 = np.dtype(np.float32)
_CPU = (1, 3)  # of DLPack: memory of the processor, and such memory that a device can read


def real_dtype(name: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """float32 or float64, whichever holds what is given; integers become float64."""
    if dtype is FLOAT64 or dtype in (FLOAT64, FLOAT32):
        return dtype
    if dtype.kind in "iub":
        return FLOAT64
    if dtype.kind == "f" and dtype.itemsize in (4, 8):  # of the other byte order
        return dtype.newbyteorder("=")
    if dtype.kind == "c":
        raise TypeError(f"{name} is complex ({dtype}): only real systems, float32 and float64, can be solved")
    raise TypeError(f"{name} has dtype {dtype}: float32, float64 or integers are needed")


def _by_dlpack(name: str, value: Any) -> np.ndarray[Any, Any]:
    try:
        kind = int(value.__dlpack_device__()[0])
        if kind in _CPU:
            return np.from_dlpack(value)
    except (TypeError, ValueError, AttributeError, BufferError, RuntimeError) as error:
        raise TypeError(f"{name} cannot be had by DLPack: {error}") from None
    raise BackendError(f"{name} lies on a device (DLPack type {kind}): move it to the processor first")


def refuse_masked(name: str, value: Any) -> None:
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array: fill it first")


def held(*arrays: Any) -> list[weakref.ref[Any]]:
    """While what is returned lives, NumPy resizes none of these arrays: it refuses where weak references exist."""
    told: list[weakref.ref[Any]] = []
    for array in arrays:
        while isinstance(array.base, np.ndarray):
            array = array.base  # whose memory it is
        told.append(weakref.ref(array))
    return told


def as_array(name: str, value: Any) -> np.ndarray[Any, Any]:
    """A NumPy array of any dtype, by DLPack where the object is another library's."""
    if type(value) is np.ndarray:
        return value
    refuse_masked(name, value)
    if sparse.issparse(value):
        raise TypeError(f"{name} is a sparse matrix: an array is needed, such as {name}.toarray()")
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack_device__"):
        return _by_dlpack(name, value)
    array = np.asarray(value)
    if array.dtype == object:
        raise TypeError(f"{name} is no array of numbers: {type(value).__name__}")
    return array


def laid_out(array: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The same array where it has this dtype and lies without gaps, else a copy that does."""
    flags = array.flags
    if array.dtype == dtype and flags.c_contiguous and flags.aligned:
        return array
    return narrowed(array, dtype)


def narrowed(array: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """A copy without gaps, of numbers that this dtype holds."""
    try:
        with np.errstate(over="raise"):
            return np.array(array, dtype, order="C")
    except (OverflowError, FloatingPointError):  # an int among objects; a float64 for float32
        raise UsageError(f"an array holds a number that is too large for {dtype}") from None


def floats(name: str, value: Any) -> np.ndarray[Any, Any]:
    """The numbers of a sequence in float64."""
    try:
        return np.asarray(value, float)
    except OverflowError:
        raise UsageError(f"{name} holds a number that is too large") from None


def in_namespace_of(value: Any, x: np.ndarray[Any, Any]) -> Any:
    """x as an array of the library that `value` is from, without a copy where that library can."""
    if isinstance(value, np.ndarray) or not hasattr(value, "__dlpack_device__"):
        return x
    namespace = getattr(value, "__array_namespace__", None)
    if namespace is not None:
        return namespace().from_dlpack(x)
    import importlib

    module = importlib.import_module(type(value).__module__.partition(".")[0])
    return module.from_dlpack(x) if hasattr(module, "from_dlpack") else x
