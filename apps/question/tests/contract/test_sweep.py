"""A sweep beside imports: what somebody relies on stays, what nobody does goes, whoever is faster or dies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.question.question import Question
from deepoj_domain.question.revision import Extra
from deepoj_domain.testing import BOB, NOW, a_listing, some_content, uuid
from deepoj_kit.objects import ObjectStore
from deepoj_kit.postgres import Database
from deepoj_kit.testing.conditions import eventually
from deepoj_question.commands.ports import ContendedError, Written
from deepoj_question.commands.references import objects_of
from deepoj_question.commands.sweep_objects import SweepObjects
from deepoj_question.outbound.objects.contents import ContentStore
from deepoj_question.outbound.postgres.object_uses import PostgresObjectUses
from deepoj_question.outbound.postgres.question_repository import PostgresQuestions

KEEP = timedelta(days=7)
# What every question of these tests names besides.
NEVER_STORED = objects_of(some_content())


async def pieces(content: bytes) -> AsyncIterator[bytes]:
    yield content


class Sweeping:
    """Files, questions that name them, and a sweep that can be stopped before it deletes."""

    def __init__(self, database: Database, store: ObjectStore, questions: PostgresQuestions) -> None:
        self.database = database
        self.store = store
        self.questions = questions
        self.uses = PostgresObjectUses(database)
        self.objects = ContentStore(store, self.uses, max_size=1000)
        self.may_delete = asyncio.Event()
        self.may_delete.set()
        self.sweep = SweepObjects(self.uses, _Stoppable(self), time.monotonic)

    async def stored(self, content: bytes, age: timedelta = KEEP * 2) -> ContentHash:
        stored = await self.objects.put(pieces(content))
        await self.grow_old(stored.content, age)
        return stored.content

    async def grow_old(self, content: ContentHash, age: timedelta) -> None:
        await self._execute(
            "UPDATE question.objects SET used_at = now() - %s WHERE content = %s", age, content
        )

    async def outlive_the_lease(self, content: ContentHash) -> None:
        statement = "UPDATE question.objects SET taken_at = taken_at - %s WHERE content = %s"
        await self._execute(statement, timedelta(minutes=6), content)

    async def _execute(self, statement: str, by: timedelta, content: ContentHash) -> None:
        async with self.database.connection() as connection:
            await connection.execute(statement.encode(), (by, bytes.fromhex(content)))

    async def name(self, content: ContentHash, number: int = 1) -> Written:
        named = replace(some_content(), extras=(Extra("notes.txt", content),))
        listing = a_listing(f"question-{number}")
        question = Question.create(QuestionId(uuid(number)), BOB, listing, named, NOW).after
        return await self.questions.add(question, ())

    async def is_there(self, content: ContentHash) -> bool:
        return await self.store.exists(f"data/{content}")

    async def is_taken(self, content: ContentHash) -> bool:
        statement = b"SELECT taken_at IS NOT NULL FROM question.objects WHERE content = %s"
        async with self.database.connection() as connection:
            row = await (await connection.execute(statement, (bytes.fromhex(content),))).fetchone()
        return row is not None and bool(row[0])


class _Stoppable(ContentStore):
    def __init__(self, sweeping: Sweeping) -> None:
        super().__init__(sweeping.store, sweeping.uses, max_size=1000)
        self._sweeping = sweeping

    async def delete(self, content: ContentHash) -> None:
        await self._sweeping.may_delete.wait()
        await super().delete(content)


@pytest.fixture
def sweeping(
    database: Database, object_store: ObjectStore, postgres_questions: PostgresQuestions
) -> Sweeping:
    return Sweeping(database, object_store, postgres_questions)


async def test_only_what_nothing_names_and_nobody_used_for_long_is_deleted(sweeping: Sweeping) -> None:
    old, young, named = [await sweeping.stored(each) for each in (b"old", b"young", b"named")]
    await sweeping.grow_old(young, KEEP - timedelta(minutes=1))
    assert await sweeping.name(named) is Written.OK
    await sweeping.store.put("submissions/log", b"of somebody else")
    tried = await sweeping.sweep(KEEP, dry_run=True)
    done = await sweeping.sweep(KEEP)
    assert tried == done
    assert (done.objects, done.deleted_objects, done.deleted_bytes) == (3, 1, 3)
    assert [await sweeping.is_there(each) for each in (old, young, named)] == [False, True, True]
    assert await sweeping.store.exists("submissions/log")
    assert (await sweeping.sweep(KEEP)).deleted_objects == 0


async def test_a_file_never_seen_before_is_given_its_time(sweeping: Sweeping) -> None:
    strange = hash_of(b"put by an older release")
    await sweeping.store.put(f"data/{strange}", b"put by an older release")
    assert (await sweeping.sweep(KEEP)).deleted_objects == 0
    await sweeping.grow_old(strange, KEEP * 2)
    assert (await sweeping.sweep(KEEP)).deleted_objects == 1


async def test_looking_for_a_file_keeps_it(sweeping: Sweeping) -> None:
    content = await sweeping.stored(b"found again")
    assert await sweeping.objects.sizes([content]) == {content: 11}
    assert (await sweeping.sweep(KEEP)).deleted_objects == 0
    assert await sweeping.name(content) is Written.OK


async def test_an_upload_waits_for_a_deletion_and_puts_the_file_again(sweeping: Sweeping) -> None:
    content = await sweeping.stored(b"wanted again")
    sweeping.may_delete.clear()
    sweep = asyncio.create_task(sweeping.sweep(KEEP))
    await eventually(lambda: sweeping.is_taken(content))
    upload = asyncio.create_task(sweeping.objects.put(pieces(b"wanted again")))
    sweeping.may_delete.set()
    assert (await sweep).deleted_objects == 1
    await upload
    assert await sweeping.is_there(content)
    assert await sweeping.name(content) is Written.OK


async def test_what_is_being_deleted_cannot_be_named(sweeping: Sweeping) -> None:
    """Somebody looked for the file, slept for longer than it is kept, and goes on while it is deleted."""
    content = await sweeping.stored(b"too late")
    assert await sweeping.uses.take(KEEP, 10)
    with pytest.raises(ContendedError):
        await sweeping.name(content)
    assert await sweeping.questions.load(QuestionId(uuid(1))) is None


async def test_what_a_dead_sweep_took_is_given_back_or_deleted(sweeping: Sweeping) -> None:
    wanted, unwanted = await sweeping.stored(b"wanted"), await sweeping.stored(b"unwanted")
    taken = await sweeping.uses.take(KEEP, 10)
    assert taken is not None
    assert (await sweeping.sweep(KEEP)).deleted_objects == 0
    for each in (wanted, unwanted):
        await sweeping.outlive_the_lease(each)
    await sweeping.objects.sizes([wanted])
    # Who took it comes back to life after others went on: it has no say any more.
    await sweeping.uses.forget(taken.contents, taken.at)
    assert (await sweeping.sweep(KEEP)).deleted_objects == 1
    assert (await sweeping.is_there(wanted), await sweeping.is_there(unwanted)) == (True, False)


async def test_a_sweep_that_was_frozen_deletes_nothing_more(sweeping: Sweeping) -> None:
    content = await sweeping.stored(b"spared")
    moments = iter([0.0, 61.0])
    frozen = SweepObjects(sweeping.uses, sweeping.objects, lambda: next(moments))
    assert (await frozen(KEEP)).deleted_objects == 0
    assert await sweeping.is_there(content)


async def test_a_row_without_a_file_goes_too(sweeping: Sweeping) -> None:
    content = await sweeping.stored(b"gone already")
    await sweeping.store.delete(f"data/{content}")
    assert (await sweeping.sweep(KEEP)).deleted_objects == 0
    assert await sweeping.uses.candidates(KEEP) == frozenset()
    assert not await sweeping.is_taken(content)


async def test_a_file_that_a_revision_names_and_nobody_has_is_told(sweeping: Sweeping) -> None:
    contents = [await sweeping.stored(bytes([each])) for each in range(3)]
    for number, content in enumerate(contents, start=1):
        await sweeping.name(content, number)
    for content in contents[:2]:
        await sweeping.store.delete(f"data/{content}")
    assert sorted({*(await sweeping.sweep(KEEP)).missing} - NEVER_STORED) == sorted(contents[:2])


async def test_imports_and_sweeps_at_once_lose_nothing_that_is_named(sweeping: Sweeping) -> None:
    async def bring(content: bytes, number: int) -> ContentHash:
        stored = await sweeping.objects.put(pieces(content))
        assert await sweeping.name(stored.content, number) is Written.OK
        return stored.content

    for first in range(0, 60, 6):
        texts = [f"{number}".encode() for number in range(first, first + 6)]
        for text in texts:
            await sweeping.stored(text)
        brought = [bring(text, number) for number, text in enumerate(texts, start=first + 1)]
        sweeps = (sweeping.sweep(KEEP) for _ in range(3))
        named, _ = await asyncio.gather(asyncio.gather(*brought), asyncio.gather(*sweeps))
        assert [await sweeping.is_there(each) for each in named] == [True] * 6
    assert {*(await sweeping.sweep(KEEP)).missing} == NEVER_STORED
