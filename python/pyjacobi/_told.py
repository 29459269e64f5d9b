"""Reports of the library as plain values: they are copied, pickled, and made here where Python iterates."""

from __future__ import annotations

import copyreg
import json
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _core

if TYPE_CHECKING:
    from ._core import Report


class Told:
    """What a report tells, by value."""

    def __init__(self, values: dict[str, Any], text: str, as_json: str, shown: str) -> None:
        self.__dict__.update(values)
        self._text, self._json, self._shown = text, as_json, shown

    def to_text(self) -> str:
        return self._text

    def to_json(self) -> str:
        return self._json

    def __repr__(self) -> str:
        return self._shown


def values_of(told: Any) -> tuple[dict[str, Any], str, str, str]:
    """What a Told of a report of the library is made from."""
    if isinstance(told, Told):
        values = {name: value for name, value in vars(told).items() if not name.startswith("_")}
    else:
        names = [name for name in dir(told) if not name.startswith("_")]
        values = {name: value for name in names if not callable(value := getattr(told, name))}
    return values, told.to_text(), told.to_json(), repr(told)


def _reduced(told: Any) -> tuple[type[Told], tuple[Any, ...]]:
    return Told, values_of(told)


for _kind in (_core.Report, _core.HeatReport, _core.Diagnosis, _core.Forecast):
    copyreg.pickle(_kind, _reduced)


def told_here(text: str, **values: Any) -> Report:
    """Of an iteration that Python made: what is not named is None."""
    names = [name for name in dir(_core.Report) if not name.startswith("_")]
    known: dict[str, Any] = {name: None for name in names if not callable(getattr(_core.Report, name))}
    known.update(history=(np.zeros(0, np.int64), np.zeros(0)), columns=[], notes=[])
    return cast("Report", Told({**known, **values}, text + "\n", json.dumps(values), f"<pyjacobi.Report: {text}>"))
