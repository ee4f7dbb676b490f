"""What submit accepts, refuses and stores."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from apps.record.tests.fakes import (
    MemoryCatalogue,
    MemoryGames,
    MemoryJournal,
    MemoryLanguages,
    MemorySubmissions,
)
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.events import SubmissionQueued, SubmissionSubmitted
from deepoj_domain.submission.route import Band, Lane, Route
from deepoj_domain.submission.states import Status
from deepoj_domain.testing import ALICE, BOB, GAME, NOW, QUESTION
from deepoj_record.commands.ports import EntryRefused, GameEntry, LanguageFacts, QuestionFacts
from deepoj_record.commands.submit import Accepted, Submit, SubmitPolicy, SubmitRequest

CPP, PYTHON = language_slug("cpp17"), language_slug("python3")
RUST = language_slug("rust")
POLICY = SubmitPolicy(source_bytes=100)


class Stage:
    def __init__(self) -> None:
        self.submissions, self.journal = MemorySubmissions(), MemoryJournal()
        facts = QuestionFacts(revision=RevisionRef(QUESTION, 7), languages=frozenset(), source_bytes=None)
        self.catalogue = MemoryCatalogue({QUESTION: facts})
        self.games = MemoryGames()
        known = {
            CPP: LanguageFacts(lane=Lane.HEAVY),
            PYTHON: LanguageFacts(lane=Lane.LIGHT),
            RUST: LanguageFacts(lane=Lane.HEAVY, is_missing=True, install_hint="apt install rustc"),
        }
        self.submit = Submit(
            self.submissions,
            self.catalogue,
            MemoryLanguages(known),
            self.games,
            self.journal,
            POLICY,
            lambda: NOW,
        )


@pytest.fixture
def stage() -> Stage:
    return Stage()


async def test_a_submission_is_pending_with_the_newest_revision_and_its_events(stage: Stage) -> None:
    wanted = a_request()
    assert await stage.submit(wanted) == Accepted(wanted.submission_id, repeated=False)
    stored = stage.submissions.rows[wanted.submission_id].submission
    assert (stored.status, stored.attempt_id, stored.order.revision.number) == (Status.PENDING, 0, 7)
    assert [type(event) for event in stage.submissions.events] == [SubmissionSubmitted, SubmissionQueued]
    assert stage.journal.lines == [("submit", "PENDING")]


@pytest.mark.parametrize(
    ("language", "game", "route"),
    [
        ("cpp17", False, Route(Lane.HEAVY, Band.NORMAL)),
        ("python3", False, Route(Lane.LIGHT, Band.NORMAL)),
        ("python3", True, Route(Lane.LIGHT, Band.CONTEST)),
    ],
)
async def test_the_language_chooses_the_lane_and_a_game_the_band(
    stage: Stage, language: str, route: Route, *, game: bool
) -> None:
    wanted = replace(a_request(), language=language, game_id=GAME if game else None)
    await stage.submit(wanted)
    assert stage.submissions.rows[wanted.submission_id].submission.route == route
    assert stage.catalogue.asked == [(QUESTION, wanted.actor, game)]


async def test_idempotent_enqueue_single_job(stage: Stage) -> None:
    first = a_request(key="k")
    await stage.submit(first)
    again = replace(a_request(key="k"), submission_id=SubmissionId(uuid4()))
    assert await stage.submit(again) == Accepted(first.submission_id, repeated=True)
    assert len(stage.submissions.rows) == 1
    assert sum(isinstance(event, SubmissionQueued) for event in stage.submissions.events) == 1
    assert stage.journal.lines[-1] == ("submit", "repeated")


async def test_what_is_only_to_be_repeated_is_answered_as_before_or_not_at_all(stage: Stage) -> None:
    first = a_request(key="k")
    again = replace(first, submission_id=SubmissionId(uuid4()), only_repeat=True)
    assert refusal(await stage.submit(again)) == "not_submitted"
    await stage.submit(first)
    assert await stage.submit(again) == Accepted(first.submission_id, repeated=True)
    assert refusal(await stage.submit(replace(again, source="other"))) == "not_submitted"
    assert len(stage.submissions.rows) == 1


async def test_without_a_key_the_submission_id_is_the_key(stage: Stage) -> None:
    wanted = a_request(key="")
    await stage.submit(wanted)
    assert await stage.submit(wanted) == Accepted(wanted.submission_id, repeated=True)


@pytest.mark.parametrize("change", [{"source": "other"}, {"language": "python3"}, {"game_id": GAME}])
async def test_a_key_with_another_body_is_a_conflict(stage: Stage, change: dict[str, object]) -> None:
    await stage.submit(a_request(key="k"))
    outcome = await stage.submit(replace(a_request(key="k"), **change))  # type: ignore[arg-type]  # the cases
    assert refusal(outcome) == "idempotency_key_reused"
    assert len(stage.submissions.rows) == 1


async def test_a_key_belongs_to_one_account(stage: Stage) -> None:
    await stage.submit(a_request(key="k"))
    other = replace(a_request(key="k"), actor=Actor(BOB, Role.CONTESTANT))
    assert await stage.submit(other) == Accepted(other.submission_id, repeated=False)


async def test_an_id_of_somebody_else_is_refused(stage: Stage) -> None:
    first = a_request(key="a")
    await stage.submit(first)
    taken = replace(a_request(key="b"), submission_id=first.submission_id)
    assert refusal(await stage.submit(taken)) == "submission_id_taken"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"language": "cobol"}, "unknown_language"),
        ({"question_id": uuid4()}, "unknown_question"),
    ],
)
async def test_what_does_not_exist_is_refused_and_nothing_is_stored(
    stage: Stage, change: dict[str, object], reason: str
) -> None:
    assert refusal(await stage.submit(replace(a_request(), **change))) == reason  # type: ignore[arg-type]  # the cases
    assert stage.submissions.rows == {}
    assert stage.journal.lines == [("submit", reason)]


async def test_a_question_may_restrict_its_languages(stage: Stage) -> None:
    facts = stage.catalogue.questions[QUESTION]
    stage.catalogue.questions[QUESTION] = replace(facts, languages=frozenset({PYTHON}))
    assert refusal(await stage.submit(a_request())) == "language_not_allowed"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"source": ""}, "source_empty"),
        ({"source": " \n\t"}, "source_empty"),
        ({"source": "a\0b"}, "source_has_nul"),
        ({"source": "x" * 101}, "source_too_large"),
        ({"source": "é" * 51}, "source_too_large"),
        ({"language": "C++ 17"}, "language_malformed"),
        ({"idempotency_key": "a b"}, "idempotency_key_malformed"),
        ({"idempotency_key": "k" * 129}, "idempotency_key_malformed"),
    ],
)
async def test_malformed_input_is_refused_by_name_and_nothing_is_stored(
    stage: Stage, change: dict[str, object], code: str
) -> None:
    with pytest.raises(InvalidValueError) as refused:
        await stage.submit(replace(a_request(), **change))  # type: ignore[arg-type]  # the cases
    assert refused.value.code == code
    assert stage.submissions.rows == {}


async def test_a_question_may_lower_the_size_but_not_raise_it(stage: Stage) -> None:
    facts = stage.catalogue.questions[QUESTION]
    for limit, size in ((10, 11), (1000, 101)):
        stage.catalogue.questions[QUESTION] = replace(facts, source_bytes=limit)
        with pytest.raises(InvalidValueError, match="larger than"):
            await stage.submit(replace(a_request(), source="x" * size))


async def test_a_language_that_no_judge_host_has_is_refused_with_how_to_get_it(stage: Stage) -> None:
    outcome = await stage.submit(replace(a_request(), language="rust"))
    assert refusal(outcome) == "language_not_installed"
    assert isinstance(outcome, Refused)
    assert outcome.detail == "rust (apt install rustc)"
    assert stage.submissions.rows == {}


async def test_the_game_is_asked_and_its_refusal_is_passed_on(stage: Stage) -> None:
    wanted = replace(a_request(), game_id=GAME)
    stage.games.answer = EntryRefused("precondition", "not_signed_up", "sign up first")
    assert await stage.submit(wanted) == stage.games.answer
    assert stage.games.asked == [(wanted.actor, GAME, QUESTION)]
    assert stage.submissions.rows == {}
    assert stage.journal.lines == [("submit", "not_entered")]


async def test_a_submission_sent_again_after_the_games_end_is_the_one_it_took(stage: Stage) -> None:
    first = replace(a_request(key="k"), game_id=GAME)
    await stage.submit(first)
    stage.games.answer = EntryRefused("precondition", "game_over", "the game is over")
    again = replace(a_request(key="k"), game_id=GAME)
    assert await stage.submit(again) == Accepted(first.submission_id, repeated=True)
    other = replace(again, source="int main() { return 1; }")
    assert await stage.submit(other) == stage.games.answer


async def test_what_is_sent_to_a_game_after_its_end_does_not_hurry(stage: Stage) -> None:
    stage.games.answer = GameEntry(is_live=False)
    wanted = replace(a_request(), game_id=GAME)
    await stage.submit(wanted)
    assert stage.submissions.rows[wanted.submission_id].submission.route.band is Band.NORMAL


def a_request(key: str = "key") -> SubmitRequest:
    return SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key=key,
        question_id=QUESTION,
        game_id=None,
        language="cpp17",
        source="int main() {}",
    )


def refusal(outcome: object) -> str:
    assert isinstance(outcome, Refused)
    return str(outcome.reason)
