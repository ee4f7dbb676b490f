"""Importing with real packages, disk and object store: what goes wrong leaves nothing behind."""

from __future__ import annotations

import asyncio
import io
import json
import os
import tracemalloc
import zipfile
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from apps.question.tests.fakes import MemoryJournal, MemoryPages, MemoryQuestions
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import DomainEvent, Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.listing import Listing, question_slug
from deepoj_domain.question.question import Question
from deepoj_domain.testing import BOB, QUESTION, a_question
from deepoj_kit.ids import Uuid7
from deepoj_kit.objects import ObjectStore
from deepoj_kit.testing.conditions import ManualClock
from deepoj_packages.options import ReadingLimits
from deepoj_packages.testing import MODERN, Files, write_package
from deepoj_question.commands.create import Create
from deepoj_question.commands.import_package import Imported, ImportPackage, ImportRequest
from deepoj_question.commands.optimistic_update import Changing
from deepoj_question.commands.package_ports import BusyError, Progress, Stage, Upload
from deepoj_question.commands.ports import CommandRefusal, Written
from deepoj_question.outbound.objects.contents import ContentStore, Uses
from deepoj_question.outbound.packages.judging_reader import Defaults
from deepoj_question.outbound.packages.local_packages import LocalPackages, PackagePolicy
from deepoj_question.outbound.packages.work_directories import Rooms
from deepoj_question.outbound.postgres.object_uses import PostgresObjectUses

SETTER = Actor(BOB, Role.SETTER)
MIB = 1024 * 1024


class Importing:
    def __init__(
        self, store: ObjectStore, uses: Uses, rooms: Path, questions: MemoryQuestions | None = None
    ) -> None:
        self.questions = questions or MemoryQuestions()
        self.rooms = rooms
        self.clock, pages, journal = ManualClock(), MemoryPages(), MemoryJournal()
        objects = ContentStore(store, uses, max_size=64 * MIB)
        policy = PackagePolicy(
            archive_bytes=64 * MIB, limits=ReadingLimits(), defaults=Defaults(1000, 256 * MIB)
        )
        self.use_case = ImportPackage(
            self.questions,
            LocalPackages(Rooms(rooms, 1), policy),
            objects,
            Create(self.questions, objects, pages, journal, self.clock),
            Changing(self.questions, pages, journal),
            self.clock,
            Uuid7(),
        )

    def leftovers(self) -> list[Path]:
        return list(self.rooms.iterdir())

    async def all(self, source: Upload) -> Imported:
        return (await self._outcome(ImportRequest(actor=SETTER, source=source)))[1]

    async def __call__(
        self, source: Upload | Path, slug: str = "add", *, dry_run: bool = False
    ) -> tuple[list[Progress], Imported]:
        request = ImportRequest(
            actor=SETTER, source=source, question_id=QUESTION, slug=question_slug(slug), dry_run=dry_run
        )
        return await self._outcome(request)

    async def _outcome(self, request: ImportRequest) -> tuple[list[Progress], Imported]:
        told: list[Progress] = []
        async with aclosing(self.use_case(request)) as events:
            async for event in events:
                if isinstance(event, Imported):
                    return told, event
                told.append(event)
        raise AssertionError("no outcome")


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    made = tmp_path / "rooms"
    made.mkdir()
    return made


@pytest.fixture
def importing(object_store: ObjectStore, object_uses: PostgresObjectUses, rooms: Path) -> Importing:
    return Importing(object_store, object_uses, rooms)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return write_package(tmp_path / "add", MODERN)


def upload(files: Files, chunk: int = 64 * 1024) -> Upload:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    data = packed.getvalue()

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(data), chunk):
            yield data[start : start + chunk]

    return Upload(chunks(), len(data))


async def keys(store: ObjectStore) -> list[str]:
    return [each.key async for each in store.list("")]


async def test_an_import_says_how_far_it_is_and_clears_its_room(
    importing: Importing, object_store: ObjectStore
) -> None:
    told, imported = await importing(upload(MODERN, chunk=100))
    stages = [each.stage for each in told]
    assert list(dict.fromkeys(stages)) == [Stage.RECEIVING, Stage.READING, Stage.STORING]
    assert all(each.done <= each.total for each in told if each.total)
    assert (told[-1].done, isinstance(imported.outcome, Question)) == (told[-1].total, True)
    assert imported.stored.uploaded == len(await keys(object_store))
    assert importing.leftovers() == []


async def test_a_crash_before_the_transaction_leaves_files_that_the_next_import_finds(
    object_store: ObjectStore, object_uses: PostgresObjectUses, rooms: Path, directory: Path
) -> None:
    class Crashing(MemoryQuestions):
        async def add(self, question: Question, events: Sequence[DomainEvent]) -> Written:  # noqa: ARG002 — the port's
            raise ConnectionError("the database is gone")

    crashing = Importing(object_store, object_uses, rooms, Crashing())
    with pytest.raises(ConnectionError):
        await crashing(directory)
    assert (crashing.questions.rows, crashing.leftovers()) == ({}, [])
    left = len(await keys(object_store))
    assert left > 0
    _, imported = await Importing(object_store, object_uses, rooms)(directory)
    assert (imported.stored.uploaded, imported.stored.already_there) == (0, left)


