from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.question.question import Publication, Question, QuestionOutcome, QuestionRefusal
from deepoj_domain.testing import ALICE, BOB, NOW, QUESTION, a_listing, a_question, some_content

LATER = NOW + timedelta(hours=1)
DRAFT = a_question()


def _changed(outcome: QuestionOutcome) -> Question:
    assert isinstance(outcome, Changed)
    return outcome.after


def test_a_question_starts_as_a_draft_with_revision_one() -> None:
    created = Question.create(QUESTION, BOB, a_listing(), some_content(), NOW)
    assert (created.after.publication, created.after.current.ref.number) == (Publication.DRAFT, 1)
    expected = QuestionChanged(
        occurred_at=NOW, revision=RevisionRef(QUESTION, 1), version=1, change=QuestionChange.CREATED
    )
    assert created.events == (expected,)


def test_an_edit_makes_the_next_revision_and_leaves_the_old_one_alone() -> None:
    first = DRAFT.current
    revised = _changed(DRAFT.edit(a_listing(), some_content("Sum"), by=ALICE, version=1, now=LATER))
    assert (revised.current.ref, revised.version) == (RevisionRef(QUESTION, 2), 2)
    assert revised.current.content.presentation.title == "Sum"
    assert (revised.current.made_by, revised.current.made_at, revised.created_at) == (ALICE, LATER, NOW)
    assert first.content.presentation.title == "A plus B"


def test_another_slug_or_tag_makes_no_revision_but_a_new_version() -> None:
    outcome = DRAFT.edit(a_listing("sum"), some_content(), by=BOB, now=LATER)
    assert isinstance(outcome, Changed)
    assert (outcome.after.current, outcome.after.version) == (DRAFT.current, 2)
    [event] = outcome.events
    assert isinstance(event, QuestionChanged)
    assert (event.change, event.version) == (QuestionChange.RELISTED, 2)


@pytest.mark.parametrize(
    ("question", "title", "version", "reason"),
    [
        (DRAFT, "Sum", 7, QuestionRefusal.STALE_VERSION),
        (DRAFT, "A plus B", 1, QuestionRefusal.UNCHANGED),
        (replace(DRAFT, publication=Publication.DELETED), "Sum", 1, QuestionRefusal.DELETED),
    ],
)
def test_an_edit_is_refused_by_name(
    question: Question, title: str, version: int, reason: QuestionRefusal
) -> None:
    outcome = question.edit(a_listing(), some_content(title), by=BOB, version=version, now=LATER)
    assert isinstance(outcome, Refused)
    assert outcome.reason is reason


def test_a_deletion_names_the_version_it_was_decided_on() -> None:
    outcome = DRAFT.delete(LATER, version=7)
    assert isinstance(outcome, Refused)
    assert outcome.reason is QuestionRefusal.STALE_VERSION
    assert _changed(DRAFT.delete(LATER, version=1)).publication is Publication.DELETED


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
