"""Every call on the other services goes through here: a method by its name, its answer as a struct."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol, TypeVar, cast

import grpc
import msgspec
from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from deepoj_bff.outbound.grpc.decoding import reader
from deepoj_bff.outbound.grpc.encoding import fields_of, fill
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.user.v1 import user_pb2

A = TypeVar("A", bound=msgspec.Struct)
A_co = TypeVar("A_co", bound=msgspec.Struct, covariant=True)

SERVICES: Final[Mapping[str, ServiceDescriptor]] = {
    "record": record_pb2.DESCRIPTOR.services_by_name["RecordService"],
    "judgement": judgement_pb2.DESCRIPTOR.services_by_name["JudgementService"],
    "question": question_pb2.DESCRIPTOR.services_by_name["QuestionService"],
    "game": game_pb2.DESCRIPTOR.services_by_name["GameService"],
    "user": user_pb2.DESCRIPTOR.services_by_name["UserService"],
}
_READS: Final = ("Get", "List", "Explain", "Count", "Best", "Preview", "Check", "AccountLoad", "QueueStats")
# Submit names its own id and an idempotency key: record answers a repeated one with the first id.
_REPEATABLE: Final = frozenset({"Submit", "SubmitMany"})


class Call(Protocol[A_co]):
    """What a caller declares: `service` is a key of SERVICES, `answer` the struct it wants."""

    @property
    def service(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def answer(self) -> type[A_co]: ...
    @property
    def deadline(self) -> timedelta | None: ...


@dataclass(frozen=True, slots=True)
class _Method:
    path: str
    request: type[Message]
    response: type[Message]

    @classmethod
    def named(cls, service: str, name: str) -> _Method:
        described: MethodDescriptor = SERVICES[service].methods_by_name[name]
        return cls(
            f"/{SERVICES[service].full_name}/{name}",
            GetMessageClass(described.input_type),
            GetMessageClass(described.output_type),
        )


def idempotent(service: str) -> list[str]:
    """Return the methods of a service that may be sent again when it is unavailable."""
    described = SERVICES[service]
    return [
        f"/{described.full_name}/{method.name}"
        for method in described.methods
        if method.name.startswith(_READS) or method.name in _REPEATABLE
    ]


class Unary(Protocol):
    def __call__(self, request: Message, *, timeout: float | None = None) -> Awaitable[Message]: ...


class GrpcServices:
    def __init__(
        self, channels: Mapping[str, grpc.aio.Channel], unary: Mapping[tuple[str, str], Unary] | None = None
    ) -> None:
        """`unary` names methods that are called in a way of their own."""
        self._channels = channels
        self._methods: dict[tuple[str, str], _Method] = {}
        self._unary: dict[tuple[str, str], Unary] = dict(unary or {})

    def prepare(self, calls: Iterable[Call[msgspec.Struct]]) -> None:
        """Raise unless each call exists and its answer fits."""
        for call in calls:
            method = self._method(call)
            reader(cast("Descriptor", method.response.DESCRIPTOR), call.answer)

    async def call(self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object) -> A:
        """Call a method with the fields of `body` and those named, which win."""
        method = self._method(call)
        key = (call.service, call.method)
        invoke = self._unary.get(key)
        if invoke is None:
            invoke = self._unary[key] = self._channels[call.service].unary_unary(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString,
            )
        answer = await invoke(_request(method, body, fields), timeout=_seconds(call))
        return _read(answer, call.answer)

    async def stream(
        self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object
    ) -> AsyncIterator[A]:
        """Yield each answer of a method that streams them."""
        method = self._method(call)
        invoke = self._channels[call.service].unary_stream(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        async for answer in invoke(_request(method, body, fields), timeout=_seconds(call)):
            yield _read(answer, call.answer)

    async def exchange(
        self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]
    ) -> AsyncIterator[A]:
        """Send each request as it comes, and yield each answer."""
        method = self._method(call)
        invoke = self._channels[call.service].stream_stream(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        sent = (_request(method, None, fields) async for fields in requests)
        async for answer in invoke(sent, timeout=_seconds(call)):
            yield _read(answer, call.answer)

    async def upload(self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]) -> A:
        """Send each request as it comes; return the one answer."""
        method = self._method(call)
        invoke = self._channels[call.service].stream_unary(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        sent = (_request(method, None, fields) async for fields in requests)
        return _read(await invoke(sent, timeout=_seconds(call)), call.answer)

    def _method(self, call: Call[A]) -> _Method:
        key = (call.service, call.method)
        found = self._methods.get(key)
        if found is None:
            found = self._methods[key] = _Method.named(*key)
        return found


def _request(method: _Method, body: msgspec.Struct | None, fields: Mapping[str, object]) -> Message:
    request = method.request()
    try:
        fill(request, fields if body is None else {**fields_of(body), **fields})
    except ValueError as error:
        # Protobuf's own limits: numbers too large, times before year 1, text that is not Unicode.
        message = "a value is out of the range that can be stored"
        raise RemoteError(Kind.INVALID, "value_out_of_range", message) from error
    return request


def _read(answer: Message, kind: type[A]) -> A:
    read: Callable[[Message], A] = reader(cast("Descriptor", answer.DESCRIPTOR), kind)
    return read(answer)


def _seconds(call: Call[A]) -> float | None:
    return None if call.deadline is None else call.deadline.total_seconds()
