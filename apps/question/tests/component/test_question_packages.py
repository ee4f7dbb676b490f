"""Packages through the process: imported whole or not at all, exported, loaded by the operator."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from redis.asyncio import Redis

from apps.question.tests.calls import ADMIN, CONTESTANT, GUEST, SETTER, new_id, published, slug
from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.checker import IcpcChecker
from deepoj_domain.streams import Streams
from deepoj_kit.documents import Document
from deepoj_kit.embedded.process import minimal_environ
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.objects import ObjectStore
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import TOKEN
from deepoj_kit.testing.streams import entries
from deepoj_packages.read_package import read_package
from deepoj_packages.spec import FormatVersion, InputArgs
from deepoj_packages.testing import LEGACY, MODERN, Files, write_package
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb

if TYPE_CHECKING:
    # Known to the type checker only.
    from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceAsyncStub

PATIENT = 60.0


def a_zip(files: Files, top: str = "add") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{top}/{name}", content)
    return packed.getvalue()


def a_tar(files: Files) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            about = tarfile.TarInfo(name)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    return packed.getvalue()


async def sent(
    question: QuestionServiceAsyncStub, archive: bytes, **header: str | int | common_pb2.Actor
) -> list[pb.ImportPackageResponse]:
    made = pb.ImportHeader(actor=SETTER, size=len(archive))
    for name, value in header.items():
        if isinstance(value, common_pb2.Actor):
            made.actor.CopyFrom(value)
        else:
            setattr(made, name, value)

    async def parts() -> AsyncIterator[pb.ImportPackageRequest]:
        yield pb.ImportPackageRequest(header=made)
        for start in range(0, len(archive), 1000):
            yield pb.ImportPackageRequest(chunk=archive[start : start + 1000])

    return [answer async for answer in question.ImportPackage(parts(), timeout=PATIENT)]


async def imported(
    question: QuestionServiceAsyncStub, archive: bytes, **header: str | int | common_pb2.Actor
) -> pb.ImportDone:
    answers = await sent(question, archive, **header)
    assert [answer.WhichOneof("event") for answer in answers[:-1]] == ["progress"] * (len(answers) - 1)
    return answers[-1].done


async def refusal(
    question: QuestionServiceAsyncStub, archive: bytes, **header: str | int | common_pb2.Actor
) -> tuple[Kind, str]:
    with pytest.raises(RemoteError) as error:
        await sent(question, archive, **header)
    return error.value.kind, error.value.reason


async def test_a_package_becomes_a_question_that_workers_can_judge(
    question: QuestionServiceAsyncStub, objects: ObjectStore
) -> None:
    unique = slug()
    answers = await sent(
        question, a_zip({**MODERN, "data/secret/2.in": unique, "data/secret/2.ans": "1"}), slug=unique
    )
    stages = [answer.progress.stage for answer in answers[:-1]]
    assert stages == sorted(stages)
    assert {pb.IMPORT_STAGE_RECEIVING, pb.IMPORT_STAGE_STORING} <= set(stages)
    done = answers[-1].done
    assert (done.question.slug, done.question.title, done.question.enabled) == (unique, "Add", False)
    assert list(done.question.samples) == [pb.Sample(input="1 2\n", output="3\n")]
    assert done.objects_uploaded >= 1
    request = pb.GetJudgeSpecRequest(question_id=done.question.id, revision=1)
    spec = await question.GetJudgeSpec(request)
    judging = Document(JUDGING, InvalidValueError).decode(spec.document)
    assert [case.name for case in judging.suite.cases] == ["sample/1", "secret/1", "secret/2"]
    assert isinstance(judging.checker, IcpcChecker)
    assert judging.allowance.time_ms == 2000
    assert spec.judge_hash == judging.hash
    for case in judging.suite.cases:
        for each in (case.input, case.answer):
            assert hash_of(await objects.read(f"data/{each}")) == each


async def test_what_a_format_leaves_open_is_told_with_the_package(question: QuestionServiceAsyncStub) -> None:
    files = {"init.yml": "test_cases:\n- {in: 1.in, out: 1.out}\n", "1.in": slug(), "1.out": "1"}
    done = await imported(question, a_zip(files), slug=slug(), title="Told", time_ms=700, memory_mib=64)
    assert (done.format, done.question.title) == ("dmoj", "Told")
    spec = await question.GetJudgeSpec(pb.GetJudgeSpecRequest(question_id=done.question.id, revision=1))
    allowance = Document(JUDGING, InvalidValueError).decode(spec.document).allowance
    assert (allowance.time_ms, allowance.memory_bytes) == (700, 64 << 20)
    generated = {"init.yml": "generator: g.py\ntest_cases:\n- {points: 1}\n", "g.py": "print(1)"}
    assert await refusal(question, a_zip(generated)) == (Kind.INVALID, "package_not_made")


async def test_an_unchanged_package_uploads_nothing_and_makes_no_revision(
    question: QuestionServiceAsyncStub,
) -> None:
    files = {**MODERN, "data/secret/2.in": slug(), "data/secret/2.ans": "1"}
    first = await imported(question, a_zip(files), slug=slug())
    distinct = {hash_of(text if isinstance(text, bytes) else text.encode()) for name, text in files.items()
                if not name.startswith(("problem.yaml", "statement"))}  # fmt: skip
    assert first.objects_uploaded + first.objects_already_there == len(distinct)
    again = await imported(question, a_tar(files), question_id=first.question.id)
    assert (again.objects_uploaded, again.objects_already_there) == (0, len(distinct))
    assert again.question == first.question
    changed = {**files, "data/secret/1.ans": first.question.slug}
    revised = await imported(question, a_zip(changed), question_id=first.question.id)
    assert (revised.objects_uploaded, revised.question.revision, revised.question.version) == (1, 2, 2)
    revisions = await question.ListRevisions(
        pb.ListRevisionsRequest(actor=SETTER, question_id=first.question.id)
    )
    assert len({each.judge_hash for each in revisions.revisions}) == 2


async def test_an_unknown_id_is_the_id_of_the_new_question_and_its_slug_is_made_of_the_name(
    question: QuestionServiceAsyncStub,
) -> None:
    wanted, name = str(new_id()), slug()
    done = await imported(question, a_zip(LEGACY, top=name), question_id=wanted)
    assert (done.question.id, done.question.slug) == (wanted, name)
    assert await refusal(question, a_zip(LEGACY, top=name)) == (Kind.CONFLICT, "slug_taken")


HOSTILE: dict[str, tuple[Files, str]] = {
    "unsafe name": ({**MODERN, "../../evil": "x"}, "package_unsafe_name"),
    "no package": ({"readme.txt": "hello"}, "package_not_a_package"),
    "bad yaml": ({**MODERN, "problem.yaml": "a: &a [*a, *a]\n"}, "package_bad_yaml"),
    "too many files": ({**MODERN, **{f"data/secret/x{n}.in": "1" for n in range(100)}}, "package_too_large"),
    "too large a file": ({**MODERN, "data/secret/1.in": "x" * 200_000}, "package_too_large"),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_package_that_is_refused_leaves_nothing_behind(
    question: QuestionServiceAsyncStub,
    objects: ObjectStore,
    settings: dict[str, str],
    name: str,
) -> None:
    files, reason = HOSTILE[name]
    before = await contents(objects, settings)
    assert await refusal(question, a_zip(files), slug=slug()) == (Kind.INVALID, reason)
    assert await contents(objects, settings) == before


async def contents(objects: ObjectStore, settings: dict[str, str]) -> tuple[object, ...]:
    """Everything that the service keeps: objects, rows, and files on the disk."""
    keys = sorted([each.key async for each in objects.list("")])
    return keys, *rows_and_files(settings)


def rows_and_files(settings: dict[str, str]) -> tuple[object, ...]:
    with psycopg.connect(settings["postgres_url"]) as connection:
        rows = connection.execute("SELECT count(*), max(version) FROM question.questions").fetchall()
    return rows, sorted(Path(settings["package_directory"]).iterdir())


async def test_who_may_not_import_is_refused_before_anything_is_read(
    question: QuestionServiceAsyncStub,
) -> None:
    nonsense = b"not even an archive"
    assert await refusal(question, nonsense, actor=CONTESTANT) == (Kind.FORBIDDEN, "not_allowed")
    assert await refusal(question, nonsense, actor=GUEST) == (Kind.FORBIDDEN, "sign_in_required")
    made = (await imported(question, a_zip(MODERN), slug=slug())).question
    stranger = common_pb2.Actor(account_id=str(new_id()), role=common_pb2.ROLE_SETTER)
    hidden = await refusal(question, nonsense, actor=stranger, question_id=made.id)
    assert hidden == (Kind.NOT_FOUND, "not_found")
    await published(question, made.id)
    seen = await refusal(question, nonsense, actor=stranger, question_id=made.id)
    assert seen == (Kind.FORBIDDEN, "not_allowed")
    assert await refusal(question, nonsense) == (Kind.INVALID, "package_not_a_package")


async def test_an_archive_that_is_too_large_or_incomplete_is_refused(
    question: QuestionServiceAsyncStub,
) -> None:
    assert await refusal(question, b"x", size=1 << 40) == (Kind.INVALID, "package_too_large")
    assert await refusal(question, bytes(1_100_000), size=0) == (Kind.INVALID, "package_too_large")
    assert await refusal(question, a_zip(MODERN), size=100_000) == (Kind.INVALID, "package_incomplete")


FOR_SETTERS: Files = {
    "data/secret/test_group.yaml": "input_validator_args: [--most, '9']\n",
    "data/invalid_input/x.in": "2 0\n",
    "data/invalid_input/x.yaml": "input_validator_args: [--most, '1']\n",
    "data/invalid_answer/y.in": "1 1\n",
    "data/invalid_answer/y.ans": "3\n",
    "answer_validators/sums.py": "",
}


@pytest.mark.parametrize("archive_format", [pb.ARCHIVE_FORMAT_ZIP, pb.ARCHIVE_FORMAT_TAR])
async def test_an_exported_package_is_imported_again_without_a_change(
    question: QuestionServiceAsyncStub, tmp_path: Path, archive_format: pb.ArchiveFormat.ValueType
) -> None:
    picture: Files = {"statement/problem.en.md": "![](a.png)\n", "statement/a.png": b"\x89PNG"}
    called: Files = {"data/secret/1.yaml": "args: ['', a 'b']\n", "data/secret/1.files/maps/a.in": "map"}
    scripts: Files = {"input_validators/own/run": "#!/bin/sh\n", "output_validator/run": "#!/bin/sh\n"}
    files = {**MODERN, **picture, **FOR_SETTERS, **called, **scripts}
    made = (await imported(question, a_zip(files), slug=slug())).question
    request = pb.ExportPackageRequest(actor=ADMIN, question_id=made.id, format=archive_format)
    packed = b"".join([part.chunk async for part in question.ExportPackage(request, timeout=PATIENT)])
    archive = tmp_path / "exported"
    archive.write_bytes(packed)
    spec = read_package(archive, tmp_path / "unpacked")
    assert (spec.short_name, [each.name for each in spec.submissions]) == (made.slug, ["accepted/add.py"])
    assert [case.input_validator_args for case in spec.cases] == [InputArgs(), InputArgs(("--most", "9"))]
    assert spec.cases[1].arguments == ("", "a 'b'")
    [(name, file)] = spec.cases[1].files
    assert (name, spec.path(file).read_text()) == ("maps/a.in", "map")
    assert [each.name for each in spec.answer_validators] == ["sums.py"]
    assert len(own := list(spec.root.rglob("run"))) == 2
    assert all(os.access(script, os.X_OK) for script in own), "other judges execute them"
    assert [(each.name, each.input_validator_args) for each in spec.invalid_inputs] == [
        ("invalid_input/x", InputArgs(("--most", "1")))
    ]
    assert [each.name for each in spec.invalid_answers] == ["invalid_answer/y"]
    assert (spec.warnings, spec.unused) == (("problem.yaml has no uuid, and version 2025-09 wants one",), ())
    again = await imported(question, packed, question_id=made.id)
    assert (again.question, again.objects_uploaded) == (made, 0)
    await published(question, made.id)
    request.actor.CopyFrom(CONTESTANT)
    with pytest.raises(RemoteError) as refused:
        [part async for part in question.ExportPackage(request)]
    assert refused.value.kind is Kind.FORBIDDEN


async def test_a_package_is_exported_in_the_format_that_is_asked_for(
    question: QuestionServiceAsyncStub, tmp_path: Path
) -> None:
    made = (await imported(question, a_zip({**MODERN, **FOR_SETTERS}), slug=slug())).question
    for form, known_as in (
        (pb.PACKAGE_FORMAT_LEGACY, FormatVersion.LEGACY),
        (pb.PACKAGE_FORMAT_POLYGON, FormatVersion.POLYGON),
    ):
        archive = tmp_path / f"{known_as}.zip"
        archive.write_bytes(await exported(question, made.id, form))
        spec = read_package(archive, tmp_path / known_as)
        assert (spec.format, spec.short_name) == (known_as, made.slug)
        assert [each.name for each in spec.submissions] == ["accepted/add.py"], "what only setters use"
        assert [spec.path(case.answer).read_text() for case in spec.cases if case.answer] == ["3\n", "9\n"]


async def test_what_a_format_cannot_say_is_told_in_its_sentence(question: QuestionServiceAsyncStub) -> None:
    tolerant = {"data/secret/test_group.yaml": "output_validator_args: [float_tolerance, 1e-6]\n"}
    made = (await imported(question, a_zip({**MODERN, **tolerant}), slug=slug())).question
    with pytest.raises(RemoteError, match="a package of Polygon cannot say it: a comparison") as refused:
        await exported(question, made.id, pb.PACKAGE_FORMAT_POLYGON)
    assert (refused.value.kind, refused.value.reason) == (Kind.PRECONDITION, "package_unsupported")


async def exported(
    question: QuestionServiceAsyncStub, question_id: str, form: pb.PackageFormat.ValueType
) -> bytes:
    request = pb.ExportPackageRequest(actor=ADMIN, question_id=question_id, package_format=form)
    return b"".join([part.chunk async for part in question.ExportPackage(request, timeout=PATIENT)])


async def test_the_operator_loads_directories_once(
    question: QuestionServiceAsyncStub, settings: dict[str, str], redis: Redis, tmp_path: Path
) -> None:
    names = slug(), slug()
    for name in names:
        write_package(tmp_path / name, MODERN)
    directories = [str(tmp_path / name) for name in names]
    first = load(settings, *directories)
    assert (first.returncode, first.stdout.splitlines()) == (
        0, [f"1/2 {names[0]}: revision 1, new", f"2/2 {names[1]}: revision 1, new"],
    ), first.stderr  # fmt: skip
    (tmp_path / names[1] / "data/secret/1.ans").write_text("10\n")
    again = load(settings, *directories, str(tmp_path / "nowhere"))
    assert again.stdout.splitlines() == [
        f"1/3 {names[0]}: revision 1, unchanged", f"2/3 {names[1]}: revision 2, revised",
    ]  # fmt: skip
    assert again.returncode == 1
    assert "nowhere was not loaded" in again.stderr
    shown = await question.Get(pb.GetRequest(actor=GUEST, slug=names[1]))
    assert (shown.question.enabled, shown.question.revision) == (True, 2)

    async def told() -> bool:
        """What the loading process did is told by the one that serves."""
        found = [
            fields["data"] for _, fields in await entries(redis, Streams(settings["env"]).question_events)
        ]
        return sum(shown.question.id in data for data in found) == 3

    await eventually(told, within=60)


def load(settings: dict[str, str], *directories: str) -> subprocess.CompletedProcess[str]:
    environ = {f"DEEPOJ_{name.upper()}": value for name, value in settings.items()}
    environ |= {"DEEPOJ_LISTEN": "unix:/nobody", "DEEPOJ_SERVICE_TOKEN": TOKEN}
    command = [sys.executable, "-m", "deepoj_question", "load", *directories]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=minimal_environ() | environ
    )
