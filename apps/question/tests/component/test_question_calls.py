"""The question service as a process: what setters, contestants and other services see of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec
import pytest
from redis.asyncio import Redis

from apps.question.tests.calls import (
    ADMIN,
    CONTESTANT,
    GUEST,
    SETTER,
    a_draft,
    created,
    published,
    put,
    slug,
)
from deepoj_domain.documents import JUDGING
from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.events import QuestionChanged
from deepoj_domain.streams import Streams
from deepoj_kit.documents import Document
from deepoj_kit.grpc import Kind, RemoteError, Server, connect, refuse
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.objects import ObjectStore
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter, http_get
from deepoj_kit.testing.streams import entries
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub

if TYPE_CHECKING:
    # Known to the type checker only.
    from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceAsyncStub

PICTURE = b"\x89PNG" + bytes(5000)


async def refused(call: Awaitable[object]) -> tuple[Kind, str]:
    with pytest.raises(RemoteError) as error:
        await call
    return error.value.kind, error.value.reason


async def test_a_question_from_draft_to_deletion(question: QuestionServiceAsyncStub) -> None:
    draft = await a_draft(question)
    made = await created(question, draft)
    assert (made.revision, made.version, made.enabled, made.title) == (1, 1, False, "Sum")
    assert (made.slug, list(made.tags), made.limits, list(made.samples)) == (
        draft.slug, ["math"], draft.limits, list(draft.samples),
    )  # fmt: skip
    shown = await published(question, made.id)
    assert (shown.enabled, shown.version) == (True, 2)
    by_slug = await question.Get(pb.GetRequest(actor=GUEST, slug=draft.slug))
    assert by_slug.question == shown

    draft.statements[0].title = "Total"
    draft.ClearField("judging")
    update = pb.UpdateRequest(actor=SETTER, question_id=made.id, version=2, draft=draft)
    revised = (await question.Update(update)).question
    assert (revised.revision, revised.version, revised.title) == (2, 3, "Total")
    assert await refused(question.Update(update)) == (Kind.CONFLICT, "stale_version")

    first = await question.Get(pb.GetRequest(actor=SETTER, question_id=made.id, revision=1))
    assert (first.question.title, first.question.revision, first.question.version) == ("Sum", 1, 3)
    revisions = await question.ListRevisions(pb.ListRevisionsRequest(actor=ADMIN, question_id=made.id))
    assert [each.number for each in revisions.revisions] == [2, 1]
    assert revisions.revisions[0].judge_hash == revisions.revisions[1].judge_hash

    delete = pb.DeleteRequest(actor=SETTER, question_id=made.id, version=2)
    assert await refused(question.Delete(delete)) == (Kind.CONFLICT, "stale_version")
    delete.version = 3
    await question.Delete(delete)
    gone = question.Get(pb.GetRequest(actor=ADMIN, question_id=made.id))
    assert await refused(gone) == (Kind.NOT_FOUND, "not_found")
    spec = await question.GetJudgeSpec(pb.GetJudgeSpecRequest(question_id=made.id, revision=1))
    judging = Document(JUDGING, InvalidValueError).decode(spec.document)
    assert [case.name for case in judging.suite.cases] == ["1"]


async def test_what_is_hidden_is_not_found_and_what_is_seen_may_be_forbidden(
    question: QuestionServiceAsyncStub,
) -> None:
    made = await created(question)
    for actor in (GUEST, CONTESTANT):
        get = question.Get(pb.GetRequest(actor=actor, question_id=made.id))
        assert await refused(get) == (Kind.NOT_FOUND, "not_found")
    await question.Get(pb.GetRequest(actor=ADMIN, question_id=made.id))
    update = pb.SetEnabledRequest(actor=CONTESTANT, question_id=made.id, enabled=True)
    assert await refused(question.SetEnabled(update)) == (Kind.NOT_FOUND, "not_found")
    await published(question, made.id)
    assert await refused(question.SetEnabled(update)) == (Kind.FORBIDDEN, "not_allowed")
    revisions = pb.ListRevisionsRequest(actor=CONTESTANT, question_id=made.id)
    assert await refused(question.ListRevisions(revisions)) == (Kind.FORBIDDEN, "not_allowed")
    create = pb.CreateRequest(actor=GUEST, question_id=str(uuid4()), draft=await a_draft(question))
    assert await refused(question.Create(create)) == (Kind.FORBIDDEN, "sign_in_required")


async def test_refusals_say_what_to_do(question: QuestionServiceAsyncStub) -> None:
    made = await created(question)
    draft = await a_draft(question)
    draft.slug = made.slug
    request = pb.CreateRequest(actor=SETTER, question_id=str(uuid4()), draft=draft)
    assert await refused(question.Create(request)) == (Kind.CONFLICT, "slug_taken")
    request.draft.slug = slug()
    request.draft.judging.cases[0].input.sha256 = hash_of(b"nowhere")
    assert await refused(question.Create(request)) == (Kind.PRECONDITION, "object_missing")
    request.draft.ClearField("judging")
    assert await refused(question.Create(request)) == (Kind.INVALID, "judging_missing")
    request.draft.statements[0].markdown = "x" * (256 * 1024 + 1)
    assert await refused(question.Create(request)) == (Kind.INVALID, "statement_too_large")
    assert await refused(question.Get(pb.GetRequest(actor=GUEST))) == (Kind.INVALID, "question_id_malformed")
    too_large = put(question, bytes(101 * 1024))
    assert await refused(too_large) == (Kind.INVALID, "object_too_large")
    forbidden = put(question, b"x", CONTESTANT)
    assert await refused(forbidden) == (Kind.FORBIDDEN, "not_allowed")


async def test_a_list_shows_no_texts_and_the_revision_of_the_catalogue(
    question: QuestionServiceAsyncStub,
) -> None:
    marker = uuid4().hex
    titles = [f"{marker} {number}" for number in range(3)]
    for title in titles:
        made = await created(question, await a_draft(question, title))
        await published(question, made.id)
    hidden = await created(question, await a_draft(question, marker))
    request = pb.ListRequest(actor=GUEST, search=marker.upper(), page=common_pb2.PageRequest(size=2))
    first = await question.List(request)
    request.page.cursor = first.page.next_cursor
    second = await question.List(request)
    assert [each.title for each in (*first.questions, *second.questions)] == titles
    assert second.page.next_cursor == ""
    assert not first.questions[0].statements
    assert second.catalogue_revision == first.catalogue_revision
    request.page.Clear()
    request.actor.CopyFrom(SETTER)
    own = await question.List(request)
    assert own.questions[-1].id == hidden.id
    await published(question, hidden.id)
    assert (await question.List(request)).catalogue_revision > own.catalogue_revision


async def test_an_asset_is_read_by_name_or_content_by_those_who_may_read_the_question(
    question: QuestionServiceAsyncStub, objects: ObjectStore
) -> None:
    draft = await a_draft(question)
    stored = await put(question, PICTURE)
    assert await objects.exists(f"data/{stored.sha256}")
    draft.assets.append(pb.Asset(name="a.png", content_type="image/png", object=stored))
    made = await created(question, draft)
    by_name = pb.GetAssetRequest(actor=SETTER, question_id=made.id, name="a.png")
    by_content = pb.GetAssetRequest(actor=SETTER, question_id=made.id, sha256=stored.sha256)
    for request in (by_name, by_content):
        parts = [part async for part in question.GetAsset(request)]
        assert (parts[0].header.content_type, parts[0].header.object.size) == ("image/png", len(PICTURE))
        assert b"".join(part.chunk for part in parts[1:]) == PICTURE
    by_name.actor.CopyFrom(GUEST)
    assert await refused(all_of(question, by_name)) == (Kind.NOT_FOUND, "not_found")
    by_content.sha256 = draft.judging.cases[0].input.sha256
    assert await refused(all_of(question, by_content)) == (Kind.NOT_FOUND, "asset_not_found")


async def all_of(question: QuestionServiceAsyncStub, request: pb.GetAssetRequest) -> None:
    async for _ in question.GetAsset(request):
        pass


async def test_every_change_is_told_once_in_order_before_it_is_answered(
    question: QuestionServiceAsyncStub, redis: Redis, settings: dict[str, str]
) -> None:
    made = await created(question)
    await published(question, made.id)
    await published(question, made.id)
    await question.Delete(pb.DeleteRequest(actor=SETTER, question_id=made.id, version=2))
    stream = Streams(settings["env"]).question_events

    async def told() -> list[tuple[str, int]]:
        fields = [each for _, each in await entries(redis, stream)]
        events = [msgspec.json.decode(each["data"], type=EVENTS[each["type"]]) for each in fields]
        return [
            (event.change, event.version)
            for event in events
            if isinstance(event, QuestionChanged) and str(event.revision.question_id) == made.id
        ]

    # In the stream before the change was answered: whoever reads it now misses nothing.
    assert await told() == [("created", 1), ("published", 2), ("deleted", 3)]


class Games(GameServiceServicer):
    """The game service as far as question asks it: contestants see the problems, others do not."""

    def __init__(self, problem: str) -> None:
        self._problem = problem

    async def Get(self, request: game_pb2.GetRequest, context: object) -> game_pb2.GetResponse:  # noqa: N802, ARG002 — gRPC's
        if request.actor.role == common_pb2.ROLE_GUEST:
            refuse(Kind.NOT_FOUND, "not_found", "there is no such game")
        shown = request.actor.role == common_pb2.ROLE_CONTESTANT
        problems = [game_pb2.Problem(question_id=self._problem, label="A")] if shown else []
        return game_pb2.GetResponse(game=game_pb2.Game(id=request.game_id, problems=problems))


@asynccontextmanager
async def game_server(address: str, problem: str) -> AsyncIterator[None]:
    server = Server(address, Secret(TOKEN), Readiness())
    servicer = Games(problem)  # type: ignore[abstract]  # only Get is asked
    add_GameServiceServicer_to_server(servicer, server.registry)
    async with server:
        yield


async def test_a_hidden_question_is_read_as_a_problem_of_a_game_by_those_whom_the_game_shows_it(
    question: QuestionServiceAsyncStub, settings: dict[str, str]
) -> None:
    problem, other = await created(question), await created(question)
    game = str(uuid4())
    stranger = common_pb2.Actor(account_id=str(uuid4()), role=common_pb2.ROLE_SETTER)

    def as_problem(made: pb.Question, actor: common_pb2.Actor) -> Awaitable[pb.GetResponse]:
        return question.Get(pb.GetRequest(actor=actor, question_id=made.id, game_id=game))

    async with game_server(settings["game_address"], problem.id):
        assert (await as_problem(problem, CONTESTANT)).question.id == problem.id
        assert await refused(as_problem(problem, stranger)) == (Kind.NOT_FOUND, "not_found")
        assert await refused(as_problem(problem, GUEST)) == (Kind.NOT_FOUND, "not_found")
        assert await refused(as_problem(other, CONTESTANT)) == (Kind.NOT_FOUND, "not_found")
    away = await refused(as_problem(problem, CONTESTANT))
    assert away == (Kind.UNAVAILABLE, "dependency_unavailable")
    await published(question, problem.id)
    assert (await as_problem(problem, CONTESTANT)).question.enabled


async def test_changes_are_counted_and_logged_without_texts(
    question: QuestionServiceAsyncStub, serving: Service
) -> None:
    draft = await a_draft(question)
    draft.statements[0].markdown = "a secret statement"
    made = await created(question, draft)
    _, page = http_get(f"{serving.ops_url}/metrics")
    assert 'question_changes_total{change="created"}' in page
    assert made.id not in page
    log = serving.process.log.read_text()
    assert made.id in log
    assert "a secret statement" not in log


async def test_a_process_that_was_killed_comes_back_with_everything(
    start_service: ServiceStarter, settings: dict[str, str]
) -> None:
    first = start_service("deepoj_question", settings)
    async with connect(first.address, Secret(TOKEN)) as channel:
        made = await created(QuestionServiceStub(channel))
    first.process.kill()
    second = start_service("deepoj_question", settings, listen=f"{first.address}.2")
    async with connect(second.address, Secret(TOKEN)) as channel:
        found = await QuestionServiceStub(channel).Get(pb.GetRequest(actor=SETTER, question_id=made.id))
    assert found.question == made
    second.process.stop()
    assert second.process.exit_code() == 0


async def test_a_statement_is_shown_as_html_in_the_nearest_locale(
    question: QuestionServiceAsyncStub,
) -> None:
    draft = await a_draft(question)
    picture = await put(question, PICTURE)
    draft.assets.append(pb.Asset(name="a b.png", content_type="image/png", object=picture))
    draft.statements[0].markdown = "Add $a$. <script>alert(1)</script> ![](a%20b.png)"
    draft.statements.append(
        pb.Statement(locale="zh-Hans", title="和", markdown="求 $b$。", format=pb.STATEMENT_FORMAT_TEX)
    )
    made = await created(question, draft)

    async def shown(locale: str) -> pb.GetStatementResponse:
        request = pb.GetStatementRequest(actor=SETTER, slug=made.slug, locale=locale)
        return await question.GetStatement(request)

    english = await shown("en-GB")
    assert (english.question_id, english.statement.title) == (made.id, "Sum")
    assert list(english.locales) == ["en", "zh-Hans"]
    assert "<mi>a</mi>" in english.html
    assert "script" not in english.html
    assert '<img src="\ufdd0a%20b.png\ufdd1" alt="">' in english.html
    assert "<mi>b</mi>" in (await shown("zh")).html
    assert (await shown("fr")).statement.locale == "en"


async def test_an_earlier_revision_has_its_own_statement(question: QuestionServiceAsyncStub) -> None:
    draft = await a_draft(question)
    made = await created(question, draft)
    draft.statements[0].markdown = "Another text."
    await question.Update(
        pb.UpdateRequest(actor=SETTER, question_id=made.id, version=made.version, draft=draft)
    )
    request = pb.GetStatementRequest(actor=SETTER, question_id=made.id)
    assert (await question.GetStatement(request)).html == "<p>Another text.</p>\n"
    request.revision = 1
    assert "<mi>a</mi>" in (await question.GetStatement(request)).html


async def test_slug_level_and_tags_are_changed_one_by_one_without_a_new_revision(
    question: QuestionServiceAsyncStub,
) -> None:
    made = await created(question)
    other = slug()

    async def relisted(version: int, **named: object) -> pb.Question:
        request = pb.RelistRequest(actor=SETTER, question_id=made.id, version=version, **named)  # type: ignore[arg-type]  # any field
        return (await question.Relist(request)).question

    renamed = await relisted(1, slug=other)
    assert (renamed.slug, renamed.level, list(renamed.tags)) == (other, pb.LEVEL_EASY, ["math"])
    tagged = await relisted(2, tags=pb.Tags(names=["graphs"]))
    assert (tagged.slug, tagged.level, list(tagged.tags)) == (other, pb.LEVEL_EASY, ["graphs"])
    plain = await relisted(3, without_level=True, tags=pb.Tags())
    assert (plain.level, list(plain.tags), plain.revision) == (pb.LEVEL_UNSPECIFIED, [], 1)
    assert (await relisted(4, level=pb.LEVEL_HARD)).level == pb.LEVEL_HARD
    assert await refused(relisted(4, slug="x")) == (Kind.CONFLICT, "stale_version")


async def test_a_setter_reads_the_judging_as_it_was_written_and_the_files_of_its_cases(
    question: QuestionServiceAsyncStub,
) -> None:
    draft = await a_draft(question)
    made = await created(question, draft)
    found = await question.GetJudging(pb.GetJudgingRequest(actor=SETTER, question_id=made.id))
    [case] = found.judging.cases
    assert (case.name, case.input.sha256) == ("1", draft.judging.cases[0].input.sha256)
    assert found.judging.checker == draft.judging.checker
    assert (found.revision, found.limits) == (1, made.limits)

    async def read(number: int, file: pb.CaseFile.ValueType) -> bytes:
        request = pb.GetCaseFileRequest(actor=SETTER, question_id=made.id, number=number, file=file)
        return b"".join([part.chunk async for part in question.GetCaseFile(request)])

    assert await read(1, pb.CASE_FILE_INPUT) == b"1 2\n"
    assert await read(1, pb.CASE_FILE_ANSWER) == b"3\n"
    for number in (0, 2):
        assert await refused(read(number, pb.CASE_FILE_INPUT)) == (Kind.NOT_FOUND, "case_not_found")
