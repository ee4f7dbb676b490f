"""Which type of a union each field of a oneof holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from google.protobuf.descriptor import FieldDescriptor, OneofDescriptor


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
