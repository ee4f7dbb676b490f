"""What fields say in Python's terms: times, types of scalars, members of enums, the choices of a oneof."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final, cast

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400
_NANOS: Final = 1_000_000_000
_NANOS_OF_A_MICRO: Final = 1000
_NANOS_OF_A_MILLI: Final = 1_000_000
_MILLIS: Final = 1000


# Faster than protobuf's own conversions, which are written in Python too.
def moment(stamp: Timestamp) -> datetime:
    if not 0 <= stamp.nanos < _NANOS:
        raise ValueError("nanoseconds are out of range")
    return _EPOCH + timedelta(seconds=stamp.seconds, microseconds=stamp.nanos // _NANOS_OF_A_MICRO)


def timestamp(moment: datetime) -> Timestamp:
    """A moment without a zone is one in UTC."""
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH
    return Timestamp(seconds=since.days * _DAY + since.seconds, nanos=since.microseconds * _NANOS_OF_A_MICRO)


def length(duration: Duration) -> timedelta:
    return duration.ToTimedelta()


def milliseconds(duration: Duration) -> int:
    return duration.ToMilliseconds()


def duration(length: timedelta) -> Duration:
    made = Duration()
    made.FromTimedelta(length)
    return made


def duration_of(milliseconds: int) -> Duration:
    seconds, rest = divmod(abs(milliseconds), _MILLIS)
    sign = -1 if milliseconds < 0 else 1
    return Duration(seconds=sign * seconds, nanos=sign * rest * _NANOS_OF_A_MILLI)


_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")
_TYPES: Final = {
    FieldDescriptor.CPPTYPE_BOOL: bool,
    FieldDescriptor.CPPTYPE_DOUBLE: float,
    FieldDescriptor.CPPTYPE_FLOAT: float,
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_INT64: int,
    FieldDescriptor.CPPTYPE_UINT32: int,
    FieldDescriptor.CPPTYPE_UINT64: int,
    FieldDescriptor.CPPTYPE_STRING: str,
}


def scalar(field: FieldDescriptor) -> type | None:
    return bytes if field.type == FieldDescriptor.TYPE_BYTES else _TYPES.get(field.cpp_type)


def prefix_of(descriptor: EnumDescriptor) -> str:
    return _WORD_START.sub("_", descriptor.name).upper() + "_"


def members(descriptor: EnumDescriptor, kind: object, none: Collection[str]) -> dict[int, Enum]:
    """Return ours by protobuf's number; all have to have a counterpart but the unspecified one and `none`."""
    prefix = prefix_of(descriptor)
    ours = {member.name: member for member in cast("type[Enum]", kind)}
    wire = {value.name.removeprefix(prefix): value.number for value in descriptor.values if value.number}
    if missing := wire.keys() - ours.keys() - set(none):
        raise TypeError(f"{kind} has no member for {', '.join(sorted(missing))} of {descriptor.full_name}")
    return {number: ours[name] for name, number in wire.items() if name in ours}


def numbers(descriptor: EnumDescriptor, kind: object) -> Mapping[Enum, int]:
    """Return protobuf's numbers by ours."""
    prefix = prefix_of(descriptor)
    wire = {value.name.removeprefix(prefix): value.number for value in descriptor.values}
    if missing := {member.name for member in cast("type[Enum]", kind)} - wire.keys():
        raise TypeError(f"{descriptor.full_name} has no value for {', '.join(sorted(missing))} of {kind}")
    return {member: wire[member.name] for member in cast("type[Enum]", kind)}


def choices(
    oneof: OneofDescriptor, kinds: Sequence[object], fits: Callable[[FieldDescriptor, object], bool]
) -> list[tuple[FieldDescriptor, object]]:
    """Return one type for each field, and each type once."""
    found = [(field, _only(field, [kind for kind in kinds if fits(field, kind)])) for field in oneof.fields]
    if {kind for _, kind in found} != set(kinds) or len(found) != len(kinds):
        raise TypeError(f"{oneof.full_name} cannot become one of {kinds}")
    return found


def _only(field: FieldDescriptor, kinds: Sequence[object]) -> object:
    if len(kinds) != 1:
        raise TypeError(f"{field.full_name} has to fit one type of its union, but fits {kinds}")
    return kinds[0]
