"""Values that travel or are kept whole: JSON that says which document it is, in which version."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, Literal, Protocol, TypeVar, cast, get_type_hints

import msgspec

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class Shape(Protocol[T_co]):
    @property
    def name(self) -> str:
        """With its version, such as `letter.v1`; empty where the place says what is kept there."""
        ...

    @property
    def kind(self) -> type[T_co]:
        """A dataclass."""
        ...

    @property
    def older(self) -> tuple[str, ...]:
        """Names of versions that are read too: they lack some fields, which then have their defaults."""
        ...

    @property
    def unions(self) -> Mapping[str, Mapping[str, type]]:
        """For an attribute that may be of several types their names, which stand beside its value."""
        ...


class _Named(msgspec.Struct):
    document: str = ""


class Document(Generic[T]):
    def __init__(self, shape: Shape[T], error: Callable[[str, str], Exception]) -> None:
        """`error` is made of `document_unknown` or `document_malformed` and a sentence."""
        self._shape, self._error = shape, error
        self._names = [each.name for each in dataclasses.fields(cast("Any", shape.kind))]
        self._wire: Any = msgspec.defstruct(shape.kind.__name__, self._fields(), kw_only=True)
        self._decoder = msgspec.json.Decoder(self._wire)
        self._members: dict[str, dict[str, msgspec.json.Decoder[Any]]] = {
            name: {key: msgspec.json.Decoder(kind) for key, kind in kinds.items()}
            for name, kinds in shape.unions.items()
        }
        self._kind_of = {
            name: {kind: key for key, kind in kinds.items()} for name, kinds in shape.unions.items()
        }

    def encode(self, value: T) -> bytes:
        parts: dict[str, object] = {name: getattr(value, name) for name in self._names}
        if self._shape.name:
            parts["document"] = self._shape.name
        for name, kind_of in self._kind_of.items():
            parts[f"{name}_kind"] = kind_of[type(parts[name])]
            parts[name] = msgspec.Raw(_ENCODER.encode(parts[name]))
        return _ENCODER.encode(self._wire(**parts))

    def decode(self, data: bytes | str) -> T:
        try:
            found = self._decoder.decode(data)
            parts = {name: getattr(found, name) for name in self._names}
            for name, decoders in self._members.items():
                parts[name] = decoders[getattr(found, f"{name}_kind")].decode(parts[name])
        except msgspec.DecodeError as error:
            # What a value says of itself is more than that it cannot be read.
            if error.__cause__ is not None:
                raise error.__cause__ from None
            raise self._failure(data, error) from error
        return self._shape.kind(**parts)

    def _fields(self) -> list[tuple[str, type] | tuple[str, type, object]]:
        hints = get_type_hints(self._shape.kind)
        made: list[tuple[str, Any] | tuple[str, Any, object]] = []
        if name := self._shape.name:
            made.append(("document", Literal[(name, *self._shape.older)]))
        for each in dataclasses.fields(cast("Any", self._shape.kind)):
            if each.name in self._shape.unions:
                kinds = tuple(self._shape.unions[each.name])
                made += [(f"{each.name}_kind", Literal[kinds]), (each.name, msgspec.Raw)]
            elif each.default is dataclasses.MISSING:
                made.append((each.name, hints[each.name]))
            else:
                made.append((each.name, hints[each.name], each.default))
        return made

    def _failure(self, data: bytes | str, error: msgspec.DecodeError) -> Exception:
        try:
            named = msgspec.json.decode(data, type=_Named).document
        except msgspec.DecodeError:
            named = self._shape.name
        if named != self._shape.name:
            return self._error("document_unknown", f"{named[:100]!r} is not {self._shape.name!r}")
        return self._error("document_malformed", str(error))
