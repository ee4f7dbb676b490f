"""Typed values to stream fields and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

T = TypeVar("T")
MESSAGE_ID = "message_id"
"""The field that names a message for the inbox, whatever else it carries."""
PoisonReason = Literal["missing_field", "invalid_field"]


class Undecodable(Exception):  # noqa: N818 — says what the entry is
    """The entry can never be understood, however often it is delivered."""

    def __init__(self, reason: PoisonReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: PoisonReason = reason


class NotForUs(Exception):  # noqa: N818 — says what the entry is
    """The entry is sound but of a type that this consumer does not take."""


class Codec(Protocol[T]):
    def encode(self, value: T) -> dict[str, str]: ...

    def decode(self, fields: Mapping[str, str]) -> T:
        """Return the value, or raise Undecodable or NotForUs."""
        ...


class FieldsCodec(Generic[T]):
    """A flat struct or dataclass: each attribute is one field of the entry, None is left out."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def encode(self, value: T) -> dict[str, str]:
        plain = msgspec.to_builtins(value)
        return {name: _text(name, item) for name, item in plain.items() if item is not None}

    def decode(self, fields: Mapping[str, str]) -> T:
        try:
            return msgspec.convert(fields, self._kind, strict=False)
        except msgspec.ValidationError as error:
            raise _undecodable(error) from error


class EventCodec(Generic[T]):
    """Values of several types on one stream: field `type` holds the versioned name, `data` the JSON."""

    def __init__(self, kinds: Mapping[str, type[T]]) -> None:
        self._names = {kind: name for name, kind in kinds.items()}
        self._decoders = {name: msgspec.json.Decoder(kind) for name, kind in kinds.items()}

    def encode(self, value: T) -> dict[str, str]:
        return {"type": self._names[type(value)], "data": msgspec.json.encode(value).decode()}

    def decode(self, fields: Mapping[str, str]) -> T:
        name, data = fields.get("type"), fields.get("data")
        if name is None or data is None:
            raise Undecodable("missing_field", "type and data are needed")
        decoder = self._decoders.get(name)
        if decoder is None:
            raise NotForUs(name)
        try:
            return decoder.decode(data)
        except msgspec.ValidationError as error:
            raise _undecodable(error) from error
        except msgspec.DecodeError as error:
            raise Undecodable("invalid_field", str(error)) from error


def decode_text(fields: Mapping[bytes, bytes]) -> dict[str, str]:
    try:
        return {name.decode(): value.decode() for name, value in fields.items()}
    except UnicodeDecodeError as error:
        raise Undecodable("invalid_field", "not UTF-8") from error


def _text(name: str, item: object) -> str:
    match item:
        case str():
            return item
        case bool():
            return "true" if item else "false"
        case int() | float():
            return str(item)
        case _:
            raise TypeError(f"field {name} is not flat: {type(item).__name__}")


def _undecodable(error: msgspec.ValidationError) -> Undecodable:
    text = str(error)
    return Undecodable("missing_field" if "missing required field" in text else "invalid_field", text)
