"""Protobuf enums to ours and back: by the name of the member, without protobuf's prefix."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from google.protobuf.descriptor import EnumDescriptor

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


@cache
def members(descriptor: EnumDescriptor, kind: type[StrEnum]) -> dict[int, StrEnum]:
    """Return ours by protobuf's number; the unspecified value has no counterpart."""
    known = {value.name: value.number for value in descriptor.values if value.number}
    prefix = prefix_of(descriptor)
    by_number = {known[prefix + member.name]: member for member in kind if prefix + member.name in known}
    if missing := known.keys() - {prefix + member.name for member in kind}:
        raise TypeError(f"{kind.__name__} has no member for {', '.join(sorted(missing))}")
    return by_number


@cache
def number_of(descriptor: EnumDescriptor, member: StrEnum) -> int:
    value = descriptor.values_by_name.get(prefix_of(descriptor) + member.name)
    if value is None:
        raise TypeError(f"{descriptor.full_name} has no value for {member!r}")
    return value.number


@cache
def prefix_of(descriptor: EnumDescriptor) -> str:
    return _WORD_START.sub("_", descriptor.name).upper() + "_"
