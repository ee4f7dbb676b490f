"""Packets between the host, the factory and a box's keeper.

The host is trusted by both and a keeper by nobody: what a keeper sends is fixed-size numbers and one
short text, so nothing it says can be more than a wrong number.
"""

import struct
from enum import IntEnum
from typing import NamedTuple

MAX_ORDER = 192 * 1024
# Everything but an order is short.
MAX_REPLY = 512


class Op(IntEnum):
    RUN = 1
    RESET = 2
    KILL = 3
    GO_ON = 4
    LOOK = 5
    GIVE_UP = 6


class Ending(IntEnum):
    """Why the keeper ended a run, if it did."""

    BY_ITSELF = 0
    CPU = 1
    WALL = 2
    HOST = 3
    MEMORY = 4


class Word(IntEnum):
    """What the keeper says of a run that rests, and when it is asked of one that talks; the packet's tag."""

    ASLEEP = 4
    AWAKE = 5
    STILL = 6
    MOVED = 7


class RunOrder(NamedTuple):
    """One run as the keeper needs it. Zero stands for 'no limit' where a limit is optional."""

    reset: int
    cpu_ns: int
    wall_ns: int
    idle_ns: int
    memory_bytes: int
    processes: int
    file_bytes: int
    open_files: int
    stack_bytes: int
    address_space_bytes: int
    cpus: int
    talks: int
    """Its output goes to another program: what it reads and writes is counted here."""
    rests: int
    """The host is told when it falls asleep, and asked before it goes on."""


class Report(NamedTuple):
    """What the keeper saw. `status` is the raw wait status."""

    ending: int
    status: int
    cpu_ns: int
    wall_ns: int
    peak_bytes: int
    oom_kills: int
    # Of a run that talks: by every process and to wherever, as the system calls had it.
    read_bytes: int = 0
    written_bytes: int = 0


class Failure(NamedTuple):
    """We broke: which step, and the errno."""

    step: str
    code: int


_ORDER = struct.Struct("=B13QH")
_REPORT = struct.Struct("=BQq6Q")
_FAILURE = struct.Struct("=BI")
_REPORT_TAG = 1
_DONE_TAG = 2
_FAILURE_TAG = 3

DONE = bytes([_DONE_TAG])
KILL = bytes([Op.KILL])
RESET = bytes([Op.RESET])
GO_ON = bytes([Op.GO_ON])
ASLEEP = bytes([Word.ASLEEP])
AWAKE = bytes([Word.AWAKE])
LOOK = bytes([Op.LOOK])
GIVE_UP = bytes([Op.GIVE_UP])
STILL = bytes([Word.STILL])
MOVED = bytes([Word.MOVED])


def pack_order(order: RunOrder, argv: tuple[str, ...], environment: tuple[str, ...]) -> bytes:
    words = [word.encode() for word in (*argv, *environment)]
    return _ORDER.pack(Op.RUN, *order, len(argv)) + b"\0".join(words)


Unpacked = tuple[RunOrder, list[bytes], dict[bytes, bytes]]
NO_ORDER: Unpacked = (RunOrder(*(0,) * 13), [], {})


def unpack_order(packet: bytes) -> Unpacked:
    fields = _ORDER.unpack_from(packet)
    words = packet[_ORDER.size :].split(b"\0")
    count = fields[-1]
    environment = dict(word.split(b"=", 1) for word in words[count:])
    return RunOrder(*fields[1:-1]), words[:count], environment


def pack_report(report: Report) -> bytes:
    return _REPORT.pack(_REPORT_TAG, *report)


def pack_failure(failure: Failure) -> bytes:
    return _FAILURE.pack(_FAILURE_TAG, failure.code) + failure.step.encode()[:200]


def unpack_reply(packet: bytes) -> Report | Failure | Word | None:
    """Tell a report from a failure and a word; None is a bare acknowledgement."""
    tag = packet[0] if packet else 0
    if tag == _REPORT_TAG and len(packet) == _REPORT.size:
        return Report(*_REPORT.unpack(packet)[1:])
    if tag == _DONE_TAG:
        return None
    if packet in (ASLEEP, AWAKE, STILL, MOVED):
        return Word(tag)
    if tag == _FAILURE_TAG:
        return Failure(packet[_FAILURE.size :].decode(errors="replace"), _FAILURE.unpack_from(packet)[1])
    raise ValueError("unknown packet from a keeper")


class Blueprint(NamedTuple):
    """What the factory needs to make one box."""

    user: int
    keeper: int
    scratch_bytes: int
    scratch_inodes: int
    app_bytes: int
    open_files: int
    joins: int
    secret: int


_BLUEPRINT = struct.Struct("=8Q")


def pack_blueprint(blueprint: Blueprint) -> bytes:
    return _BLUEPRINT.pack(*blueprint)


def unpack_blueprint(packet: bytes) -> Blueprint:
    return Blueprint(*_BLUEPRINT.unpack(packet))
