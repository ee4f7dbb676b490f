"""What all views share."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

# The services speak of questions, games and accounts; people of problems, contests and users.
_PUBLIC: Final = {
    "question": "problem",
    "question_id": "problem_id",
    "question_revision": "problem_revision",
    "question_revisions": "problem_revisions",
    "game": "contest",
    "game_id": "contest_id",
    "account": "user",
    "account_id": "user_id",
    "attempt_id": "attempt",
    "case_name": "case",
    "time": "time_ms",
    "by": "by_ms",
    "solved_after": "solved_after_ms",
    "after_start": "after_start_ms",
    "penalty": "penalty_ms",
    "oldest_wait": "oldest_wait_ms",
    "estimate": "estimate_ms",
    "hand_back_after": "hand_back_after_ms",
    "from_": "from",
}


def public_name(attribute: str) -> str:
    return _PUBLIC.get(attribute, attribute)


class View(msgspec.Struct, frozen=True, kw_only=True, rename=public_name):
    """An answer."""


class Body(msgspec.Struct, frozen=True, kw_only=True, rename=public_name, forbid_unknown_fields=True):
    """What a client sends. A name it does not know is a mistake the client should hear of."""


class PageInfo(View, frozen=True, kw_only=True):
    next_cursor: Annotated[
        str | None, Meta(description="Give it as `cursor` to get the next page; null on the last one.")
    ] = None


Id = Annotated[str, Meta(description="A UUID.", examples=["019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"])]
IdField = Annotated[UUID, Meta(examples=["019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"])]
Milliseconds = Annotated[int, Meta(ge=0, le=10**12, description="Milliseconds.", examples=[1000])]
Points = Annotated[float, Meta(ge=-1e9, le=1e9, description="Points, to a millionth.", examples=[100.0])]
Reason = Annotated[str, Meta(max_length=500, examples=["a test case was wrong"])]
