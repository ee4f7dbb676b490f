"""One client connection: its boxes, and what it asks of them, one request after another."""

import itertools
import json
import os
import socket
from pathlib import Path
from typing import NamedTuple

from deepoj_sandbox import codec
from deepoj_sandbox.agent import messages
from deepoj_sandbox.codec import Json, JsonValue
from deepoj_sandbox.errors import BadRequest, Busy, SandboxError
from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import HungUp, run
from deepoj_sandbox.host.gate import Gate
from deepoj_sandbox.host.pool import Pool
from deepoj_sandbox.host.stdin import safe_stdin, stdin_of
from deepoj_sandbox.host.streams import SHORT_BYTES, Collected, Nowhere, Sink
from deepoj_sandbox.host.talk import MOST_MEMBERS, Aside, Part, run_talk
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import RunRequest


class Outputs:
    """The sinks of one request, by name: short output goes into the answer's packet, long into a memfd."""

    def __init__(self, expected: int) -> None:
        """`expected`: how many there will be; what is short of all of them fits into one packet."""
        self._short_bytes = 2 * SHORT_BYTES // expected
        self._collected: dict[str, Collected] = {}

    def collect(self, name: str) -> Sink:
        return self._collected.setdefault(name, Collected(self._short_bytes))

    def describe(self) -> Json:
        """Say what is attached: names of memfds, and lengths of what follows the JSON."""
        memfds: list[JsonValue] = [name for name, each in self._collected.items() if each.memfd >= 0]
        short: Json = {name: len(each.short) for name, each in self._collected.items() if each.short}
        return {"memfds": memfds, "short": short}

    def tail(self) -> bytes:
        return b"".join(each.short for each in self._collected.values())

    def memfds(self) -> tuple[int, ...]:
        return tuple(each.memfd for each in self._collected.values() if each.memfd >= 0)

    def close(self) -> None:
        for each in self._collected.values():
            each.close()
        self._collected = {}


_MOST_BOXES = MOST_MEMBERS + 6
_LONGEST_WAIT_MS = 600_000


class Reply(NamedTuple):
    """An answer: JSON, descriptors to pass and to close, bytes to send behind the JSON."""

    fields: codec.Json
    descriptors: tuple[int, ...] = ()
    tail: bytes = b""


