"""Refusals and failures as one status code each, with a machine-readable reason."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Final, NoReturn

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.question.limits import MOST_DATA_BYTES
from deepoj_domain.question.question import QuestionRefusal
from deepoj_kit.grpc import Kind, Refusal, Translation, refuse
from deepoj_kit.objects import ObjectStoreError
from deepoj_kit.unavailable import Unavailable
from deepoj_question.commands.package_ports import BusyError
from deepoj_question.commands.ports import CommandRefusal, ContendedError
from deepoj_question.queries.ports import QueryRefusal

# By reason: the same word means the same whoever says it.
_MESSAGES: Final[Mapping[str, tuple[Kind, str]]] = {
    CommandRefusal.NOT_FOUND: (Kind.NOT_FOUND, "there is no such question or revision"),
    CommandRefusal.NOT_ALLOWED: (
        Kind.FORBIDDEN,
        "setters create questions; only the owner and admins change one, only they and judges see its data",
    ),
    CommandRefusal.QUESTION_ID_TAKEN: (Kind.CONFLICT, "the question id is taken; make a new one"),
    CommandRefusal.SLUG_TAKEN: (Kind.CONFLICT, "another question has this slug; choose another"),
    CommandRefusal.OBJECT_MISSING: (
        Kind.PRECONDITION,
        "a file that the question names is not stored; put it there first",
    ),
    CommandRefusal.OBJECT_SIZE_WRONG: (Kind.INVALID, "the size of an asset is not that of its file"),
    CommandRefusal.CASE_FILES_TOO_LARGE: (
        Kind.INVALID,
        f"the files of a case have at most {MOST_DATA_BYTES >> 20} MiB together",
    ),
    CommandRefusal.JUDGING_MISSING: (
        Kind.INVALID,
        "a new question needs limits and judging: name them or import a package",
    ),
    QuestionRefusal.STALE_VERSION: (
        Kind.CONFLICT,
        "the question was changed since it was read; read it again and repeat the change",
    ),
    QueryRefusal.CASE_NOT_FOUND: (Kind.NOT_FOUND, "the revision has no case of this number"),
    QueryRefusal.ASSET_NOT_FOUND: (Kind.NOT_FOUND, "the question has no such asset"),
}


def raise_refusal(refused: Refused[StrEnum]) -> NoReturn:
    kind, message = sentence_of(refused)
    refuse(kind, refused.reason, message)


def sentence_of(refused: Refused[StrEnum]) -> tuple[Kind, str]:
    kind, message = _MESSAGES.get(refused.reason, (Kind.PRECONDITION, "the question does not allow this"))
    return kind, f"{message} ({refused.detail})" if refused.detail else message


_AWAY: Final = Refusal(
    Kind.UNAVAILABLE, "store_unavailable", "the database or the object store is not available"
)
translate: Final = Translation(
    InvalidValueError,
    {
        BusyError: Refusal(
            Kind.EXHAUSTED,
            "too_many_packages",
            "other packages are being read or written; try again in a while",
            timedelta(seconds=10),
        ),
        ContendedError: Refusal(Kind.UNAVAILABLE, "contended", "others keep changing this; try again"),
        Unavailable: _AWAY,
        ObjectStoreError: _AWAY,
    },
)
