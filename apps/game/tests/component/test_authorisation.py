"""Who may call what: every call, by every kind of person, about a running game that is open or private."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from apps.game.tests.contests import (
    ADMIN,
    CONTESTANT,
    GUEST,
    JUDGE,
    ORGANISER,
    OTHER,
    a_create,
    a_draft,
    contestant,
)
from deepoj_domain.testing import uuid
from deepoj_kit.grpc import RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2 as pb

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

ACTORS: Final = {
    "guest": GUEST,
    "stranger": contestant(uuid(9)),
    "setter": common_pb2.Actor(account_id=str(uuid(7)), role=common_pb2.ROLE_SETTER),
    "judge": common_pb2.Actor(account_id=str(uuid(8)), role=common_pb2.ROLE_JUDGE),
    "participant": OTHER,
    "jury": JUDGE,
    "owner": ORGANISER,
    "admin": ADMIN,
}
Answers = tuple[str, ...]
OK: Final = "ok"
SIGN_IN: Final = "sign_in_required"
NO: Final = "not_allowed"
NOTHING: Final = "not_found"
NOT_IN_IT: Final = "not_a_participant"
MISSING: Final = str(uuid4())
FINISH: Final = "not_ended"
# Of a private game those outside do not hear.
READ: Final = ((OK,) * 8, (NOTHING,) * 4 + (OK,) * 4)
TAKE_PART: Final = (SIGN_IN, NOT_IN_IT, NOT_IN_IT, NOT_IN_IT)
OUTSIDE: Final = (SIGN_IN, NOTHING, NOTHING, NOTHING)


def administered(reason: str) -> tuple[Answers, Answers]:
    return (
        (SIGN_IN, NO, NO, NO, NO, NO, reason, reason),
        (SIGN_IN, NOTHING, NOTHING, NOTHING, NO, NO, reason, reason),
    )


def staffed(reason: str, guest: tuple[str, str] = (SIGN_IN, SIGN_IN)) -> tuple[Answers, Answers]:
    return (
        (guest[0], NO, NO, NO, NO, reason, reason, reason),
        (guest[1], NOTHING, NOTHING, NOTHING, NO, reason, reason, reason),
    )


VIEW: Final = pb.BOARD_VIEW_PUBLIC
AWAY: Final = "dependency_unavailable"
ELSEWHERE: Final = "not_a_problem_of_the_game"
# A call without its actor and game, and the answers to the actors above: in an open game, in a private one.
# What is allowed is refused for another reason, and so changes nothing.
TABLE: Final[dict[str, tuple[Message, tuple[Answers, Answers]]]] = {
    "Get": (pb.GetRequest(), READ),
    "List": (pb.ListRequest(), ((OK,) * 8, (OK,) * 8)),
    "Update": (pb.UpdateRequest(version=2**40, draft=a_draft()), administered("version_conflict")),
    "Delete": (pb.DeleteRequest(version=2**40), administered("version_conflict")),
    "Extend": (pb.ExtendRequest(), administered("extension_not_positive")),
    "Unfreeze": (pb.UnfreezeRequest(), administered(FINISH)),
    "Finalize": (pb.FinalizeRequest(), administered(FINISH)),
    "IgnoreSubmission": (pb.IgnoreSubmissionRequest(submission_id=MISSING), administered(NOTHING)),
    "RecomputeScores": (pb.RecomputeScoresRequest(), administered(OK)),
    "Reopen": (pb.ReopenRequest(), administered("not_finalized")),
    "GetWork": (pb.GetWorkRequest(work_id=MISSING), staffed(NOTHING, (NO, NOTHING))),
    "ListWork": (pb.ListWorkRequest(), staffed(OK, (NO, NOTHING))),
    "ListRulings": (pb.ListRulingsRequest(), staffed(OK, (NO, NOTHING))),
    "PreviewRuling": (
        pb.PreviewRulingRequest(extend=Duration()),
        (
            (NO, NO, NO, NO, NO, NO, *("extension_not_positive",) * 2),
            (NOTHING, NOTHING, NOTHING, NOTHING, NO, NO, *("extension_not_positive",) * 2),
        ),
    ),
    "ListUndecided": (pb.ListUndecidedRequest(), staffed(OK, (NO, NOTHING))),
    "ListIgnored": (pb.ListIgnoredRequest(), staffed(OK, (NO, NOTHING))),
    "Enrol": (pb.EnrolRequest(), administered(OK)),
    "UpdateParticipant": (
        pb.UpdateParticipantRequest(account_id=MISSING, kind=pb.PARTICIPANT_KIND_HIDDEN),
        administered(NOT_IN_IT),
    ),
    "CancelSignUp of another": (pb.CancelSignUpRequest(account_id=MISSING), administered(NOT_IN_IT)),
    "CancelSignUp": (
        pb.CancelSignUpRequest(),
        (
            (*TAKE_PART, "withdrawal_closed", *(NOT_IN_IT,) * 3),
            (*OUTSIDE, "withdrawal_closed", *(NOT_IN_IT,) * 3),
        ),
    ),
    "SignUp": (
        pb.SignUpRequest(display_name="Me", virtual=True),
        (
            (SIGN_IN, *("virtual_not_allowed",) * 3, "already_signed_up", *("virtual_not_allowed",) * 3),
            (*OUTSIDE, "already_signed_up", *("virtual_not_allowed",) * 3),
        ),
    ),
    "CheckEntry": (
        pb.CheckEntryRequest(question_id=MISSING),
        (
            (*TAKE_PART, ELSEWHERE, *(NOT_IN_IT,) * 3),
            (*OUTSIDE, ELSEWHERE, *(NOT_IN_IT,) * 3),
        ),
    ),
    "ListParticipants": (pb.ListParticipantsRequest(), READ),
    "Ask": (
        pb.AskRequest(clarification_id=MISSING, question_id=MISSING, text="?"),
        ((*TAKE_PART, ELSEWHERE, *(NOT_IN_IT,) * 3), (*OUTSIDE, ELSEWHERE, *(NOT_IN_IT,) * 3)),
    ),
    "Answer": (pb.AnswerRequest(clarification_id=MISSING, answer="No."), staffed(NOTHING)),
    "Broadcast": (
        pb.BroadcastRequest(clarification_id=MISSING, question_id=MISSING, text="?"),
        staffed(ELSEWHERE),
    ),
    "ListClarifications": (pb.ListClarificationsRequest(), READ),
    "GetScoreboard": (pb.GetScoreboardRequest(view=VIEW), READ),
    "GetScoreboard in full": (
        pb.GetScoreboardRequest(view=pb.BOARD_VIEW_ADMIN),
        (
            (*("access_denied",) * 5, OK, OK, OK),
            (NOTHING, NOTHING, NOTHING, NOTHING, "access_denied", OK, OK, OK),
        ),
    ),
    "GetScore": (pb.GetScoreRequest(account_id=CONTESTANT.account_id), READ),
    "ExplainRank": (
        pb.ExplainRankRequest(account_id=CONTESTANT.account_id),
        ((NO, NO, NO, NO, NO, OK, OK, OK), (NOTHING, NOTHING, NOTHING, NOTHING, NO, OK, OK, OK)),
    ),
    "ExportScoreboard": (pb.ExportScoreboardRequest(view=VIEW, format=pb.EXPORT_FORMAT_CSV), READ),
    "WatchScoreboard": (
        pb.WatchScoreboardRequest(view=VIEW, after_sequence=2**40),
        (("sequence_ahead",) * 8, (NOTHING,) * 4 + ("sequence_ahead",) * 4),
    ),
    "PreviewRejudge": (pb.PreviewRejudgeRequest(rejudge_id=MISSING), staffed(AWAY, guest=(NO, NOTHING))),
}


@pytest.fixture
async def games(game: GameServiceAsyncStub) -> tuple[str, str]:
    """Make an open game and a private one, both running, with two participants."""
    made = []
    for private in (False, True):
        draft = a_draft(timedelta(hours=-1))
        draft.entry.CopyFrom(pb.Entry(private=private, during_contest=True))
        draft.invited_ids.extend([CONTESTANT.account_id, OTHER.account_id] if private else [])
        game_id = (await game.Create(a_create(draft))).game.id
        for each in (CONTESTANT, OTHER):
            await game.SignUp(pb.SignUpRequest(actor=each, game_id=game_id, display_name="Me"))
        made.append(game_id)
    return made[0], made[1]


async def answer(game: GameServiceAsyncStub, call: str, actor: common_pb2.Actor, game_id: str) -> str:
    template, _ = TABLE[call]
    request: Any = type(template)()
    request.CopyFrom(template)
    request.actor.CopyFrom(actor)
    if "game_id" in request.DESCRIPTOR.fields_by_name:
        request.game_id = game_id
    answered: Any = getattr(game, call.partition(" ")[0])(request)
    try:
        if hasattr(answered, "__aiter__"):
            await anext(aiter(answered))
        else:
            await answered
    except RemoteError as error:
        return error.reason
    return OK


@pytest.mark.parametrize("call", TABLE)
async def test_what_each_may_do_in_an_open_and_in_a_private_game(
    game: GameServiceAsyncStub, games: tuple[str, str], call: str
) -> None:
    async def answers(game_id: str) -> Answers:
        return tuple([await answer(game, call, actor, game_id) for actor in ACTORS.values()])

    assert await asyncio.gather(*map(answers, games)) == list(TABLE[call][1])


async def test_who_makes_a_game(game: GameServiceAsyncStub) -> None:
    for who, actor in ACTORS.items():
        request = a_create(a_draft(problems=0))
        request.actor.CopyFrom(actor)
        if who in {"setter", "judge", "owner", "admin"}:
            assert (await game.Create(request)).game.owner_id == actor.account_id
        else:
            with pytest.raises(RemoteError) as refused:
                await game.Create(request)
            assert refused.value.reason == (SIGN_IN if who == "guest" else NO)


async def test_an_interval_is_removed_by_those_who_administer(
    game: GameServiceAsyncStub, games: tuple[str, str]
) -> None:
    start = (await game.Get(pb.GetRequest(actor=ADMIN, game_id=games[0]))).game.schedule.starts_at
    outside = pb.Interval()
    outside.before.CopyFrom(start)
    getattr(outside, "from").FromSeconds(start.seconds - 60)
    for who, actor in ACTORS.items():
        request = pb.RemoveIntervalRequest(actor=actor, game_id=games[0], interval=outside)
        with pytest.raises(RemoteError) as refused:
            await game.RemoveInterval(request)
        may = who in {"owner", "admin"}
        assert refused.value.reason == ("interval_outside" if may else SIGN_IN if who == "guest" else NO)
        back = pb.RestoreIntervalRequest(actor=actor, game_id=games[0], interval=outside)
        with pytest.raises(RemoteError) as refused:
            await game.RestoreInterval(back)
        assert refused.value.reason == ("not_removed" if may else SIGN_IN if who == "guest" else NO)


def test_the_table_knows_every_call() -> None:
    calls = set(pb.DESCRIPTOR.services_by_name["GameService"].methods_by_name)
    # The last two are asked by record, for whoever asked record; their answers are no game's secret.
    elsewhere = {"Create", "RemoveInterval", "RestoreInterval", "CheckSight", "ListSealed"}
    assert calls <= {call.partition(" ")[0] for call in TABLE} | elsewhere
