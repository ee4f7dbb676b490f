"""Structs and plain values as protobuf requests, by the names of the fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, cast
from uuid import UUID

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_bff.outbound.grpc.decoding import MICROS
from deepoj_bff.outbound.grpc.enums import number_of
from deepoj_domain.kernel.role import Actor
from deepoj_proto.common.v1 import common_pb2, judging_pb2

# The descriptor decides which of the scalar types is right; protobuf refuses the others itself.
Scalar = Any


def fill(message: Message, values: Mapping[str, object]) -> None:
    """Set the fields named; None and UNSET leave a field as it is, but an actor of None is a guest."""
    descriptor = cast("Descriptor", message.DESCRIPTOR)
    for name, value in values.items():
        # A field named like a keyword, such as `from`, has an underscore after its name in Python.
        field = descriptor.fields_by_name.get(name.removesuffix("_"))
        if field is None:
            raise TypeError(f"{descriptor.full_name} has no field {name}")
        if value is not None and value is not msgspec.UNSET:
            _set(message, field, value)
        elif name == "actor":
            message.actor.role = common_pb2.ROLE_GUEST  # type: ignore[attr-defined]  # every `actor` is an Actor


def fields_of(struct: msgspec.Struct) -> dict[str, object]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def _set(message: Message, field: FieldDescriptor, value: object) -> None:
    target = getattr(message, field.name)
    if field.is_repeated:
        for each in cast("Iterable[object]", value):
            if field.message_type is None:
                target.append(_scalar(field, each))
            else:
                _fill_message(target.add(), each)
    elif field.message_type is None:
        setattr(message, field.name, _scalar(field, value))
    else:
        # An empty message that was given is not the same as none.
        target.SetInParent()
        _fill_message(target, value)


def _scalar(field: FieldDescriptor, value: object) -> Scalar:
    if field.enum_type is not None and isinstance(value, StrEnum):
        return number_of(field.enum_type, value)
    return str(value) if isinstance(value, UUID | StrEnum) else value


def _fill_message(target: Message, value: object) -> None:
    match target, value:
        case Timestamp(), datetime():
            target.FromDatetime(value)
        case Duration(), timedelta():
            target.FromTimedelta(value)
        case Duration(), int():
            target.FromMilliseconds(value)
        case judging_pb2.Score(), int() | float():
            target.micros = round(value * MICROS)
        case common_pb2.Actor(), Actor():
            target.account_id = str(value.account_id)
            target.role = common_pb2.Role.Value(f"ROLE_{value.role.name}")
        case _, msgspec.Struct():
            fill(target, fields_of(value))
        case _:
            raise TypeError(f"{value!r} cannot become a {type(target).__name__}")
