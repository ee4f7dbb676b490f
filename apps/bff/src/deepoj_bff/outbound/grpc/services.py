"""Every call on the other services goes through here: a method by its name, its answer as a struct."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar, cast

import grpc
import msgspec
from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from deepoj_bff.queries.services import SHARED, Call
from deepoj_domain.kernel.role import Actor, acting
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.grpc.mapping import Conversion, Mapper, Members, Pair
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.user.v1 import user_pb2

_log = logging.getLogger(__name__)
A = TypeVar("A", bound=msgspec.Struct)
M = TypeVar("M", bound=Message)

_MICROS: Final = 1_000_000
_GUEST: Final = common_pb2.Actor(role=common_pb2.ROLE_GUEST)


def _points(score: judging_pb2.Score) -> float:
    return score.micros / _MICROS


def _score(points: float) -> judging_pb2.Score:
    return judging_pb2.Score(micros=round(points * _MICROS))


# Structs and messages meet by the names of the fields. What a struct does not name is never shown.
MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    Conversion(judging_pb2.Score, float, _points, _score),
    whole=False,
)


def filled(message: type[M], values: Mapping[str, object]) -> M:
    """Return a request with the fields named; None leaves a field out, but an actor of None is a guest."""
    if values.get("actor", _GUEST) is None:
        values = {**values, "actor": _GUEST}
    return MAPPER.build(message, values)


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
_NOTHING_TO_SEE: Final = frozenset({Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.PRECONDITION})


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


class GrpcServices:
    def __init__(self, channels: Mapping[str, grpc.aio.Channel]) -> None:
        self._channels = channels
        self._methods: dict[tuple[str, str], _Method] = {}
        self._unary: dict[tuple[str, str], grpc.aio.UnaryUnaryMultiCallable[Message, Message]] = {}

    def prepare(self, calls: Iterable[Call[msgspec.Struct]]) -> None:
        """Raise unless each call exists, what it sends fits its request, and its answer fits."""
        for call in calls:
            method = self._method(call)
            MAPPER.reader(method.response, call.answer)
            if call.body is not None:
                MAPPER.writer(call.body, method.request)
            fields = method.request.DESCRIPTOR.fields_by_name
            shared = {name: kind for name, kind in SHARED.items() if name in fields}
            for name, kind in {**shared, **call.parts}.items():
                MAPPER.writer(kind, GetMessageClass(cast("Descriptor", fields[name].message_type)))

    async def call(self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object) -> A:
        method = self._method(call)
        key = (call.service, call.method)
        invoke = self._unary.get(key)
        if invoke is None:
            invoke = self._unary[key] = self._channels[call.service].unary_unary(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString,
            )
        answer = await invoke(_request(call, method, body, fields), timeout=_seconds(call))
        return MAPPER.reader(method.response, call.answer)(answer)

    async def find(self, call: Call[A], /, **fields: object) -> A | None:
        try:
            return await self.call(call, **fields)
        except RemoteError as error:
            if error.kind in _NOTHING_TO_SEE:
                return None
            raise

    async def optional(self, call: Call[A], /, **fields: object) -> A | None:
        try:
            return await self.call(call, **fields)
        except RemoteError as error:
            if error.kind not in _NOTHING_TO_SEE:
                _log.warning("%s.%s is done without: %s", call.service, call.method, error)
            return None

    async def stream(
        self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object
    ) -> AsyncIterator[A]:
        method = self._method(call)
        read = MAPPER.reader(method.response, call.answer)
        invoke = self._channels[call.service].unary_stream(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        answers = invoke(_request(call, method, body, fields), timeout=_seconds(call))
        try:
            async for answer in answers:
                yield read(answer)
        finally:
            # Whoever stops reading lets the service stop too.
            answers.cancel()

    async def exchange(
        self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]
    ) -> AsyncIterator[A]:
        method = self._method(call)
        read = MAPPER.reader(method.response, call.answer)
        invoke = self._channels[call.service].stream_stream(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        sent = _Sent(requests)
        messages = (_request(call, method, None, fields) async for fields in sent)
        with sent.telling_why():
            async for answer in invoke(messages, timeout=_seconds(call)):
                yield read(answer)

    async def upload(self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]) -> A:
        method = self._method(call)
        invoke = self._channels[call.service].stream_unary(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        sent = _Sent(requests)
        messages = (_request(call, method, None, fields) async for fields in sent)
        read = MAPPER.reader(method.response, call.answer)
        with sent.telling_why():
            return read(await invoke(messages, timeout=_seconds(call)))

    def _method(self, call: Call[A]) -> _Method:
        key = (call.service, call.method)
        found = self._methods.get(key)
        if found is None:
            found = self._methods[key] = _Method.named(*key)
        return found


class _Sent:
    """gRPC cancels a call whose requests break off and forgets why: here it is kept."""

    def __init__(self, requests: AsyncIterable[Mapping[str, object]]) -> None:
        self._requests = requests
        self._failure: Exception | None = None

    async def __aiter__(self) -> AsyncIterator[Mapping[str, object]]:
        try:
            async for fields in self._requests:
                yield fields
        except Exception as error:
            self._failure = error
            raise

    @contextmanager
    def telling_why(self) -> Iterator[None]:
        try:
            yield
        except (asyncio.CancelledError, RemoteError):
            if self._failure is not None:
                raise self._failure from None
            raise


def _request(
    call: Call[A], method: _Method, body: msgspec.Struct | None, fields: Mapping[str, object]
) -> Message:
    call.require_declared(body, fields)
    return request(method.request, {**(msgspec.structs.asdict(body) if body else {}), **fields})


def request(message: type[M], values: Mapping[str, object]) -> M:
    """Return a request with the fields named, or refuse values that it cannot hold."""
    try:
        return filled(message, values)
    except (ValueError, OverflowError) as error:
        # Protobuf's own limits: numbers too large, times before year 1, text that is not Unicode.
        explained = "a value is out of the range that can be stored"
        raise RemoteError(Kind.INVALID, "value_out_of_range", explained) from error


def _seconds(call: Call[A]) -> float | None:
    return None if call.deadline is None else call.deadline.total_seconds()
