"""The log: which fact holds, whatever came when, and what was known at a moment of the past."""

from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.game.scoring.fact import Fact, fact_of, heads, micros, moment
from deepoj_domain.game.scoring.testing import at, cancelled, rejudged, sent
from deepoj_domain.kernel.errors import BrokenInvariantError, InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.events import (
    SubmissionCancelled,
    SubmissionDied,
    SubmissionEvent,
    SubmissionFacts,
    SubmissionJudged,
    SubmissionStarted,
    SubmissionSubmitted,
    SubmissionSuperseded,
    facts_of,
    outcome_of,
)
from deepoj_domain.submission.states import DeathCause
from deepoj_domain.submission.submission import Standing
from deepoj_domain.testing import (
    ALICE,
    GAME,
    NOW,
    QUESTION,
    SUBMISSION,
    WORKER,
    a_result,
    a_submission,
    uuid,
)

AC, WA = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
(WAITING,) = sent("?@10")
(JUDGED,) = sent("WA@10")
REJUDGED = rejudged(JUDGED, AC, 50)
AGAIN = rejudged(JUDGED, WA, 60)
REPLAYED = rejudged(JUDGED, None, 40)
CANCELLED = cancelled(JUDGED, 11)


@pytest.mark.parametrize(
    ("facts", "holds"),
    [
        ([WAITING], WAITING),
        ([WAITING, JUDGED], JUDGED),
        ([WAITING, JUDGED, REJUDGED], REJUDGED),
        ([WAITING, JUDGED, REJUDGED, AGAIN], AGAIN),
        ([WAITING, REPLAYED], REPLAYED),
        ([WAITING, REPLAYED, REJUDGED], REJUDGED),
        ([WAITING, CANCELLED], CANCELLED),
        ([WAITING, replace(JUDGED, known_us=WAITING.known_us)], replace(JUDGED, known_us=WAITING.known_us)),
    ],
    ids=["sent", "judged", "rejudged", "twice", "replayed", "replay judged", "cancelled", "same instant"],
)
def test_the_latest_knowledge_holds_in_whatever_order_it_came(facts: list[Fact], holds: Fact) -> None:
    assert heads(facts) == [holds]
    assert heads(facts[::-1]) == [holds]
    assert heads(facts + facts) == [holds]


@pytest.mark.parametrize(
    ("minute", "verdicts"),
    [
        (9.9, []),
        (10, [None]),
        (10.1, [None]),
        (10.2, [WA]),
        (49.9, [WA]),
        (50, [AC]),
        (60, [WA]),
    ],
)
def test_a_cut_log_says_what_was_known_then(minute: float, verdicts: list[Verdict | None]) -> None:
    log = [WAITING, JUDGED, REJUDGED, AGAIN]
    assert [fact.verdict for fact in heads(log, at(minute))] == verdicts
    assert [fact.verdict for fact in heads(log[1:], at(minute))] == verdicts


def test_what_is_cut_away_leaves_no_trace() -> None:
    judged = sent("AC@10/40+60")
    (then,) = heads([cancelled(judged[0], 11), *judged], at(10))
    assert (then.verdict, then.score, then.groups, then.cancelled) == (None, Score(0), (), False)


def test_heads_come_in_order_of_submission() -> None:
    log = sent("AC@30 WA@10 WA@20")
    assert [fact.submitted_us for fact in heads(log)] == [at(10), at(20), at(30)]


def test_nothing_is_known_before_a_submission_exists() -> None:
    with pytest.raises(BrokenInvariantError):
        replace(JUDGED, known_us=JUDGED.submitted_us - 1)


def test_a_script_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(InvalidValueError):
        sent("WA@")


def test_microseconds_are_exact() -> None:
    later = NOW + timedelta(days=400, microseconds=1)
    assert micros(later) - micros(NOW) == 400 * 86_400_000_000 + 1
    assert moment(micros(later)) == later


SENT: SubmissionFacts = replace(facts_of(a_submission()), game_id=GAME)
CANDIDATE = replace(SENT, standing=Standing.CANDIDATE)
LATER = NOW + timedelta(seconds=9)
OUTCOME = outcome_of(a_result())
SUPERSEDED = SubmissionSuperseded(
    occurred_at=LATER, submission=SENT, archived_id=SubmissionId(uuid(29)), outcome=OUTCOME
)
KNOWN = Fact(
    submission_id=SUBMISSION,
    origin_id=SUBMISSION,
    account_id=ALICE,
    question_id=QUESTION,
    submitted_us=micros(NOW),
    known_us=micros(LATER),
    verdict=AC,
    score=OUTCOME.score,
    groups=OUTCOME.groups,
)
JUST_SENT = Fact(
    submission_id=SUBMISSION,
    origin_id=SUBMISSION,
    account_id=ALICE,
    question_id=QUESTION,
    submitted_us=micros(NOW),
    known_us=micros(NOW),
)
DIED = SubmissionDied(
    occurred_at=LATER, submission=SENT, cause=DeathCause.POISON, last_error="unknown", attempts=1
)


@pytest.mark.parametrize(
    ("event", "fact"),
    [
        (SubmissionSubmitted(occurred_at=LATER, submission=SENT), JUST_SENT),
        (SubmissionJudged(occurred_at=LATER, submission=SENT, attempt_id=1, outcome=OUTCOME), KNOWN),
        (SUPERSEDED, KNOWN),
        (replace(SUPERSEDED, outcome=None), replace(JUST_SENT, known_us=micros(LATER))),
        (
            SubmissionCancelled(occurred_at=LATER, submission=SENT, cancelled_by=ALICE),
            replace(JUST_SENT, known_us=micros(LATER), cancelled=True),
        ),
        (SubmissionJudged(occurred_at=LATER, submission=CANDIDATE, attempt_id=1, outcome=OUTCOME), None),
        (replace(SUPERSEDED, submission=replace(SENT, game_id=None)), None),
        (SubmissionStarted(occurred_at=LATER, submission=SENT, attempt_id=1, worker=WORKER), None),
        (DIED, None),
    ],
    ids=[
        "submitted",
        "judged",
        "superseded",
        "replayed dead letter",
        "cancelled",
        "a candidate of a rejudge",
        "outside any game",
        "started",
        "dead: undecided until it is replayed",
    ],
)
def test_what_an_event_adds_to_the_log(event: SubmissionEvent, fact: Fact | None) -> None:
    assert fact_of(event) == fact


def test_a_clock_that_runs_behind_does_not_break_the_log() -> None:
    early = SubmissionJudged(
        occurred_at=NOW - timedelta(milliseconds=3), submission=SENT, attempt_id=1, outcome=OUTCOME
    )
    assert fact_of(early) == replace(KNOWN, known_us=micros(NOW))
