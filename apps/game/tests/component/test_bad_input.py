"""What cannot be done is refused with a reason code, and nothing has changed afterwards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest
from google.protobuf.message import Message

from apps.game.tests.contests import (
    CONTESTANT,
    GUEST,
    JUDGE,
    ORGANISER,
    OTHER,
    QUESTIONS,
    a_create,
    a_draft,
)
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.grpc.mapping.values import duration
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

Spoil = Callable[[game_pb2.Draft], object]
TABLES = (
    "games",
    "problems",
    "staff",
    "invitations",
    "participants",
    "clarifications",
    "changes",
    "rows",
    "audit",
)
DAY = timedelta(days=1)


def contents(url: str) -> list[object]:
    with psycopg.connect(url) as connection:
        return [
            connection.execute(f"SELECT * FROM game.{table} ORDER BY 1, 2".encode()).fetchall()  # noqa: S608 — constants
            for table in TABLES
        ]


def shift(draft: game_pb2.Draft, field: str, **by: float) -> None:
    moment = getattr(draft.schedule, field)
    moment.FromDatetime(moment.ToDatetime() + timedelta(**by))


SPOILED: dict[str, Spoil] = {
    "game_times_reversed": lambda draft: shift(draft, "ends_at", days=-9),
    "game_freeze_outside": lambda draft: shift(draft, "freezes_at", days=9),
    "starts_at_missing": lambda draft: draft.schedule.ClearField("starts_at"),
    "problem_twice": lambda draft: setattr(draft.problems[1], "question_id", QUESTIONS[0]),
    "label_twice": lambda draft: setattr(draft.problems[1], "label", "A"),
    "label_empty": lambda draft: setattr(draft.problems[0], "label", " "),
    "label_malformed": lambda draft: setattr(draft.problems[0], "label", "much too long"),
    "colour_malformed": lambda draft: setattr(draft.problems[0], "colour", "red"),
    "score_out_of_range": lambda draft: setattr(draft.problems[0].points, "micros", -1),
    "question_id_malformed": lambda draft: setattr(draft.problems[0], "question_id", "A"),
    "title_empty": lambda draft: setattr(draft, "title", "  "),
    "title_too_long": lambda draft: setattr(draft, "title", "x" * 201),
    "text_malformed": lambda draft: setattr(draft, "description", "\0"),
    "format_unknown": lambda draft: setattr(draft, "format", 77),
    "password_on_open_game": lambda draft: setattr(draft, "password", "secret"),
    "penalty_out_of_range": lambda draft: setattr(draft.options, "penalty_minutes", 10**6),
    "admin_id_malformed": lambda draft: draft.admin_ids.append("bob"),
}


@pytest.mark.parametrize("reason", list(SPOILED))
async def test_a_draft_that_cannot_be_a_game_is_refused(
    game: GameServiceAsyncStub, shared_url: str, reason: str
) -> None:
    request = a_create()
    SPOILED[reason](request.draft)
    before = contents(shared_url)
    with pytest.raises(RemoteError) as refused:
        await game.Create(request)
    assert (refused.value.kind, refused.value.reason) == (Kind.INVALID, reason)
    assert contents(shared_url) == before


def named(request: Any, game_id: str, **fields: object) -> Message:  # noqa: ANN401 — any request type
    return request(game_id=game_id, **fields)  # type: ignore[no-any-return]  # they are all messages


CALLS: dict[str, tuple[str, Callable[[str], Message], Kind, str]] = {
    "sign-up after the end": (
        "SignUp",
        lambda over: named(game_pb2.SignUpRequest, over, actor=CONTESTANT, display_name="A"),
        Kind.PRECONDITION,
        "already_ended",
    ),
    "virtual where it is not allowed": (
        "SignUp",
        lambda over: named(game_pb2.SignUpRequest, over, actor=CONTESTANT, display_name="A", virtual=True),
        Kind.PRECONDITION,
        "virtual_not_allowed",
    ),
    "sign-up as a guest": (
        "SignUp",
        lambda over: named(game_pb2.SignUpRequest, over, actor=GUEST, display_name="A"),
        Kind.FORBIDDEN,
        "sign_in_required",
    ),
    "a name nobody can read": (
        "SignUp",
        lambda over: named(game_pb2.SignUpRequest, over, actor=CONTESTANT, display_name="\n"),
        Kind.INVALID,
        "display_name_malformed",
    ),
    "cancelling what never was": (
        "CancelSignUp",
        lambda over: named(game_pb2.CancelSignUpRequest, over, actor=OTHER),
        Kind.FORBIDDEN,
        "not_a_participant",
    ),
    "cancelling for another": (
        "CancelSignUp",
        lambda over: named(game_pb2.CancelSignUpRequest, over, actor=OTHER, account_id=CONTESTANT.account_id),
        Kind.FORBIDDEN,
        "not_allowed",
    ),
    "a change of somebody who takes no part": (
        "UpdateParticipant",
        lambda over: named(
            game_pb2.UpdateParticipantRequest,
            over,
            actor=ORGANISER,
            account_id=OTHER.account_id,
            kind=game_pb2.PARTICIPANT_KIND_HIDDEN,
        ),
        Kind.FORBIDDEN,
        "not_a_participant",
    ),
    "an adjustment out of all proportion": (
        "UpdateParticipant",
        lambda over: named(
            game_pb2.UpdateParticipantRequest,
            over,
            actor=ORGANISER,
            account_id=OTHER.account_id,
            kind=game_pb2.PARTICIPANT_KIND_HIDDEN,
            penalty_adjustment_minutes=10**6,
        ),
        Kind.INVALID,
        "adjustment_out_of_range",
    ),
    "an extension after the end": (
        "Extend",
        lambda over: named(game_pb2.ExtendRequest, over, actor=ORGANISER, by=duration(DAY)),
        Kind.PRECONDITION,
        "already_ended",
    ),
    "a negative extension": (
        "Extend",
        lambda over: named(game_pb2.ExtendRequest, over, actor=ORGANISER, by=duration(-DAY)),
        Kind.INVALID,
        "extension_not_positive",
    ),
    "an interval without a beginning": (
        "RemoveInterval",
        lambda over: named(game_pb2.RemoveIntervalRequest, over, actor=ORGANISER),
        Kind.INVALID,
        "from_missing",
    ),
    "a reason without an end": (
        "Extend",
        lambda over: named(game_pb2.ExtendRequest, over, actor=ORGANISER, by=duration(DAY), reason="x" * 501),
        Kind.INVALID,
        "reason_malformed",
    ),
    "a crowd of newcomers": (
        "Enrol",
        lambda over: named(
            game_pb2.EnrolRequest,
            over,
            actor=ORGANISER,
            newcomers=[game_pb2.Newcomer(account_id=str(uuid4()), display_name="A")] * 1001,
        ),
        Kind.INVALID,
        "newcomers_too_long",
    ),
    "a newcomer without a name": (
        "Enrol",
        lambda over: named(
            game_pb2.EnrolRequest,
            over,
            actor=ORGANISER,
            newcomers=[game_pb2.Newcomer(account_id=str(uuid4()))],
        ),
        Kind.INVALID,
        "display_name_malformed",
    ),
    "a search without an end": (
        "ListParticipants",
        lambda over: named(game_pb2.ListParticipantsRequest, over, actor=ORGANISER, search="x" * 201),
        Kind.INVALID,
        "search_malformed",
    ),
    "a dry run of nothing": (
        "PreviewRuling",
        lambda over: named(game_pb2.PreviewRulingRequest, over, actor=ORGANISER),
        Kind.INVALID,
        "ruling_missing",
    ),
    "a dry run on a submission that is not there": (
        "PreviewRuling",
        lambda over: named(
            game_pb2.PreviewRulingRequest,
            over,
            actor=ORGANISER,
            ignore=game_pb2.Ignoring(submission_id=str(uuid4()), ignored=True),
        ),
        Kind.NOT_FOUND,
        "not_found",
    ),
    "unfreezing twice": (
        "Unfreeze",
        lambda over: named(game_pb2.UnfreezeRequest, over, actor=ORGANISER),
        Kind.PRECONDITION,
        "not_frozen",
    ),
    "a ruling by a judge": (
        "Finalize",
        lambda over: named(game_pb2.FinalizeRequest, over, actor=JUDGE),
        Kind.FORBIDDEN,
        "not_allowed",
    ),
    "a deletion by a stranger": (
        "Delete",
        lambda over: named(game_pb2.DeleteRequest, over, actor=OTHER, version=1),
        Kind.FORBIDDEN,
        "not_allowed",
    ),
    "a game that is not there": (
        "Get",
        lambda over: named(game_pb2.GetRequest, str(uuid4()), actor=ORGANISER),  # noqa: ARG005 — another one
        Kind.NOT_FOUND,
        "not_found",
    ),
    "a game id that is none": (
        "Get",
        lambda over: named(game_pb2.GetRequest, "regional", actor=ORGANISER),  # noqa: ARG005 — not this one
        Kind.INVALID,
        "game_id_malformed",
    ),
    "an answer to nothing": (
        "Answer",
        lambda over: named(
            game_pb2.AnswerRequest, over, actor=JUDGE, clarification_id=str(uuid4()), answer="Yes."
        ),
        Kind.NOT_FOUND,
        "not_found",
    ),
    "a broadcast of nothing": (
        "Broadcast",
        lambda over: named(
            game_pb2.BroadcastRequest, over, actor=JUDGE, clarification_id=str(uuid4()), text=" "
        ),
        Kind.INVALID,
        "text_empty",
    ),
    "a page too large": (
        "GetScoreboard",
        lambda over: named(
            game_pb2.GetScoreboardRequest, over, actor=GUEST, page=common_pb2.PageRequest(size=501)
        ),
        Kind.INVALID,
        "page_too_large",
    ),
    "a cursor of one's own": (
        "GetScoreboard",
        lambda over: named(
            game_pb2.GetScoreboardRequest, over, actor=GUEST, page=common_pb2.PageRequest(cursor="eCB5")
        ),
        Kind.INVALID,
        "cursor_malformed",
    ),
    "a score for a non-participant": (
        "GetScore",
        lambda over: named(game_pb2.GetScoreRequest, over, actor=GUEST, account_id=CONTESTANT.account_id),
        Kind.FORBIDDEN,
        "not_a_participant",
    ),
}


@pytest.fixture(scope="module")
def made() -> list[str]:
    """The game that all of these calls are about, once it is made."""
    return []


@pytest.mark.parametrize("case", list(CALLS))
async def test_a_call_that_makes_no_sense_is_refused(
    game: GameServiceAsyncStub, shared_url: str, made: list[str], case: str
) -> None:
    """The game is over, was never frozen, and nobody took part."""
    if not made:
        draft = a_draft(timedelta(hours=-6))
        draft.schedule.ClearField("freezes_at")
        made.append((await game.Create(a_create(draft))).game.id)
    method, request, kind, reason = CALLS[case]
    before = contents(shared_url)
    with pytest.raises(RemoteError) as refused:
        await getattr(game, method)(request(made[0]))
    assert (refused.value.kind, refused.value.reason) == (kind, reason)
    assert contents(shared_url) == before
