"""What a client may ask, one packet a request. Descriptors travel beside it, in the order named here.

open   boxes of one's own, all or none                      → {"boxes": [n, …]} + control, gate of each
put    a file into a box; descriptor: the file              → {"size": n}
run    a program; its input behind the JSON, or a file      → {"result": […]} + output
talk   programs joined by channels, the leader first        → {"results": [[…], …]} + output
list   what a program left in its scratch directory         → {"names": […]}
take   a file out of a box                                  → {} + a read-only descriptor
kills  how often the kernel killed in a box for its memory  → {"kills": n}
reset  empty a box's scratch directory                      → {}
close  destroy a box                                        → {}
status what is active and how many boxes there are          → {"layers": {…}, "boxes": {…}}

A packet is one line of JSON; what is short travels behind that line, what is long in a descriptor.
A box's programs may be run by its keeper's control socket (client/lent_box.py): `run` is for what must be
alone or pinned. Requests may be sent before earlier ones are answered; the answers come in the same order.
"""

from dataclasses import dataclass, field

from deepoj_sandbox.host.streams import SHORT_BYTES
from deepoj_sandbox.request import BoxSpec, RunRequest

PROTOCOL = 3
MAX_PACKET = 160 * 1024 + SHORT_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    spec: BoxSpec = field(default_factory=BoxSpec)
    wait_ms: int = 0
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    box: int
    name: str
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    box: int
    request: RunRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The first leads. Whoever opens its channels by name has a standard input of its own.

    That of the leader comes as for `run`, that of the others is empty; what these print is nobody's.
    """

    boxes: tuple[int, ...]
    requests: tuple[RunRequest, ...]
    leader_by_name: bool = False
    members_by_name: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    box: int
    name: str
    limit: int = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStatus:
    pass


OfBox = Put | List | Take | Kills | Reset | Close
Other = Open | AskStatus | OfBox
Message = Run | Talk | Other

KINDS: dict[str, type[Message]] = {
    "open": Open,
    "put": Put,
    "run": Run,
    "talk": Talk,
    "list": List,
    "take": Take,
    "kills": Kills,
    "reset": Reset,
    "close": Close,
    "status": AskStatus,
}
