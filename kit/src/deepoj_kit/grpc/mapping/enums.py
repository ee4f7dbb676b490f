"""Protobuf enums to ours and back: by the name of the member, without protobuf's prefix."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import Enum
from typing import Final, cast

from google.protobuf.descriptor import EnumDescriptor

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


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
