"""The six states, each a type that carries exactly what is true in it, and the moves between them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Final

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.submission.attempt import Lease


class Status(StrEnum):
    PENDING = "PENDING"
    DISPATCHED = "DISPATCHED"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    DEAD = "DEAD"
    CANCELLED = "CANCELLED"


class Cause(StrEnum):
    """Why a submission is where it is."""

    WAITING_BEHIND = "waiting_behind"
    NO_WORKER_FOR_LANGUAGE = "no_worker_for_language"
    NO_ABLE_WORKER = "no_able_worker"
    BACKING_OFF = "backing_off"
    RUNNING = "running"
    WORKER_LOST = "worker_lost"
    FINISHED = "finished"
    DEAD = "dead"
    CANCELLED = "cancelled"


class DeathCause(StrEnum):
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    POISON = "poison"


@dataclass(frozen=True, slots=True)
class Pending:
    status: ClassVar[Status] = Status.PENDING


@dataclass(frozen=True, slots=True)
class Dispatched:
    status: ClassVar[Status] = Status.DISPATCHED


@dataclass(frozen=True, slots=True)
class Running:
    status: ClassVar[Status] = Status.RUNNING

    lease: Lease


@dataclass(frozen=True, slots=True)
class Finished:
    status: ClassVar[Status] = Status.FINISHED

    attempt_id: int
    result: JudgeResult
    at: datetime


@dataclass(frozen=True, slots=True)
class Dead:
    status: ClassVar[Status] = Status.DEAD

    cause: DeathCause
    last_error: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Cancelled:
    status: ClassVar[Status] = Status.CANCELLED

    by: AccountId
    at: datetime


Waiting = Pending | Dispatched
Terminal = Finished | Dead | Cancelled
State = Waiting | Running | Terminal

# from → to. Nothing leaves FINISHED, DEAD or CANCELLED; a rejudge is a new submission.
MOVES: Final[frozenset[tuple[Status, Status]]] = frozenset(
    {
        (Status.PENDING, Status.DISPATCHED),
        (Status.PENDING, Status.RUNNING),
        (Status.DISPATCHED, Status.RUNNING),
        (Status.RUNNING, Status.RUNNING),
        (Status.RUNNING, Status.FINISHED),
        (Status.RUNNING, Status.PENDING),
        (Status.PENDING, Status.DEAD),
        (Status.DISPATCHED, Status.DEAD),
        (Status.RUNNING, Status.DEAD),
        (Status.PENDING, Status.CANCELLED),
        (Status.DISPATCHED, Status.CANCELLED),
        (Status.RUNNING, Status.CANCELLED),
    }
)
