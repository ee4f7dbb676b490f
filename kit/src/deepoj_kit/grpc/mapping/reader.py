"""From messages to values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, NewType, NoReturn, cast
from uuid import UUID

from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_kit.grpc.mapping.declarations import (
    Convert,
    Error,
    Rules,
    Value,
    find,
    require_counterparts,
    singular,
)
from deepoj_kit.grpc.mapping.hints import Wanted, base, element, is_enum, parameters, wanted
from deepoj_kit.grpc.mapping.source import Namespace, attribute, call
from deepoj_kit.grpc.mapping.values import choices, length, members, milliseconds, moment, prefix_of, scalar

_TIMES: Final[Mapping[tuple[str, object], Convert]] = {
    (Timestamp.DESCRIPTOR.full_name, datetime): moment,
    (Duration.DESCRIPTOR.full_name, timedelta): length,
    (Duration.DESCRIPTOR.full_name, int): milliseconds,
}
_WORDS: Final[Mapping[object, str]] = {datetime: "a moment", UUID: "a UUID"}


@dataclass(slots=True)
class _Function:
    """A reader that is being written."""

    descriptor: Descriptor
    space: Namespace = field(default_factory=Namespace)
    mapped: set[str] = field(default_factory=set)


class Readers:
    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._made: dict[tuple[str, object], Convert] = {}

    def of(self, descriptor: Descriptor, kind: object) -> Convert:
        key = (descriptor.full_name, kind)
        if key not in self._made:
            told = self._rules.conversions.get(key)
            self._made[key] = (told and told.read) or self._compile(descriptor, kind)
        return self._made[key]

    def _compile(self, descriptor: Descriptor, kind: object) -> Convert:
        pair = self._rules.pair(descriptor, kind)
        maker = cast("Callable[..., object]", pair.made_by or kind)
        made = _Function(descriptor)
        expression = self._construct(made, maker, pair.names, pair.unmapped)
        if self._rules.whole:
            require_counterparts(descriptor, kind, pair, made.mapped, parameters(maker))
        return made.space.function("message", expression)

    def _construct(
        self,
        made: _Function,
        maker: Callable[..., object],
        names: Mapping[str, str],
        unmapped: Collection[str] = (),
    ) -> str:
        """Return the expression that makes a value of the message, or of some of its fields."""
        arguments: dict[str, str] = {}
        for name, (hint, required) in parameters(maker).items():
            if inner := _below(name, names):
                part = cast("Callable[..., object]", wanted(hint).kind)
                arguments[name] = self._construct(made, part, inner)
            elif (found := find(made.descriptor, names.get(name, name))) is not None:
                made.mapped.add(found.name)
                arguments[name] = self._get(made.space, found, wanted(hint))
            elif required or (self._rules.whole and name not in unmapped):
                raise TypeError(f"{made.descriptor.full_name} has no field {name}, which {maker} needs")
        return call(made.space.name(maker), arguments)

    def field(self, descriptor: Descriptor, name: str, kind: object) -> Convert:
        """Return the reader of one field of a message."""
        found, space = find(descriptor, name), Namespace()
        if found is None:
            raise TypeError(f"{descriptor.full_name} has no field {name}")
        return space.function("message", self._get(space, found, wanted(kind)))

    def _get(self, space: Namespace, found: FieldDescriptor | OneofDescriptor, hint: Wanted) -> str:
        if isinstance(found, OneofDescriptor):
            return self._which(space, found, hint)
        source = attribute("message", found.name)
        if found.is_repeated:
            values = self._many(space, found, hint.kind, source)
            return f"({values} or None)" if hint.nothing else values
        if hint.nothing and not found.has_presence:
            return f"({self._one(space, found, hint, 'it')} if (it := {source}) else None)"
        value = self._one(space, found, hint, source)
        if hint.nothing:
            return f"({value} if message.HasField({found.name!r}) else None)"
        if hint.kind is datetime:
            missing = space.name(self._refuses(f"{found.name}_missing", f"{found.name} has to be set"))
            return f"({value} if message.HasField({found.name!r}) else {missing}(None))"
        return value

    def _many(self, space: Namespace, found: FieldDescriptor, kind: object, source: str) -> str:
        collection, held = element(kind)
        value = self._one(space, found, wanted(held), "each")
        values = source if value == "each" else f"[{value} for each in {source}]"
        return f"{space.name(collection)}({values})"

    def _which(self, space: Namespace, oneof: OneofDescriptor, hint: Wanted) -> str:
        kinds = choices(oneof, hint.kinds, self._fits)
        table = _Table({each.name: self._choice(each, kind) for each, kind in kinds})
        table.refuse = self._refuses(f"{oneof.name}_missing", f"{oneof.name} has to be set")
        if hint.nothing:
            table[None] = _nothing
        return f"{space.name(table)}[message.WhichOneof({oneof.name!r})](message)"

    def _choice(self, found: FieldDescriptor, kind: object) -> Convert:
        space = Namespace()
        value = self._one(space, found, Wanted((kind,)), attribute("message", found.name))
        return space.function("message", value)

    def _fits(self, found: FieldDescriptor, kind: object) -> bool:
        try:
            self._choice(found, kind)
        except TypeError:
            return False
        return True

    def _one(self, space: Namespace, found: FieldDescriptor, hint: Wanted, source: str) -> str:
        """Return the expression that makes one value of `source`."""
        if len(hint.kinds) > 1:
            raise TypeError(f"{found.full_name} cannot become one of {hint.kinds}")
        convert = self._converter(found, hint)
        if convert is None:
            return source
        return f"{space.name(convert)}{f'[{source}]' if isinstance(convert, _Table) else f'({source})'}"

    def _converter(self, found: FieldDescriptor, hint: Wanted) -> Convert | _Table | None:
        """Return what makes a value; None: it is one already."""
        kind, name = hint.kind, singular(found.name) if found.is_repeated else found.name
        if found.message_type is not None:
            key = (found.message_type.full_name, kind)
            if key in _TIMES and key not in self._rules.conversions:
                return self.guarded(name, kind, _TIMES[key])
            return self.of(found.message_type, kind)
        if is_enum(kind):
            return self._members(found, hint, name)
        if scalar(found) is str and kind in self._rules.parse:
            return self._rules.parse[kind]
        if scalar(found) is str and base(kind) is UUID:
            return self.guarded(name, UUID, UUID)
        if base(kind) is not scalar(found) or (isinstance(kind, NewType) and base(kind) is str):
            raise TypeError(f"{found.full_name} cannot become {kind}: nothing was said that makes one")
        return None

    def _members(self, found: FieldDescriptor, hint: Wanted, name: str) -> _Table:
        if found.enum_type is not None:
            none = self._rules.none.get(found.enum_type.full_name, ())
            table = _Table(members(found.enum_type, hint.kind, none))
            if hint.nothing:
                table |= {
                    found.enum_type.values_by_name[prefix_of(found.enum_type) + each].number: None
                    for each in none
                }
            sentence = f"{name} has no value {{}}"
        elif scalar(found) is str:
            table = _Table({member.value: member for member in cast("type[Enum]", hint.kind)})
            sentence = f"{name} is one of {', '.join(table)}"
        else:
            raise TypeError(f"{found.full_name} cannot become {hint.kind}")
        table.refuse = self._refuses(f"{name}_unknown", sentence)
        return table

    def guarded(self, name: str, kind: object, convert: Convert) -> Convert:
        """Return the conversion with an error that names the field."""
        error, sentence = self._rules.error, f"{name} is not {_WORDS.get(kind, 'a length of time')}"

        def converted(value: Value) -> Value:
            try:
                return convert(value)
            except (ValueError, OverflowError) as odd:
                raise error(f"{name}_malformed", sentence) from odd

        return converted

    def _refuses(self, reason: str, sentence: str) -> Callable[[Value], NoReturn]:
        error: Error = self._rules.error

        def refuse(value: Value) -> NoReturn:
            raise error(reason, sentence.format(value))

        return refuse


class _Table(dict[Value, Value]):
    """A value that is not in it is refused."""

    refuse: Callable[[Value], NoReturn]

    def __missing__(self, key: Value) -> NoReturn:
        self.refuse(key)


def _nothing(_: Value) -> None:
    return None


def _below(name: str, names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the names below an attribute."""
    start = f"{name}."
    return {path.removeprefix(start): to for path, to in names.items() if path.startswith(start)}
