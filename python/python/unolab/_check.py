"""Checks of arguments: an error names the argument and the allowed values."""

from __future__ import annotations

import numbers
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

MOST_SEATS = 10
MOST_THREADS = 1024
MOST_SETS = 10**12
MOST_ENVS = 2**20
_MOST = 2**64 - 1


def whole(name: str, number: Any) -> int:
    """A whole number."""
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{name}: {number!r}; needed: a whole number") from None


def natural(name: str, number: Any, least: int = 0, most: int = _MOST) -> int:
    """A whole number within these bounds."""
    value = whole(name, number)
    if not least <= value <= most:
        raise ValueError(f"{name}: {value}; allowed: {least} to {'2^64 - 1' if most == _MOST else most}")
    return value


def naturals(name: str, given: Any, least: int = 0, most: int = _MOST) -> list[int]:
    """One whole number within these bounds, or several."""
    try:
        several = list(given)
    except TypeError:
        several = [given]
    return [natural(name, number, least, most) for number in not_empty(name, several)]


def real(name: str, number: Any) -> float:
    """A number."""
    if not isinstance(number, numbers.Real):
        raise TypeError(f"{name}: {number!r}; needed: a number")
    return float(number)


def flag(name: str, value: Any) -> bool:
    """True or False; other values that Python accepts as true or false are rejected."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: {value!r}; needed: True or False")
    return bool(value)


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: {value!r}; needed: a text")
    return _unicode(name, value)


def _unicode(name: str, value: str) -> str:
    """A text without surrogates, which cannot be encoded."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError(f"{name}: {value!r} contains a surrogate; allowed: text that UTF-8 can encode")
    return value


def texts(name: str, values: Any) -> list[str]:
    """A list of texts; a single text is rejected, because it would be read as a list of its letters."""
    return [text(name, value) for value in listed(name, values)]


def path(name: str, value: Any) -> str:
    """A name or a path."""
    found = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(found, str):
        raise TypeError(f"{name}: {value!r}; needed: a text or a path")
    return _unicode(name, found)


def paths(name: str, given: Any) -> list[str]:
    """One name or path, or several."""
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    return [path(name, value) for value in not_empty(name, several)]


def listed(name: str, values: Any) -> list[Any]:
    """The items as a list."""
    if isinstance(values, str):
        raise TypeError(f"{name} is a list of texts, not one text")
    try:
        return list(values)
    except TypeError:
        raise TypeError(f"{name}: {values!r}; needed: a list") from None


def not_empty(name: str, values: list[Any]) -> list[Any]:
    """A list of at least one item."""
    if not values:
        raise ValueError(f"{name}: an empty list; allowed: one or more")
    return values


def one_of(name: str, word: Any, allowed: tuple[str, ...]) -> str:
    """One of these words."""
    if text(name, word) not in allowed:
        raise ValueError(f"{name}: {word!r} is not known; allowed: {', '.join(allowed)}")
    return str(word)


def mapping(name: str, value: Any) -> Mapping[str, Any]:
    """A mapping of names; an empty one for None."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"{name}: {type(value).__name__}; needed: a mapping of names, or None")
    return value or {}
