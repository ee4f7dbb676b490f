"""Strict JSON for the request types: what is not declared is refused."""

import dataclasses
import json
import types
import typing
from typing import TypeVar

from deepoj_sandbox.errors import BadRequest

T = TypeVar("T")
Json = dict[str, "JsonValue"]
JsonValue = None | bool | int | float | str | list["JsonValue"] | Json


def parse_object(packet: bytes) -> Json:
    try:
        value = json.loads(packet)
    except (ValueError, RecursionError):
        raise BadRequest("packet", "is not JSON") from None
    if not isinstance(value, dict):
        raise BadRequest("packet", "must be an object")
    return value


_KNOWN: dict[object, dict[str, object]] = {}


def _hints(kind: object) -> dict[str, object]:
    # Looking the annotations up takes longer than decoding by them.
    if kind not in _KNOWN:
        _KNOWN[kind] = typing.get_type_hints(kind)
    return _KNOWN[kind]


def decode(kind: type[T], value: JsonValue, where: str) -> T:
    """Build a dataclass from an object; every field is checked, and so is every name."""
    if not isinstance(value, dict):
        raise BadRequest(where, "must be an object")
    declared = _hints(kind)
    unknown = sorted(set(value) - set(declared))
    if unknown:
        raise BadRequest(f"{where}.{unknown[0]}", "is not a known field")
    arguments = {name: _field(declared[name], each, f"{where}.{name}") for name, each in value.items()}
    try:
        return kind(**arguments)
    except TypeError:
        missing = [
            entry.name
            for entry in dataclasses.fields(kind)  # type: ignore[arg-type]  # T is a dataclass by contract
            if entry.name not in arguments
            and entry.default is dataclasses.MISSING
            and entry.default_factory is dataclasses.MISSING
        ]
        raise BadRequest(f"{where}.{missing[0]}" if missing else where, "is missing") from None


def _field(kind: object, value: JsonValue, where: str) -> object:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:
        return None if value is None else _field(arguments[0], value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise BadRequest(where, "must be a list")
        return tuple(_field(arguments[0], each, f"{where}[{place}]") for place, each in enumerate(value))
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return decode(kind, value, where)
    # bool is an int to isinstance, and 1.0 equals 1: only the exact type will do.
    if type(value) is not kind:
        raise BadRequest(where, f"must be {getattr(kind, '__name__', kind)}")
    return value


def encode(value: object) -> Json:
    """Turn a dataclass into plain data, leaving out what has its default."""
    if not dataclasses.is_dataclass(value):
        raise TypeError(value)
    return {
        entry.name: _plain(getattr(value, entry.name))
        for entry in dataclasses.fields(value)
        if getattr(value, entry.name) != entry.default
    }


def _plain(value: object) -> JsonValue:
    if dataclasses.is_dataclass(value):
        return encode(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(value)
