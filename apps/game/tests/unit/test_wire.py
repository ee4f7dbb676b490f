"""What crosses the wire: every refusal has its words, and what record says becomes facts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.fact import micros
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_game.commands.ports import CommandRefusal
from deepoj_game.inbound.grpc import encode
from deepoj_game.inbound.grpc.refusals import MESSAGES
from deepoj_game.outbound.grpc.records import VERDICTS, facts_of
from deepoj_game.outbound.passwords import ScryptPasswords
from deepoj_game.queries.paging import cursor_of, page_request
from deepoj_game.queries.views import QueryRefusal
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2

SENT = datetime(2026, 1, 1, 12, tzinfo=UTC)
JUDGED = SENT + timedelta(seconds=3)


def a_submission(status: record_pb2.Status.ValueType, *, rejudged: bool = False) -> record_pb2.Submission:
    key = str(uuid4())
    return record_pb2.Submission(
        id=key,
        origin_id=str(uuid4()) if rejudged else key,
        rejudge_of=str(uuid4()) if rejudged else "",
        account_id=str(uuid4()),
        question_id=str(uuid4()),
        status=status,
        submitted_at=encode.timestamp(SENT),
        finished_at=encode.timestamp(JUDGED),
        result=judging_pb2.JudgeResult(
            verdict=judging_pb2.VERDICT_ACCEPTED,
            score=encode.score(Score.points(7)),
            groups=[judging_pb2.GroupResult(name="all", score=encode.score(Score.points(7)))],
        ),
    )


def test_every_refusal_has_a_message_of_its_own() -> None:
    reasons = {*GameRefusal, *CommandRefusal, *QueryRefusal}
    assert {str(reason) for reason in reasons} <= set(MESSAGES)


def test_every_verdict_crosses_the_wire() -> None:
    assert set(VERDICTS.values()) == set(Verdict)


@pytest.mark.parametrize(
    ("status", "known"),
    [
        (record_pb2.STATUS_PENDING, [(None, False, SENT)]),
        (record_pb2.STATUS_RUNNING, [(None, False, SENT)]),
        (record_pb2.STATUS_DEAD, [(None, False, SENT)]),
        (record_pb2.STATUS_FINISHED, [(None, False, SENT), (Verdict.ACCEPTED, False, JUDGED)]),
        (record_pb2.STATUS_CANCELLED, [(None, False, SENT), (None, True, JUDGED)]),
    ],
)
def test_a_submission_becomes_what_is_known_of_it(
    status: record_pb2.Status.ValueType, known: list[tuple[Verdict | None, bool, datetime]]
) -> None:
    facts = facts_of(a_submission(status))
    assert [(fact.verdict, fact.cancelled, fact.known_us) for fact in facts] == [
        (verdict, cancelled, micros(at)) for verdict, cancelled, at in known
    ]
    assert {fact.submitted_us for fact in facts} == {micros(SENT)}


def test_a_rejudged_submission_adds_its_verdict_alone() -> None:
    [fact] = facts_of(a_submission(record_pb2.STATUS_FINISHED, rejudged=True))
    assert (fact.verdict, fact.score, fact.groups[0].score) == (
        Verdict.ACCEPTED,
        Score.points(7),
        Score.points(7),
    )


def test_a_position_survives_its_cursor() -> None:
    position = ("00ff", str(uuid4()))
    assert page_request(0, cursor_of(position), 2).after == position
    with pytest.raises(InvalidValueError, match="not one that was given out"):
        page_request(0, cursor_of(position), 1)


async def test_a_password_matches_itself_and_is_not_readable() -> None:
    passwords = ScryptPasswords()
    stored = await passwords.hashed("open sesame")
    assert "sesame" not in stored
    assert await passwords.matches("open sesame", stored)
    assert not await passwords.matches("Open sesame", stored)
    assert stored != await passwords.hashed("open sesame"), "a salt of its own"
