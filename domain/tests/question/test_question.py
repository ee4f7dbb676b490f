from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.question.limits import Factor, Limits
from deepoj_domain.question.question import Publication, Question, QuestionOutcome, QuestionRefusal
from deepoj_domain.testing import BOB, NOW, QUESTION, some_content

LATER = NOW + timedelta(hours=1)
DRAFT = Question.create(QUESTION, BOB, some_content(), NOW).after
CPP, PYTHON = language_slug("cpp17"), language_slug("python3")
ONE_AND_A_HALF = Factor(150)
SAME = Factor(100)


def _changed(outcome: QuestionOutcome) -> Question:
    assert isinstance(outcome, Changed)
    return outcome.after


def test_a_question_starts_as_a_draft_with_revision_one() -> None:
    created = Question.create(QUESTION, BOB, some_content(), NOW)
    assert (created.after.publication, created.after.current.ref.number) == (Publication.DRAFT, 1)
    expected = QuestionChanged(
        occurred_at=NOW, revision=RevisionRef(QUESTION, 1), change=QuestionChange.CREATED
    )
    assert created.events == (expected,)


def test_an_edit_makes_the_next_revision_and_leaves_the_old_one_alone() -> None:
    first = DRAFT.current
    revised = _changed(DRAFT.revise(some_content("Sum"), based_on=1, now=LATER))
    assert revised.current.ref == RevisionRef(QUESTION, 2)
    assert (revised.current.content.title, revised.current.created_at) == ("Sum", LATER)
    assert first.content.title == "A plus B"


@pytest.mark.parametrize(
    ("question", "title", "based_on", "reason"),
    [
        (DRAFT, "Sum", 7, QuestionRefusal.STALE_REVISION),
        (DRAFT, "A plus B", 1, QuestionRefusal.UNCHANGED),
        (replace(DRAFT, publication=Publication.DELETED), "Sum", 1, QuestionRefusal.DELETED),
    ],
)
def test_an_edit_is_refused_by_name(
    question: Question, title: str, based_on: int, reason: QuestionRefusal
) -> None:
    outcome = question.revise(some_content(title), based_on=based_on, now=LATER)
    assert isinstance(outcome, Refused)
    assert outcome.reason is reason


# from → (publish, hide, delete)
PUBLICATION: dict[Publication, tuple[Publication | QuestionRefusal, ...]] = {
    Publication.DRAFT: (Publication.PUBLISHED, QuestionRefusal.UNCHANGED, Publication.DELETED),
    Publication.PUBLISHED: (QuestionRefusal.UNCHANGED, Publication.DRAFT, Publication.DELETED),
    Publication.DELETED: (QuestionRefusal.DELETED, QuestionRefusal.DELETED, QuestionRefusal.DELETED),
}


@pytest.mark.parametrize("before", list(Publication))
def test_publication_moves_as_its_table_says(before: Publication) -> None:
    question = replace(DRAFT, publication=before)
    outcomes = (question.publish(LATER), question.hide(LATER), question.delete(LATER))
    for outcome, expected in zip(outcomes, PUBLICATION[before], strict=True):
        got = outcome.after.publication if isinstance(outcome, Changed) else outcome.reason
        assert got is expected


def test_a_language_gets_its_factor_unless_the_setter_said_otherwise() -> None:
    own = Limits(cpu_ms=9000, wall_ms=9000, memory_kib=1, output_kib=1)
    content = replace(some_content(), language_limits=((PYTHON, own),))
    assert content.limits_for(PYTHON, ONE_AND_A_HALF, SAME) == own
    scaled = content.limits_for(CPP, ONE_AND_A_HALF, SAME)
    assert (scaled.cpu_ms, scaled.wall_ms, scaled.memory_kib) == (1500, 3000, 262_144)


def test_a_scaled_limit_is_rounded_up() -> None:
    assert Factor(150).of(1) == 2
    assert Factor(100).of(333) == 333


def test_languages_can_be_restricted() -> None:
    content = replace(some_content(), languages=frozenset({CPP}))
    assert content.allows(CPP)
    assert not content.allows(PYTHON)
    assert some_content().allows(PYTHON)


@pytest.mark.parametrize(("cpu", "wall", "memory"), [(0, 1, 1), (2, 1, 1), (1, 1, 0)])
def test_impossible_limits_are_refused(cpu: int, wall: int, memory: int) -> None:
    with pytest.raises(InvalidValueError):
        Limits(cpu_ms=cpu, wall_ms=wall, memory_kib=memory, output_kib=1)


@pytest.mark.parametrize("percent", [0, 10_001])
def test_an_absurd_factor_is_refused(percent: int) -> None:
    with pytest.raises(InvalidValueError):
        Factor(percent)


def test_a_question_needs_a_title_and_a_language() -> None:
    with pytest.raises(InvalidValueError):
        some_content(" ")
    with pytest.raises(InvalidValueError):
        replace(some_content(), languages=frozenset())
