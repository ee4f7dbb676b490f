"""From the raw value of a variable or a TOML key to a typed value."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from datetime import timedelta
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NewType, Union, get_args, get_origin

import msgspec

from deepoj_kit.settings.secret import Secret

ByteSize = NewType("ByteSize", int)

# As a value: type checkers take the name for a part of an annotation.
_ANNOTATED: Final[Any] = Annotated
_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "off", "0"})
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)")
_DURATION_SECONDS: Final = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZE = re.compile(r"(\d+)\s*(B|kB|KB|MB|GB|KiB|MiB|GiB)?")
_SIZE_BYTES: Final = {
    "": 1,
    "B": 1,
    "kB": 10**3,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}


class WrongValueError(ValueError):
    """The message says what is wrong, without the value."""


def parse(kind: object, raw: object) -> object:
    """Turn `raw` (a variable's text, or what TOML made of it) into `kind`."""
    if get_origin(kind) is Annotated:
        return _constrained(kind, parse(get_args(kind)[0], raw))
    if (inner := optional_of(kind)) is not None:
        return parse(inner, raw)
    if get_origin(kind) is Literal:
        return _choice({str(each): each for each in get_args(kind)}, raw)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _choice({str(member.value): member for member in kind}, raw)
    if get_origin(kind) is tuple:
        return _texts(raw)
    parser = _PARSERS.get(kind)
    if parser is None:
        raise TypeError(f"a setting cannot be of type {kind}")
    return parser(raw)


def expected(kind: object) -> str:
    """Say in words what a value of this kind looks like."""
    if get_origin(kind) is Annotated:
        return expected(get_args(kind)[0])
    if (inner := optional_of(kind)) is not None:
        return expected(inner)
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(str(each) for each in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "one of " + ", ".join(str(member.value) for member in kind)
    if get_origin(kind) is tuple:
        return "texts separated by commas"
    return _EXPECTED.get(kind, str(kind))


def is_secret(kind: object) -> bool:
    if get_origin(kind) is Annotated:
        return is_secret(get_args(kind)[0])
    inner = optional_of(kind)
    return kind is Secret or (inner is not None and is_secret(inner))


def optional_of(kind: object) -> object | None:
    """Return T for `T | None`, else None."""
    if get_origin(kind) not in {Union, types.UnionType}:
        return None
    rest = [each for each in get_args(kind) if each is not type(None)]
    return rest[0] if len(rest) == 1 else None


def _constrained(kind: object, value: object) -> object:
    """Apply the limits of `msgspec.Meta` where msgspec knows the type."""
    if not isinstance(value, str | int | float) or isinstance(value, bool | Enum):
        return value
    inner, *limits = get_args(kind)
    # A limit is one of the type itself; a value that is there is not None.
    limited = _ANNOTATED[optional_of(inner) or inner, *limits]
    try:
        return msgspec.convert(value, limited)
    except msgspec.ValidationError as error:
        # A regular expression explains nothing to a person; the help text of the setting does.
        wrong = "is not of the right form" if "regex" in str(error) else f"is refused: {error}"
        raise WrongValueError(wrong) from None


def _choice(choices: dict[str, object], raw: object) -> object:
    if str(raw) not in choices:
        raise WrongValueError("is none of the choices")
    return choices[str(raw)]


def _texts(raw: object) -> tuple[str, ...]:
    if isinstance(raw, list):
        return tuple(_text(each) for each in raw)
    return tuple(part for part in (each.strip() for each in _text(raw).split(",")) if part)


def _text(raw: object) -> str:
    if not isinstance(raw, str):
        raise WrongValueError("is not a text")
    return raw


def _integer(raw: object) -> int:
    try:
        return int(raw) if isinstance(raw, str) else _plain_integer(raw)
    except ValueError:
        raise WrongValueError("is not a whole number") from None


def _plain_integer(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise WrongValueError("is not a whole number")
    return raw


def _number(raw: object) -> float:
    try:
        if isinstance(raw, str | int | float) and not isinstance(raw, bool):
            return float(raw)
    except ValueError:
        pass
    raise WrongValueError("is not a number")


def _boolean(raw: object) -> bool:
    word = str(raw).lower()
    if word not in _TRUE | _FALSE:
        raise WrongValueError("is neither true nor false")
    return word in _TRUE


def _duration(raw: object) -> timedelta:
    found = _DURATION.fullmatch(_text(raw).strip())
    if found is None:
        raise WrongValueError("is not a duration with a unit")
    return timedelta(seconds=float(found[1]) * _DURATION_SECONDS[found[2]])


def _size(raw: object) -> ByteSize:
    found = _SIZE.fullmatch(str(raw).strip())
    if found is None:
        raise WrongValueError("is not a size")
    return ByteSize(int(found[1]) * _SIZE_BYTES[found[2] or ""])


_PARSERS: Final[dict[object, Callable[[object], object]]] = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _boolean,
    Path: lambda raw: Path(_text(raw)),
    timedelta: _duration,
    ByteSize: _size,
    Secret: lambda raw: Secret(_text(raw)),
}
_EXPECTED: Final[dict[object, str]] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Path: "a path",
    timedelta: "a duration such as 500ms, 30s, 5m or 1h",
    ByteSize: "a size such as 512, 64KiB or 10MiB",
    Secret: "a text (kept secret)",
}
