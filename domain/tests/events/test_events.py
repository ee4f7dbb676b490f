"""Events are a contract with every consumer: names, shapes and the golden files that fix them."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from re import fullmatch
from typing import Final

import msgspec
import pytest

import deepoj_domain
from deepoj_domain.account.events import AccountChange, AccountChanged
from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.submission.events import (
    QueueCause,
    SubmissionCancelled,
    SubmissionDied,
    SubmissionEvent,
    SubmissionJudged,
    SubmissionQueued,
    SubmissionStarted,
    SubmissionSubmitted,
    SubmissionSuperseded,
    facts_of,
    outcome_of,
)
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.submission.states import DeathCause
from deepoj_domain.testing import ALICE, NOW, QUESTION, WORKER, a_result, a_submission, uuid

GOLDEN: Final = Path(__file__).parents[1] / "golden"
FACTS = facts_of(a_submission())
OUTCOME = outcome_of(a_result())

EXAMPLES: tuple[DomainEvent, ...] = (
    AccountChanged(occurred_at=NOW, account_id=ALICE, change=AccountChange.ROLE_SET, session_epoch=1),
    QuestionChanged(
        occurred_at=NOW, revision=RevisionRef(QUESTION, 2), version=3, change=QuestionChange.REVISED
    ),
    SubmissionSubmitted(occurred_at=NOW, submission=FACTS),
    SubmissionQueued(
        occurred_at=NOW,
        submission=FACTS,
        lane=Lane.HEAVY,
        band=Band.CONTEST,
        cause=QueueCause.RETRY,
        not_before=NOW,
    ),
    SubmissionStarted(occurred_at=NOW, submission=FACTS, attempt_id=2, worker=WORKER),
    SubmissionJudged(occurred_at=NOW, submission=FACTS, attempt_id=2, outcome=OUTCOME),
    SubmissionDied(
        occurred_at=NOW,
        submission=FACTS,
        cause=DeathCause.ATTEMPTS_EXHAUSTED,
        last_error="worker_lost",
        attempts=3,
    ),
    SubmissionCancelled(occurred_at=NOW, submission=FACTS, cancelled_by=ALICE),
    SubmissionSuperseded(
        occurred_at=NOW, submission=FACTS, archived_id=SubmissionId(uuid(29)), outcome=OUTCOME
    ),
)


def _pretty(event: DomainEvent) -> str:
    return msgspec.json.format(msgspec.json.encode(event), indent=2).decode() + "\n"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda event: event.name)
def test_the_shape_of_an_event_is_the_one_of_its_golden_file(example: DomainEvent) -> None:
    """When this fails, consumers break too: give the new shape a new version instead."""
    assert _pretty(example) == (GOLDEN / f"{example.name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda event: event.name)
def test_an_event_round_trips_through_msgspec(example: DomainEvent) -> None:
    golden = (GOLDEN / f"{example.name}.json").read_bytes()
    assert msgspec.json.decode(golden, type=EVENTS[example.name]) == example


def _with_more(value: object) -> object:
    """Return what a later release may write: the same, and in every object a field that nobody here knows."""
    if isinstance(value, dict):
        return {**{key: _with_more(each) for key, each in value.items()}, "of_a_later_release": {"x": [1]}}
    return [_with_more(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda event: event.name)
def test_an_event_of_a_later_release_is_read_without_what_it_adds(example: DomainEvent) -> None:
    """While a system is updated, both releases hear each other."""
    golden = msgspec.json.decode((GOLDEN / f"{example.name}.json").read_bytes())
    later = msgspec.json.encode(_with_more(golden))
    assert msgspec.json.decode(later, type=EVENTS[example.name]) == example


def test_every_event_has_a_golden_file_and_every_golden_file_an_event() -> None:
    assert {path.name.removesuffix(".json") for path in GOLDEN.iterdir()} == set(EVENTS)
    assert sorted(example.name for example in EXAMPLES) == sorted(EVENTS)


def _declared_events() -> Iterator[type[DomainEvent]]:
    for module_info in walk_packages(deepoj_domain.__path__, prefix="deepoj_domain."):
        for _, member in inspect.getmembers(import_module(module_info.name), inspect.isclass):
            if issubclass(member, DomainEvent) and member not in (DomainEvent, SubmissionEvent):
                yield member


def test_the_registry_holds_every_event_that_is_declared() -> None:
    assert set(_declared_events()) == set(EVENTS.values())


def test_a_name_says_aggregate_event_and_version() -> None:
    for name, event_type in EVENTS.items():
        assert fullmatch(r"[a-z]+\.[a-z_]+\.v[1-9][0-9]*", name)
        assert event_type.name == name


def test_an_event_that_is_not_in_utc_is_refused() -> None:
    with pytest.raises(InvalidValueError):
        SubmissionSubmitted(occurred_at=NOW.replace(tzinfo=None), submission=FACTS)


def test_a_judge_result_with_its_cases_round_trips_too() -> None:
    result = a_result()
    assert msgspec.json.decode(msgspec.json.encode(result), type=type(result)) == result
