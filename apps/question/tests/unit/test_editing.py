"""Create, edit, publish and delete: who may, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum

import pytest

from apps.question.tests.fakes import (
    MemoryJournal,
    MemoryObjects,
    MemoryPages,
    MemoryQuestions,
    nothing,
)
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.checker import SourceFile
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.question.limits import MOST_DATA_BYTES
from deepoj_domain.question.presentation import Asset
from deepoj_domain.question.question import Publication, Question, QuestionRefusal
from deepoj_domain.testing import ALICE, BOB, QUESTION, ROOT, a_listing, some_content, uuid
from deepoj_kit.testing.conditions import ManualClock
from deepoj_question.commands.create import Create
from deepoj_question.commands.delete import Delete
from deepoj_question.commands.draft import CheckedSuite, Draft
from deepoj_question.commands.optimistic_update import Changing, Outcome
from deepoj_question.commands.ports import CommandRefusal, ContendedError
from deepoj_question.commands.put_object import PutObject
from deepoj_question.commands.set_enabled import SetEnabled
from deepoj_question.commands.update import Update

SETTER = Actor(BOB, Role.SETTER)
OTHER_SETTER = Actor(ALICE, Role.SETTER)
CONTESTANT = Actor(ALICE, Role.CONTESTANT)
JUDGE = Actor(AccountId(uuid(5)), Role.JUDGE)
PICTURE = Asset("a.png", "image/png", hash_of(b"png"), 3)


def a_draft(title: str = "A plus B", slug: str = "a-plus-b") -> Draft:
    content = some_content(title)
    judging = content.judging
    return Draft(
        listing=a_listing(slug),
        presentation=content.presentation,
        languages=None,
        allowance=judging.allowance,
        tests=CheckedSuite(judging.suite, judging.checker),
    )


@dataclass
class Desk:
    questions: MemoryQuestions = field(default_factory=MemoryQuestions)
    objects: MemoryObjects = field(
        default_factory=lambda: MemoryObjects({hash_of(each): each for each in (b"in", b"out")})
    )
    pages: MemoryPages = field(default_factory=MemoryPages)
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self) -> None:
        changing = Changing(self.questions, self.pages, self.journal)
        self.create = Create(self.questions, self.objects, self.pages, self.journal, self.clock)
        self.update = Update(self.questions, changing, self.objects, self.clock)
        self.delete = Delete(changing, self.clock)
        self.set_enabled = SetEnabled(changing, self.clock)

    async def with_question(self, *, published: bool = False) -> Question:
        question = await self.create(SETTER, QUESTION, a_draft())
        assert isinstance(question, Question)
        return made(await self.set_enabled(SETTER, QUESTION, enabled=True)) if published else question

    def changes(self) -> list[QuestionChange]:
        return [event.change for event in self.questions.events if isinstance(event, QuestionChanged)]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def made(outcome: Outcome) -> Question:
    assert isinstance(outcome, Question)
    return outcome


def reason(outcome: Outcome | Refused[CommandRefusal]) -> StrEnum:
    assert isinstance(outcome, Refused)
    return outcome.reason


async def test_a_setter_creates_a_hidden_question_of_their_own(desk: Desk) -> None:
    question = await desk.with_question()
    assert (question.owner, question.publication, question.version) == (BOB, Publication.DRAFT, 1)
    assert desk.changes() == [QuestionChange.CREATED]
    assert desk.journal.lines == [question]


async def test_creating_the_same_again_changes_nothing(desk: Desk) -> None:
    question = await desk.with_question()
    assert await desk.create(SETTER, QUESTION, a_draft()) == question
    assert desk.changes() == [QuestionChange.CREATED]
    assert reason(await desk.create(SETTER, QUESTION, a_draft("Sum"))) is CommandRefusal.QUESTION_ID_TAKEN
    other = QuestionId(uuid(11))
    assert reason(await desk.create(SETTER, other, a_draft())) is CommandRefusal.SLUG_TAKEN


async def test_a_question_without_tests_or_with_missing_files_is_not_created(desk: Desk) -> None:
    bare = replace(a_draft(), tests=None)
    assert reason(await desk.create(SETTER, QUESTION, bare)) is CommandRefusal.JUDGING_MISSING
    del desk.objects.contents[hash_of(b"out")]
    assert reason(await desk.create(SETTER, QUESTION, a_draft())) is CommandRefusal.OBJECT_MISSING
    assert desk.questions.rows == {}


async def test_an_asset_has_the_size_of_its_file(desk: Desk) -> None:
    draft = a_draft()
    shown = replace(draft, presentation=replace(draft.presentation, assets=(replace(PICTURE, size=9),)))
    desk.objects.contents[PICTURE.content] = b"png"
    assert reason(await desk.create(SETTER, QUESTION, shown)) is CommandRefusal.OBJECT_SIZE_WRONG


async def test_files_of_a_case_are_stored_and_fit_a_box(desk: Desk) -> None:
    draft, file = a_draft(), SourceFile("map.txt", hash_of(b"map"))
    assert draft.tests is not None
    suite = draft.tests.suite
    cases = tuple(replace(case, files=(file,)) for case in suite.cases)
    filed = replace(draft, tests=replace(draft.tests, suite=replace(suite, cases=cases)))
    assert reason(await desk.create(SETTER, QUESTION, filed)) is CommandRefusal.OBJECT_MISSING
    desk.objects.contents[file.content] = bytes(MOST_DATA_BYTES + 1)
    assert reason(await desk.create(SETTER, QUESTION, filed)) is CommandRefusal.CASE_FILES_TOO_LARGE
    desk.objects.contents[file.content] = bytes(MOST_DATA_BYTES)
    assert made(await desk.create(SETTER, QUESTION, filed)).current.content.judging.suite.cases == cases


async def test_an_edit_makes_a_revision_and_the_same_edit_again_does_not(desk: Desk) -> None:
    await desk.with_question()
    desk.clock.advance(seconds=60)
    revised = made(await desk.update(SETTER, QUESTION, 1, a_draft("Sum")))
    assert (revised.current.ref.number, revised.version) == (2, 2)
    assert revised.updated_at - revised.created_at == timedelta(minutes=1)
    assert made(await desk.update(SETTER, QUESTION, 2, a_draft("Sum"))) == revised
    assert desk.changes() == [QuestionChange.CREATED, QuestionChange.REVISED]


async def test_an_edit_keeps_limits_and_tests_it_does_not_name(desk: Desk) -> None:
    question = await desk.with_question()
    desk.objects.contents.clear()
    revised = made(
        await desk.update(SETTER, QUESTION, 1, replace(a_draft("Sum"), allowance=None, tests=None))
    )
    assert revised.current.content.judging == question.current.content.judging
    assert revised.current.content.presentation.title == "Sum"


async def test_an_edit_of_an_older_version_is_refused(desk: Desk) -> None:
    await desk.with_question()
    await desk.update(SETTER, QUESTION, 1, a_draft("Sum"))
    outcome = await desk.update(SETTER, QUESTION, 1, a_draft("Total"))
    assert reason(outcome) is QuestionRefusal.STALE_VERSION


async def test_of_two_editors_at_the_same_time_the_slower_one_is_refused(desk: Desk) -> None:
    await desk.with_question()

    async def faster() -> None:
        desk.questions.interfere = nothing
        await desk.update(SETTER, QUESTION, 1, a_draft("Sum"))

    desk.questions.interfere = faster
    outcome = await desk.update(SETTER, QUESTION, 1, a_draft("Total"))
    assert reason(outcome) is QuestionRefusal.STALE_VERSION
    assert desk.questions.rows[QUESTION].current.content.presentation.title == "Sum"


async def test_publishing_while_others_edit_is_decided_anew_and_given_up_in_the_end(desk: Desk) -> None:
    await desk.with_question()

    async def once() -> None:
        desk.questions.interfere = nothing
        await desk.update(SETTER, QUESTION, 1, a_draft("Sum"))

    desk.questions.interfere = once
    published = made(await desk.set_enabled(SETTER, QUESTION, enabled=True))
    assert (published.publication, published.version) == (Publication.PUBLISHED, 3)

    async def always() -> None:
        before = desk.questions.rows[QUESTION]
        outcome = before.edit(
            a_listing(f"v{before.version}"), before.current.content, by=BOB, now=desk.clock()
        )
        assert isinstance(outcome, Changed)
        desk.questions.rows[QUESTION] = outcome.after

    desk.questions.interfere = always
    with pytest.raises(ContendedError):
        await desk.set_enabled(SETTER, QUESTION, enabled=False)


async def test_publishing_twice_is_publishing_once(desk: Desk) -> None:
    question = await desk.with_question(published=True)
    assert made(await desk.set_enabled(SETTER, QUESTION, enabled=True)) == question
    assert desk.changes() == [QuestionChange.CREATED, QuestionChange.PUBLISHED]


async def test_a_deleted_question_is_gone(desk: Desk) -> None:
    await desk.with_question()
    assert reason(await desk.delete(SETTER, QUESTION, 7)) is QuestionRefusal.STALE_VERSION
    assert made(await desk.delete(SETTER, QUESTION, 1)).publication is Publication.DELETED
    assert reason(await desk.delete(SETTER, QUESTION, 2)) is CommandRefusal.NOT_FOUND
    assert reason(await desk.update(SETTER, QUESTION, 2, a_draft("Sum"))) is CommandRefusal.NOT_FOUND


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("actor", [OTHER_SETTER, CONTESTANT, JUDGE], ids=lambda actor: str(actor.role))
async def test_only_the_owner_and_admins_change_a_question(
    desk: Desk, actor: Actor, *, published: bool
) -> None:
    question = await desk.with_question(published=published)
    seen = published or actor is JUDGE
    expected = CommandRefusal.NOT_ALLOWED if seen else CommandRefusal.NOT_FOUND
    version = question.version
    assert reason(await desk.update(actor, QUESTION, version, a_draft("Sum"))) is expected
    assert reason(await desk.set_enabled(actor, QUESTION, enabled=not published)) is expected
    assert reason(await desk.delete(actor, QUESTION, version)) is expected
    assert desk.questions.rows[QUESTION] == question
    assert made(await desk.update(ROOT, QUESTION, version, a_draft("Sum"))).owner == BOB


async def test_a_contestant_neither_creates_nor_stores_files(desk: Desk) -> None:
    assert reason(await desk.create(CONTESTANT, QUESTION, a_draft())) is CommandRefusal.NOT_ALLOWED

    async def chunks() -> AsyncIterator[bytes]:
        yield b"forbidden"

    assert isinstance(await PutObject(desk.objects)(CONTESTANT, chunks()), Refused)
    assert hash_of(b"forbidden") not in desk.objects.contents