async def test_a_dry_run_tells_what_would_be_and_stores_nothing(
    importing: Importing, object_store: ObjectStore, tmp_path: Path
) -> None:
    source = write_package(tmp_path / "add", {**MODERN, "statement/problem.en.tex": "Add."})
    _, first = await importing(source, dry_run=True)
    assert isinstance(first.outcome, Question)
    assert (first.outcome.listing.slug, first.outcome.current.ref.number) == ("add", 1)
    assert [each.file for each in first.messages] == ["statement/problem.en.tex"]
    assert (importing.questions.rows, await keys(object_store), importing.leftovers()) == ({}, [], [])
    _, done = await importing(source)
    assert done.messages == first.messages
    files = await keys(object_store)
    (source / "statement" / "problem.en.md").write_text("Add them.")
    _, again = await importing(source, dry_run=True)
    assert isinstance(again.outcome, Question)
    assert again.outcome.current.ref.number == 2
    assert importing.questions.rows[QUESTION].current.ref.number == 1
    assert await keys(object_store) == files


async def test_a_taken_slug_is_found_before_anything_is_stored(
    importing: Importing, object_store: ObjectStore, directory: Path
) -> None:
    await importing.questions.add(a_question(), ())
    importing.questions.rows[BOB] = importing.questions.rows.pop(QUESTION)  # type: ignore[index]  # another id
    _, imported = await importing(directory, slug="a-plus-b")
    assert isinstance(imported.outcome, Refused)
    assert imported.outcome.reason is CommandRefusal.SLUG_TAKEN
    assert await keys(object_store) == []


async def test_only_so_many_packages_are_read_at_once_and_one_given_up_makes_room(
    importing: Importing, directory: Path
) -> None:
    began = asyncio.Event()

    async def never() -> AsyncIterator[bytes]:
        yield b"PK"
        began.set()
        await asyncio.Event().wait()

    first = asyncio.create_task(importing(Upload(never(), 0)))
    await began.wait()
    with pytest.raises(BusyError):
        await importing(directory)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert importing.leftovers() == []
    await importing(directory)


async def test_a_refused_package_leaves_no_file_and_no_room(
    importing: Importing, object_store: ObjectStore
) -> None:
    with pytest.raises(InvalidValueError) as refused:
        await importing(upload({**MODERN, "/etc/passwd": "x"}))
    assert refused.value.code == "package_unsafe_name"
    assert (await keys(object_store), importing.leftovers()) == ([], [])


def a_problem(title: str, **more: object) -> Files:
    about = {"title": title, "samples": [{"input": "1", "output": "1"}], **more}
    return {"problem.json": json.dumps(about), "testcase/1.in": "1\n", "testcase/1.out": "1\n"}


def several(*problems: Files) -> Upload:
    named = enumerate(problems, start=1)
    return upload({f"{number}/{name}": text for number, files in named for name, text in files.items()})


async def test_one_bad_problem_of_an_archive_does_not_stop_the_others(importing: Importing) -> None:
    problems = (a_problem("One"), a_problem("Two", spj={"code": "x"}), a_problem("三"), a_problem("Four"))
    taken = replace(a_question(), listing=Listing(slug=question_slug("four")))
    importing.questions.rows[QUESTION] = taken
    done = await importing.all(several(*problems))
    assert (done.format, [each.listing.slug[:6] for each in done.taken]) == ("qduoj", ["one", "qduoj-"])
    assert done.outcome == done.taken[0]
    assert [(each.name, type(each.why)) for each in done.left_out] == [
        ("2", InvalidValueError),
        ("four", Refused),
    ]
    assert all(": " in message.text for message in done.messages), "each says which problem it is about"
    assert importing.leftovers() == []


async def test_an_id_or_a_slug_names_only_one_problem(importing: Importing) -> None:
    with pytest.raises(InvalidValueError, match="holds 2 problems, and an id or a slug names only one"):
        await importing(several(a_problem("One"), a_problem("Two")))
    bad = a_problem("Two", spj={"code": "x"})
    with pytest.raises(
        InvalidValueError, match="none of the 2 problems could be imported; the first, 1: Two: its"
    ):
        await importing.all(several(bad, bad))
    with pytest.raises(InvalidValueError, match="Two: its checker is written in"):
        await importing.all(several(bad))
    assert importing.questions.rows == {}


async def test_a_large_package_never_sits_in_memory(importing: Importing) -> None:
    big = os.urandom(24 * MIB)
    source = upload({**MODERN, "data/secret/2.in": big, "data/secret/2.ans": "1\n"})
    del big
    tracemalloc.start()
    try:
        _, imported = await importing(source)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(imported.outcome, Question)
    # The object store holds one part of 5 MiB while it is sent.
    assert peak < 16 * MIB
