"""From values to messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, cast
from uuid import UUID

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_kit.grpc.mapping.declarations import Convert, Rules, find, require_counterparts
from deepoj_kit.grpc.mapping.hints import (
    Wanted,
    attribute_hint,
    base,
    element,
    is_enum,
    parameters,
    wanted,
)
from deepoj_kit.grpc.mapping.source import Namespace, call
from deepoj_kit.grpc.mapping.values import choices, duration, duration_of, numbers, scalar, timestamp

_TIMES: Final[Mapping[tuple[str, object], Convert]] = {
    (Timestamp.DESCRIPTOR.full_name, datetime): timestamp,
    (Duration.DESCRIPTOR.full_name, timedelta): duration,
    (Duration.DESCRIPTOR.full_name, int): duration_of,
}


class Writers:
    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._made: dict[tuple[str, object], Convert] = {}
        self._given: dict[tuple[str, type], Convert] = {}

    def of(self, descriptor: Descriptor, kind: object) -> Convert:
        key = (descriptor.full_name, kind)
        if key not in self._made:
            told = self._rules.conversions.get(key)
            self._made[key] = (told and told.write) or self._compile(descriptor, kind)
        return self._made[key]

    def fill(self, descriptor: Descriptor, values: Mapping[str, object]) -> dict[str, object]:
        """Return what a message is made of; the types of the values decide."""
        made: dict[str, object] = {}
        for name, value in values.items():
            found = find(descriptor, name)
            if not isinstance(found, FieldDescriptor):
                raise TypeError(f"{descriptor.full_name} has no field {name}")
            if value is None or value is msgspec.UNSET:
                continue
            if found.is_repeated:
                made[found.name] = [self._of_type(found, each) for each in cast("Iterable[object]", value)]
            else:
                made[found.name] = self._of_type(found, value)
        return made

    def _of_type(self, found: FieldDescriptor, value: object) -> object:
        if isinstance(value, Message):
            return value
        key = (found.full_name, type(value))
        if key not in self._given:
            self._given[key] = self._choice(found, type(value))
        return self._given[key](value)

    def _compile(self, descriptor: Descriptor, kind: object) -> Convert:
        pair = self._rules.pair(descriptor, kind)
        if not isinstance(kind, type):
            raise TypeError(f"{kind} cannot become {descriptor.full_name}")
        own = [name for name in parameters(kind) if name not in pair.unmapped]
        above = {path.partition(".")[0] for path in pair.names if "." in path}
        space, values = Namespace(), dict[str, str]()
        for path in dict.fromkeys([*(name for name in own if name not in above), *pair.names]):
            found = find(descriptor, pair.names.get(path, path))
            if found is None:
                raise TypeError(f"{descriptor.full_name} has no field for {path} of {kind.__name__}")
            values |= self._set(space, found, wanted(attribute_hint(kind, path)), f"value.{path}")
        if self._rules.whole:
            require_counterparts(descriptor, kind, pair, values, parameters(kind))
        return space.function("value", call(space.name(GetMessageClass(descriptor)), values))

    def _set(
        self, space: Namespace, found: FieldDescriptor | OneofDescriptor, hint: Wanted, source: str
    ) -> Mapping[str, str]:
        """Return the fields to set, and to what; None leaves a field unset."""
        if isinstance(found, OneofDescriptor):
            return {
                each.name: f"({self._one(space, each, kind, source)} if isinstance({source}, "
                f"{space.name(base(kind))}) else None)"
                for each, kind in choices(found, hint.kinds, self._fits)
            }
        if len(hint.kinds) > 1:
            raise TypeError(f"one of {hint.kinds} cannot become {found.full_name}")
        value = (self._many if found.is_repeated else self._one)(space, found, hint.kind, source)
        # None leaves a field unset by itself.
        if hint.nothing and (value, hint.nothing) != (source, ("None",)):
            is_nothing = " or ".join(f"{source} is {each}" for each in hint.nothing)
            value = f"(None if {is_nothing} else {value})"
        return {found.name: value}

    def _many(self, space: Namespace, found: FieldDescriptor, kind: object, source: str) -> str:
        collection, held = element(kind)
        value = self._one(space, found, wanted(held).kind, "each")
        values = source if value == "each" else f"[{value} for each in {source}]"
        # A set has no order; its message has the same one each time.
        return f"sorted({values})" if issubclass(collection, (set, frozenset)) else values

    def _choice(self, found: FieldDescriptor, kind: object) -> Convert:
        space = Namespace()
        return space.function("value", self._one(space, found, kind, "value"))

    def _fits(self, found: FieldDescriptor, kind: object) -> bool:
        try:
            self._choice(found, kind)
        except TypeError:
            return False
        return True

    def _one(self, space: Namespace, found: FieldDescriptor, kind: object, source: str) -> str:
        """Return the expression that makes one value of `source` fit the field."""
        if found.message_type is not None:
            key = (found.message_type.full_name, kind)
            convert = _TIMES.get(key) or self.of(found.message_type, kind)
            return f"{space.name(convert)}({source})"
        if found.enum_type is not None and is_enum(kind):
            return f"{space.name(numbers(found.enum_type, kind))}[{source}]"
        plain = base(kind)
        if scalar(found) is str and plain is UUID:
            return f"str({source})"
        if plain is not scalar(found) and not (scalar(found) is str and _is_text(plain)):
            raise TypeError(f"{kind} cannot become {found.full_name}")
        return source


def _is_text(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, str)
