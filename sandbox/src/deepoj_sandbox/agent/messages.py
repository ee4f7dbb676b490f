"""What a client may ask, one packet a request. Descriptors travel beside it, in the order named here.

open   a box of one's own                                   → {"box": n}
put    a file into a box; descriptor: the file              → {"size": n}
run    a program; descriptors: stdin, then the sinks asked  → {"result": {…}} + output
pair   two programs joined by pipes                         → {"results": [{…}, {…}]} + stderr
list   what a program left in its scratch directory         → {"names": […]}
take   a file out of a box                                  → {} + a read-only descriptor
reset  empty a box's scratch directory                      → {}
close  destroy a box                                        → {}
status what is active and how many boxes there are          → {"layers": {…}, "boxes": {…}}
"""

from dataclasses import dataclass, field

from deepoj_sandbox.request import BoxSpec, RunRequest

PROTOCOL = 1
MAX_PACKET = 160 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    spec: BoxSpec = field(default_factory=BoxSpec)
    wait_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    box: int
    name: str
    executable: bool = False
    into_work: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    box: int
    request: RunRequest
    stdin: bool = False
    stdout: bool = False
    stderr: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    first_box: int
    second_box: int
    first: RunRequest
    second: RunRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    box: int
    name: str
    limit: int = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStatus:
    pass


Message = Open | Put | Run | Pair | List | Take | Reset | Close | AskStatus

KINDS: dict[str, type[Message]] = {
    "open": Open,
    "put": Put,
    "run": Run,
    "pair": Pair,
    "list": List,
    "take": Take,
    "reset": Reset,
    "close": Close,
    "status": AskStatus,
}