class Session:
    def __init__(
        self, channel: socket.socket, pool: Pool, gate: Gate, layers: codec.Json, directory: Path
    ) -> None:
        """`directory` is for what programs open by name."""
        self._channel = channel
        self._pool = pool
        self._gate = gate
        self._layers = layers
        self._directory = directory
        self._buffer = bytearray(messages.MAX_PACKET)
        self._boxes: dict[int, Box] = {}
        self._numbers = itertools.count(1)
        self._last: tuple[bytes, messages.Message | None] = (b"", None)

    def serve(self) -> None:
        """Answer until the client hangs up; its boxes go with it."""
        try:
            while True:
                packet, received = self._receive()
                if not packet:
                    return
                reply = self._answer(packet, received)
                try:
                    answer = json.dumps(reply.fields).encode() + b"\n" + reply.tail
                    descriptors.send(self._channel, answer, reply.descriptors)
                finally:
                    descriptors.close_all([*reply.descriptors, *received])
        except (OSError, HungUp):
            return
        finally:
            for box in self._boxes.values():
                self._pool.give_back(box)
            self._channel.close()

    def _receive(self) -> tuple[bytes, list[int]]:
        try:
            return descriptors.receive(self._channel, self._buffer)
        except ValueError:
            # A truncated packet is not JSON: the client gets its answer, the session goes on.
            return b"{", []

    def _answer(self, packet: bytes, received: list[int]) -> Reply:
        head, _, content = packet.partition(b"\n")
        try:
            message = self._decode(head)
            if isinstance(message, messages.Run):
                return self._run(message, received, content)
            if isinstance(message, messages.Talk):
                return self._talk(message, received, content)
            return self._handle(message, received)
        except BadRequest as error:
            return Reply({"error": {"kind": "bad_request", "field": error.field, "reason": error.reason}})
        except Busy:
            return Reply({"error": {"kind": "busy"}})
        except SandboxError as error:
            problem: codec.Json = {"step": error.step, "errno": error.code, "detail": error.detail}
            return Reply({"error": {"kind": "sandbox", **problem}})
        except HungUp:
            descriptors.close_all(received)
            raise

    def _decode(self, packet: bytes) -> messages.Message:
        # The cases of one submission are asked for with the same words.
        if packet == self._last[0] and self._last[1]:
            return self._last[1]
        fields = codec.parse_object(packet)
        kind = messages.KINDS.get(str(fields.pop("op", "")))
        if kind is None:
            raise BadRequest("op", f"must be one of {', '.join(messages.KINDS)}")
        if fields.pop("v", messages.PROTOCOL) != messages.PROTOCOL:
            raise BadRequest("v", f"this agent speaks version {messages.PROTOCOL}")
        message = codec.decode(kind, fields, "request")
        self._last = (packet, message)
        return message

    def _handle(self, message: messages.Other, received: list[int]) -> Reply:
        match message:
            case messages.Open():
                return self._open(message)
            case messages.AskStatus():
                counts: codec.Json = {**self._pool.counts()}
                return Reply({"layers": self._layers, "boxes": counts})
            case _:
                return self._handle_box(message, received)

    def _handle_box(
        self,
        message: messages.OfBox,
        received: list[int],
    ) -> Reply:
        match message:
            case messages.List():
                names: list[codec.JsonValue] = [*files.listing(self._usable(message.box))]
                return Reply({"names": names})
            case messages.Put():
                (source,) = _exactly(received, 1)
                box = self._usable(message.box)
                return Reply({"size": files.put(box, message.name, source, executable=message.executable)})
            case messages.Take():
                taken = files.open_taken(self._usable(message.box), message.name, message.limit)
                return Reply({}, (taken,))
            case messages.Kills():
                return Reply({"kills": self._usable(message.box).group.oom_kills()})
            case messages.Reset():
                self._usable(message.box).reset()
                return Reply({})
            case messages.Close():
                self._pool.give_back(self._box(message.box))
                del self._boxes[message.box]
                return Reply({})

    def _box(self, number: int) -> Box:
        try:
            return self._boxes[number]
        except KeyError:
            raise BadRequest("request.box", "is not open") from None

    def _open(self, message: messages.Open) -> Reply:
        if not 1 <= message.count <= MOST_MEMBERS + 1:
            raise BadRequest("request.count", f"must be from 1 to {MOST_MEMBERS + 1}")
        if len(self._boxes) + message.count > _MOST_BOXES:
            raise BadRequest("op", f"a connection holds {_MOST_BOXES} boxes at most")
        if not 0 <= message.wait_ms <= _LONGEST_WAIT_MS:
            raise BadRequest("request.wait_ms", "is out of range")
        numbers: list[JsonValue] = []
        lent: list[int] = []
        for box in self._pool.borrow(message.spec, message.wait_ms / 1000, message.count):
            number = next(self._numbers)
            self._boxes[number] = box
            # From now on the client may run programs in it without a word to us.
            box.dirty = True
            numbers.append(number)
            lent += (os.dup(box.control.fileno()), self._gate.share())
        return Reply({"boxes": numbers}, tuple(lent))

    def _run(self, message: messages.Run, received: list[int], content: bytes) -> Reply:
        box, request = self._usable(message.box), message.request
        stdin = _input(request, received, content)
        outputs = Outputs(2)
        stdout, stderr = outputs.collect("stdout"), outputs.collect("stderr")
        try:
            with self._gate.enter(alone=request.alone):
                result = run(box, request, stdin, stdout, stderr, self._channel.fileno())
        except BaseException:
            outputs.close()
            raise
        finally:
            os.close(stdin)
        return _with_output({"result": [*result]}, outputs)

    def _talk(self, message: messages.Talk, received: list[int], content: bytes) -> Reply:
        _check_talk(message)
        boxes = [self._usable(number) for number in message.boxes]
        outputs = Outputs(len(boxes) + 1)
        stdin, nothing = _input(message.requests[0], received, content), stdin_of(b"", 0)
        leading = Aside(stdin, outputs.collect("stdout")) if message.leader_by_name else None
        others = Aside(nothing, Nowhere()) if message.members_by_name else None
        leader, *members = (
            Part(box, request, outputs.collect(f"stderr {place}"), others if place else leading)
            for place, (box, request) in enumerate(zip(boxes, message.requests, strict=True))
        )
        try:
            with self._gate.enter(alone=any(request.alone for request in message.requests)):
                results = run_talk(leader, members, self._directory, self._channel.fileno())
        except BaseException:
            outputs.close()
            raise
        finally:
            descriptors.close_all([stdin, nothing])
        return _with_output({"results": [[*result] for result in results]}, outputs)

    def _usable(self, number: int) -> Box:
        box = self._box(number)
        if box.closed:
            raise BadRequest("request.box", "was destroyed by an earlier failure")
        return box


def _with_output(fields: codec.Json, outputs: Outputs) -> Reply:
    return Reply({**fields, **outputs.describe()}, outputs.memfds(), outputs.tail())


def _check_talk(message: messages.Talk) -> None:
    members = len(message.boxes) - 1
    if not 1 <= members <= MOST_MEMBERS or len(message.requests) != len(message.boxes):
        raise BadRequest("request.boxes", f"must be 2 to {MOST_MEMBERS + 1}, with a request for each")
    if len(set(message.boxes)) != len(message.boxes):
        raise BadRequest("request.boxes", "must be different boxes")
    if members > 1 and not message.leader_by_name:
        raise BadRequest("request.leader_by_name", "one who talks with several opens them by name")


def _input(request: RunRequest, received: list[int], content: bytes) -> int:
    limit = request.limits.input_bytes
    return safe_stdin(_exactly(received, 1)[0], limit) if received else stdin_of(content, limit)


def _exactly(received: list[int], count: int) -> list[int]:
    if len(received) != count:
        raise BadRequest("descriptors", f"expected {count}, got {len(received)}")
    return received
