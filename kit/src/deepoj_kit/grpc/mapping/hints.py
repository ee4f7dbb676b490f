"""What a type asks for."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from types import UnionType
from typing import Annotated, Final, NamedTuple, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

_NOTHING: Final = {type(None): "None", msgspec.UnsetType: "UNSET"}
_COLLECTIONS: Final[Mapping[object, type]] = {
    list: list,
    tuple: tuple,
    Sequence: tuple,
    set: set,
    frozenset: frozenset,
    AbstractSet: frozenset,
}


class Wanted(NamedTuple):
    kinds: tuple[object, ...]
    """The types a value may have; more than one is a union."""
    nothing: tuple[str, ...] = ()
    """The names of the values that mean nothing is there."""

    @property
    def kind(self) -> object:
        return self.kinds[0]


class Attribute(NamedTuple):
    hint: object
    required: bool


def wanted(hint: object) -> Wanted:
    """Return the types of a hint without annotations and without None."""
    if get_origin(hint) is Annotated:
        return wanted(get_args(hint)[0])
    if get_origin(hint) not in {Union, UnionType}:
        return Wanted((hint,))
    inner = [wanted(each) for each in get_args(hint) if each not in _NOTHING]
    nothing = [_NOTHING[each] for each in get_args(hint) if each in _NOTHING]
    return Wanted(
        kinds=tuple(kind for each in inner for kind in each.kinds),
        nothing=(*nothing, *(name for each in inner for name in each.nothing)),
    )


def element(kind: object) -> tuple[type, object]:
    """Return the collection and what it holds."""
    collection = _COLLECTIONS.get(get_origin(kind))
    if collection is None:
        raise TypeError(f"{kind} does not hold several values")
    return collection, get_args(kind)[0]


def base(kind: object) -> object:
    """Return what a new type is made of."""
    while isinstance(kind, NewType):
        kind = kind.__supertype__
    return kind


def is_enum(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def parameters(made_by: Callable[..., object]) -> Mapping[str, Attribute]:
    """Return what a type, or a function that makes a value, has to be given."""
    if isinstance(made_by, type) and issubclass(made_by, msgspec.Struct):
        return {each.name: Attribute(each.type, each.required) for each in msgspec.structs.fields(made_by)}
    if not dataclasses.is_dataclass(made_by) and not inspect.isfunction(made_by):
        raise TypeError(f"{made_by} has no fields")
    hints = get_type_hints(made_by, include_extras=True)
    return {
        name: Attribute(hints[name], each.default is inspect.Parameter.empty)
        for name, each in inspect.signature(made_by).parameters.items()
    }


def attribute_hint(kind: type, path: str) -> object:
    """Return the hint of an attribute or property; `revision.number` is one of an attribute."""
    name, _, rest = path.partition(".")
    found = inspect.getattr_static(kind, name, None)
    if isinstance(found, property) and found.fget is not None:
        hint = get_type_hints(found.fget)["return"]
    else:
        hint = get_type_hints(kind, include_extras=True).get(name)
    if hint is None:
        raise TypeError(f"{kind.__name__} has no attribute {name}")
    if not rest:
        return hint
    inner = wanted(hint)
    if inner.nothing or not isinstance(inner.kind, type):
        raise TypeError(f"{kind.__name__}.{name} may be None, so it has no {rest}")
    return attribute_hint(inner.kind, rest)
