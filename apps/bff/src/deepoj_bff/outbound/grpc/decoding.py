"""Protobuf answers as structs.

A struct says what it wants: each attribute has the name of a protobuf field, and its type decides how the
value is shown. What a struct does not name is dropped. One reader is built for each pair of types, so that a
struct that does not fit its message is found when it is first prepared, not when a value is odd.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_bff.outbound.grpc.enums import members
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_proto.common.v1 import common_pb2, judging_pb2

S = TypeVar("S", bound=msgspec.Struct)
# What protobuf gives for a field depends on its descriptor, which the reader was built from.
Value = Any
Convert = Callable[[Value], object]

MICROS: Final = 1_000_000
ROLES: Final = {common_pb2.Role.Value(f"ROLE_{role.name}"): role for role in Role}


@cache
def reader(descriptor: Descriptor, kind: type[S]) -> Callable[[Message], S]:
    hints = get_type_hints(kind, include_extras=True)
    optional = {field.name for field in msgspec.structs.fields(kind) if not field.required}
    parts: list[tuple[str, Callable[[Message], object]]] = []
    for name, hint in hints.items():
        field = descriptor.fields_by_name.get(name.removesuffix("_"))
        if field is None:
            if name in optional:
                continue
            raise TypeError(f"{descriptor.full_name} has no field {name}, which {kind.__name__} needs")
        parts.append((name, _getter(field, hint)))

    def read(message: Message) -> S:
        return kind(**{name: get(message) for name, get in parts})

    return read


def _getter(field: FieldDescriptor, hint: object) -> Callable[[Message], object]:
    name = field.name
    wanted, nullable = _plain(hint)
    if field.is_repeated:
        convert = _converter(field, _plain(get_args(wanted)[0])[0])
        return lambda message: [convert(each) for each in getattr(message, name)]
    convert = _converter(field, wanted)
    if not nullable:
        return lambda message: convert(getattr(message, name))
    if field.has_presence:
        return lambda message: convert(getattr(message, name)) if message.HasField(name) else None
    return lambda message: convert(value) if (value := getattr(message, name)) else None


def _plain(hint: object) -> tuple[object, bool]:
    """Return the type without annotations and without None, and whether None was allowed."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in {Union, UnionType}:
        inner = [each for each in get_args(hint) if each not in {type(None), msgspec.UnsetType}]
        return _plain(inner[0])[0], True
    return hint, False


def _converter(field: FieldDescriptor, wanted: object) -> Convert:
    if field.enum_type is not None and isinstance(wanted, type) and issubclass(wanted, StrEnum):
        return _enum(field, wanted)
    if field.message_type is not None:
        return _message(field.message_type, wanted)
    if wanted is UUID:
        return UUID
    if wanted in {str, int, bool, float, bytes}:
        return lambda value: value
    raise TypeError(f"{field.full_name} cannot become {wanted}")


def _enum(field: FieldDescriptor, wanted: type[StrEnum]) -> Convert:
    table = members(field.enum_type, wanted)

    def convert(value: Value) -> object:
        if value not in table:
            raise ValueError(f"{field.full_name} has the unexpected value {value}")
        return table[value]

    return convert


def _message(descriptor: Descriptor, wanted: object) -> Convert:
    match descriptor.full_name, wanted:
        case Timestamp.DESCRIPTOR.full_name, _ if wanted is datetime:
            return lambda value: cast("Timestamp", value).ToDatetime(UTC)
        case Duration.DESCRIPTOR.full_name, _ if wanted is int:
            return lambda value: cast("Duration", value).ToMilliseconds()
        case judging_pb2.Score.DESCRIPTOR.full_name, _ if wanted is float:
            return lambda value: value.micros / MICROS
        case common_pb2.Actor.DESCRIPTOR.full_name, _ if wanted is Actor:
            return lambda value: Actor(AccountId(UUID(value.account_id)), ROLES[value.role])
        case _ if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
            return reader(descriptor, wanted)
        case _:
            raise TypeError(f"{descriptor.full_name} cannot become {wanted}")
