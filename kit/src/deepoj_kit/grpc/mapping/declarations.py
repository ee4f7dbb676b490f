"""What a mapper is told because types alone do not say it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.message import Message

# What protobuf gives for a field depends on its descriptor, which the reader was built from.
Value = Any
Convert = Callable[[Value], Value]
Error = Callable[[str, str], Exception]
"""Made of a machine-readable reason, such as `owner_id_malformed`, and a sentence."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Where a message and a type differ."""

    message: type[Message]
    kind: type
    names: Mapping[str, str] = field(default_factory=dict)
    """From an attribute to a field or oneof. `revision.number` is an attribute of an attribute."""
    unmapped: Collection[str] = ()
    """Fields without an attribute, and attributes without a field."""
    made_by: Callable[..., object] | None = None
    """Makes the value instead of the type; its parameters are read like attributes."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """A message that becomes a value by a function, or a value that becomes a message.

    It comes before what the types say, and before how times are read.
    """

    message: type[Message]
    kind: type
    read: Convert | None = None
    write: Callable[[Value], Message] | None = None


@dataclass(frozen=True, slots=True)
class Members:
    """Members of a protobuf enum that are None on our side, as its unspecified one always is.

    Where None is not allowed they are refused.
    """

    enum: EnumDescriptor
    none: Collection[str]


@dataclass(frozen=True)
class Rules:
    """All that one mapper was told."""

    pairs: Mapping[tuple[str, object], Pair]
    conversions: Mapping[tuple[str, object], Conversion]
    parse: Mapping[object, Callable[[str], object]]
    none: Mapping[str, Collection[str]]
    error: Error
    whole: bool

    def pair(self, descriptor: Descriptor, kind: object) -> Pair:
        return self.pairs.get((descriptor.full_name, kind), _SAME)


_SAME: Final = Pair(Message, object)


def key_of(declared: Pair | Conversion) -> tuple[str, object]:
    return declared.message.DESCRIPTOR.full_name, declared.kind


def find(descriptor: Descriptor, name: str) -> FieldDescriptor | OneofDescriptor | None:
    """Return the field or oneof; an attribute named like a keyword has an underscore after it."""
    fields, oneofs = descriptor.fields_by_name, descriptor.oneofs_by_name
    return fields.get(name) or fields.get(name.removesuffix("_")) or oneofs.get(name)


def require_counterparts(
    descriptor: Descriptor, kind: object, pair: Pair, mapped: Iterable[str], attributes: Iterable[str]
) -> None:
    """Raise unless every field is mapped, or said to have no counterpart."""
    known = {*attributes, *descriptor.fields_by_name, *descriptor.oneofs_by_name}
    if unknown := {*pair.unmapped, *pair.names.values()} - known:
        raise TypeError(f"{descriptor.full_name} and {kind} both lack {_listed(unknown)}")
    reached = {*mapped, *pair.unmapped}
    for oneof in descriptor.oneofs:
        if oneof.name in reached:
            reached |= {each.name for each in oneof.fields}
    if missing := set(descriptor.fields_by_name) - reached:
        raise TypeError(f"{kind} has nothing for {_listed(missing)} of {descriptor.full_name}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def singular(name: str) -> str:
    """Return what one value of a repeated field is called in a refusal."""
    return name.removesuffix("es") if name.endswith("uses") else name.removesuffix("s")
