"""One mapper holds what a service says about its messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Optional, TypeVar, cast
from uuid import UUID

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from deepoj_kit.grpc.mapping.declarations import Conversion, Error, Members, Pair, Rules, key_of
from deepoj_kit.grpc.mapping.reader import Readers
from deepoj_kit.grpc.mapping.writer import Writers

M = TypeVar("M", bound=Message)
T = TypeVar("T")


class UnreadableError(ValueError):
    """A message holds a value that nobody expects."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Mapper:
    def __init__(
        self,
        *declared: Pair | Conversion | Members,
        parse: Mapping[object, Callable[[str], object]] | None = None,
        error: Error = UnreadableError,
        whole: bool = True,
    ) -> None:
        """`parse` makes new types of text, `error` what is raised for a value from outside.

        A mapper that is not `whole` leaves out of a message what a type does not name.
        """
        rules = Rules(
            pairs={key_of(each): each for each in declared if isinstance(each, Pair)},
            conversions={key_of(each): each for each in declared if isinstance(each, Conversion)},
            none={each.enum.full_name: each.none for each in declared if isinstance(each, Members)},
            parse=parse or {},
            error=error,
            whole=whole,
        )
        self._readers, self._writers = Readers(rules), Writers(rules)

    def reader(self, message: type[M], kind: type[T]) -> Callable[[M], T]:
        return self._readers.of(cast("Descriptor", message.DESCRIPTOR), kind)

    def writer(self, kind: type[T], message: type[M]) -> Callable[[T], M]:
        return self._writers.of(cast("Descriptor", message.DESCRIPTOR), kind)

    def field(self, message: type[M], name: str, kind: type[T]) -> Callable[[M], T]:
        """Return the reader of one field of a message."""
        return self._readers.field(cast("Descriptor", message.DESCRIPTOR), name, kind)

    def optional_field(self, message: type[M], name: str, kind: type[T]) -> Callable[[M], T | None]:
        return self._readers.field(cast("Descriptor", message.DESCRIPTOR), name, Optional[kind])  # noqa: UP045 — of a value

    def id(self, name: str, kind: Callable[[UUID], T]) -> Callable[[str], T]:
        """Return the reader of an id that stands alone in its message."""
        return self._readers.guarded(name, UUID, lambda text: kind(UUID(text)))

    def build(self, message: type[M], values: Mapping[str, object]) -> M:
        """Return a message of such fields; None and UNSET leave a field out."""
        return message(**self._writers.fill(cast("Descriptor", message.DESCRIPTOR), values))
