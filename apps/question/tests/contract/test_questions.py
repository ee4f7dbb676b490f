"""One contract for the questions in memory and in PostgreSQL, and what only the database can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import msgspec
import pytest

from apps.question.tests.fakes import MemoryQuestions
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import (
    Checker,
    Convention,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    SourceFile,
    TokenChecker,
)
from deepoj_domain.question.limits import LanguageAllowance, Limits
from deepoj_domain.question.listing import Listing, question_slug
from deepoj_domain.question.presentation import Asset, Statement
from deepoj_domain.question.question import Question, QuestionOutcome
from deepoj_domain.question.revision import Extra, RevisionContent
from deepoj_domain.question.submission_form import IncludedFiles, SubmissionForm
from deepoj_domain.question.suite import Group, GroupScoring, OnReject, StopPolicy, Suite
from deepoj_domain.testing import BOB, NOW, QUESTION, a_listing, a_question, some_content, uuid
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.postgres import Database
from deepoj_question.commands.ports import Questions, Written
from deepoj_question.outbound.postgres.question_reader import PostgresQuestionViews
from deepoj_question.outbound.postgres.question_repository import PostgresQuestions
from deepoj_question.queries.views import RevisionPart

LATER = NOW + timedelta(hours=1)
OTHER = QuestionId(uuid(11))
PYTHON = language_slug("python3")


@pytest.fixture(params=["memory", "postgres"])
def questions(request: pytest.FixtureRequest) -> Questions:
    if request.param == "memory":
        return MemoryQuestions()
    found: PostgresQuestions = request.getfixturevalue("postgres_questions")
    return found


def changed(outcome: QuestionOutcome) -> Changed[Question]:
    assert isinstance(outcome, Changed)
    return outcome


def another(slug: str) -> Question:
    return Question.create(OTHER, BOB, a_listing(slug), some_content(), NOW).after


async def test_what_is_added_is_loaded_by_id_and_by_slug(questions: Questions) -> None:
    question = a_question()
    assert await questions.add(question, ()) is Written.OK
    assert await questions.load(QUESTION) == question
    assert await questions.find(question_slug("a-plus-b")) == question
    assert await questions.load(OTHER) is None
    assert await questions.find(question_slug("other")) is None


async def test_an_id_and_a_slug_are_taken_once(questions: Questions) -> None:
    await questions.add(a_question(), ())
    assert await questions.add(replace(a_question(), listing=a_listing("x")), ()) is Written.CHANGED_MEANWHILE
    assert await questions.add(another("a-plus-b"), ()) is Written.SLUG_TAKEN
    assert await questions.load(OTHER) is None


async def test_a_write_needs_the_version_that_was_read(questions: Questions) -> None:
    before = a_question()
    await questions.add(before, ())
    first = changed(before.edit(a_listing(), some_content("Sum"), by=BOB, now=LATER))
    second = changed(before.edit(a_listing(), some_content("Total"), by=BOB, now=LATER))
    assert await questions.write(before, first.after, first.events) is Written.OK
    assert await questions.write(before, second.after, second.events) is Written.CHANGED_MEANWHILE
    assert await questions.load(QUESTION) == first.after


async def test_a_change_to_a_taken_slug_changes_nothing(questions: Questions) -> None:
    before = a_question()
    await questions.add(before, ())
    await questions.add(another("sum"), ())
    outcome = changed(before.edit(a_listing("sum"), some_content("Sum"), by=BOB, now=LATER))
    assert await questions.write(before, outcome.after, outcome.events) is Written.SLUG_TAKEN
    assert await questions.load(QUESTION) == before


async def test_a_deleted_question_is_gone_and_its_slug_is_free(questions: Questions) -> None:
    before = a_question()
    await questions.add(before, ())
    deleted = changed(before.delete(LATER))
    assert await questions.write(before, deleted.after, deleted.events) is Written.OK
    assert await questions.load(QUESTION) is None
    assert await questions.add(another("a-plus-b"), ()) is Written.OK
    assert await questions.add(before, ()) is Written.CHANGED_MEANWHILE


async def test_an_event_is_stored_with_its_change_and_handed_over_after_it(
    postgres_questions: PostgresQuestions, database: Database, sent: list[OutboxRow]
) -> None:
    created = Question.create(QUESTION, BOB, a_listing(), some_content(), NOW)
    await postgres_questions.add(created.after, created.events)
    assert await postgres_questions.add(created.after, created.events) is Written.CHANGED_MEANWHILE
    async with database.connection() as connection:
        rows = await (await connection.execute("SELECT id, payload FROM question.outbox")).fetchall()
    [(row_id, payload)] = rows
    assert [row.id for row in sent] == [row_id]
    assert payload["type"] == "question.changed.v1"
    assert msgspec.json.decode(payload["data"])["change"] == "created"


async def test_every_change_moves_the_catalogue_and_a_refused_one_does_not(
    postgres_questions: PostgresQuestions, database: Database
) -> None:
    question = a_question()
    start = await catalogue_revision(database)
    await postgres_questions.add(question, ())
    await postgres_questions.add(question, ())
    published = changed(question.publish(LATER))
    await postgres_questions.write(question, published.after, ())
    await postgres_questions.write(question, published.after, ())
    assert await catalogue_revision(database) == start + 2


async def catalogue_revision(database: Database) -> int:
    async with database.connection() as connection:
        row = await (await connection.execute("SELECT revision FROM question.catalogue")).fetchone()
    assert row is not None
    return int(row[0])


def program() -> ProgramChecker:
    return ProgramChecker(
        sources=(SourceFile("check.cpp", hash_of(b"c")), SourceFile("lib/testlib.h", hash_of(b"h"))),
        language=language_slug("cpp17"),
        convention=Convention.TESTLIB,
        interactive=True,
        scores=True,
        arguments=("--fast",),
        limits=Limits(cpu_ms=1, memory_kib=3, output_kib=4),
        checker=ProgramChecker(
            sources=(SourceFile("after.cpp", hash_of(b"a")),),
            language=language_slug("cpp17"),
            convention=Convention.TESTLIB,
        ),
    )


@pytest.mark.parametrize(
    "checker",
    [
        ExactChecker(),
        LineChecker(collapse_spaces=True),
        TokenChecker(case_sensitive=False),
        FloatChecker(absolute="1e-9"),
        IcpcChecker(relative="1e-6"),
        program(),
    ],
    ids=lambda checker: type(checker).__name__,
)
async def test_a_revision_is_read_back_as_it_was_made(
    postgres_questions: PostgresQuestions, views: PostgresQuestionViews, checker: Checker
) -> None:
    question = Question.create(QUESTION, BOB, a_listing(), rich(checker), NOW).after
    await postgres_questions.add(question, ())
    assert await postgres_questions.load(QUESTION) == question
    assert await views.content(question.current.ref) == question.current.content
    found = await views.judging(question.current.ref)
    assert found == question.current.content.judging
    [revision] = await views.revisions(QUESTION)
    assert (revision.number, revision.made_by, revision.made_at) == (1, BOB, NOW)
    assert found is not None
    assert revision.judge_hash == found.hash


def rich(checker: Checker) -> RevisionContent:
    """Content that uses every part."""
    base = some_content()
    arguments = ("case_sensitive",) if isinstance(checker, IcpcChecker | ProgramChecker) else None
    groups: Sequence[Group] = (
        Group("sample", Score.points(0), GroupScoring.ALL),
        Group(
            "one", Score.points("12.5"), GroupScoring.SUM, depends_on=("sample",), on_reject=OnReject.BREAK
        ),
        Group("two", Score.points(0), unbounded=True),
    )
    cases = (
        Case("s1", "sample", hash_of(b"1"), hash_of(b"2"), is_sample=True),
        Case(
            "1", "one", hash_of(b"3"), hash_of(b"4"), Score.points("12.5"),
            reject_points=Score.points(1), checker_arguments=arguments,
        ),
        Case(
            "2", "two", hash_of(b"5"), hash_of(b"6"), time_ms=500, memory_bytes=1 << 24,
            arguments=("", "a 'b'", "é\n"), files=(SourceFile("maps/a.txt", hash_of(b"map")),),
        ),
    )  # fmt: skip
    grader = IncludedFiles(
        languages=frozenset({PYTHON}), files=(SourceFile("g.py", hash_of(b"g")),), main="g.py"
    )
    judging = replace(
        base.judging,
        suite=Suite(tuple(groups), cases, StopPolicy.RUN_ALL),
        checker=checker,
        languages=frozenset({PYTHON, language_slug("c++")}),
        allowance=replace(
            base.judging.allowance,
            source_bytes=1000,
            per_language=(LanguageAllowance(language=PYTHON, time_ms=5000),),
        ),
        form=SubmissionForm(included=(grader,)),
    )
    presentation = replace(
        base.presentation,
        statements=(Statement("en", "Σ", "$x$ \\frac{a}{b}\n"), Statement("zh-Hans", "求和", "加")),
        assets=(Asset("a.png", "image/png", hash_of(b"png"), 3),),
    )
    extras = (Extra("submissions/accepted/a.py", hash_of(b"a")),)
    return RevisionContent(presentation=presentation, judging=judging, extras=extras)


async def test_earlier_revisions_stay_and_survive_the_question(
    postgres_questions: PostgresQuestions, views: PostgresQuestionViews
) -> None:
    first = a_question()
    await postgres_questions.add(first, ())
    revised = changed(first.edit(a_listing(), some_content("Sum"), by=BOB, now=LATER)).after
    await postgres_questions.write(first, revised, ())
    await postgres_questions.write(revised, changed(revised.delete(LATER)).after, ())
    assert [each.number for each in await views.revisions(QUESTION)] == [2, 1]
    assert await views.judging(first.current.ref) == first.current.content.judging
    assert await views.get(QUESTION, 1) is None


async def test_a_revision_tells_what_it_changed(
    postgres_questions: PostgresQuestions, views: PostgresQuestionViews
) -> None:
    base = some_content("Sum")
    judging = base.judging
    more = Case("9", judging.suite.cases[0].group, hash_of(b"7"), hash_of(b"8"))
    texts = replace(base.presentation, statements=(Statement("en", "Total", ""),))
    suite = replace(judging.suite, cases=(*judging.suite.cases, more))
    stages = [
        (base, ()),
        (replace(base, presentation=texts), (RevisionPart.STATEMENT,)),
        (replace(base, judging=replace(judging, suite=suite)), (RevisionPart.STATEMENT, RevisionPart.TESTS)),
        (
            replace(base, judging=replace(judging, checker=FloatChecker())),
            (RevisionPart.TESTS, RevisionPart.CHECKER),
        ),
        (
            replace(base, judging=replace(judging, languages=frozenset({PYTHON}))),
            (RevisionPart.CHECKER, RevisionPart.LANGUAGES),
        ),
        (
            replace(base, judging=replace(judging, allowance=replace(judging.allowance, time_ms=77))),
            (RevisionPart.LIMITS, RevisionPart.LANGUAGES),
        ),
        (replace(base, extras=(Extra("a.py", hash_of(b"a")),)), (RevisionPart.LIMITS, RevisionPart.EXTRAS)),
    ]
    question = Question.create(QUESTION, BOB, a_listing(), base, NOW).after
    await postgres_questions.add(question, ())
    for content, _ in stages[1:]:
        edited = changed(question.edit(a_listing(), content, by=BOB, now=LATER)).after
        await postgres_questions.write(question, edited, ())
        question = edited
    found = await views.revisions(QUESTION, with_changes=True)
    assert [each.changes for each in reversed(found)] == [changes for _, changes in stages]
    assert {each.changes for each in await views.revisions(QUESTION)} == {()}


async def test_a_listing_without_level_and_tags_is_kept(postgres_questions: PostgresQuestions) -> None:
    bare = replace(a_question(), listing=Listing(slug=question_slug("bare")))
    await postgres_questions.add(bare, ())
    assert await postgres_questions.load(QUESTION) == bare
