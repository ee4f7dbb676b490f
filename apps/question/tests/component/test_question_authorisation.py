"""Who may call what: every call, by every role, about a question that is published and one that is not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

from apps.question.tests.calls import (
    ADMIN,
    CONTESTANT,
    GUEST,
    SETTER,
    a_draft,
    created,
    new_id,
    published,
    slug,
)
from deepoj_domain.testing import uuid
from deepoj_kit.grpc import RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb

if TYPE_CHECKING:
    # Known to the type checker only.
    from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceAsyncStub

Make = Callable[[common_pb2.Actor, str], Any]
ACTORS: Final = {
    "guest": GUEST,
    "contestant": CONTESTANT,
    "owner": SETTER,
    "setter": common_pb2.Actor(account_id=str(uuid(7)), role=common_pb2.ROLE_SETTER),
    "judge": common_pb2.Actor(account_id=str(uuid(8)), role=common_pb2.ROLE_JUDGE),
    "admin": ADMIN,
}
OK: Final = "ok"
SIGN_IN: Final = "sign_in_required"
NO: Final = "not_allowed"
NOTHING: Final = "not_found"
# No question has come so far: whoever may change it is told to read it again.
VERSION: Final = 2**40
STALE: Final = "stale_version"
BROKEN: Final = "package_not_a_package"
DRAFT: Final = pb.Draft(slug="x", statements=[pb.Statement(locale="en", title="X", markdown="X.")])


async def parts(first: Any, then: Any) -> AsyncIterator[Any]:  # noqa: ANN401 — of two calls
    yield first
    yield then


def an_import(actor: common_pb2.Actor, question_id: str) -> AsyncIterator[pb.ImportPackageRequest]:
    header = pb.ImportHeader(actor=actor, question_id=question_id, format=pb.ARCHIVE_FORMAT_ZIP)
    return parts(pb.ImportPackageRequest(header=header), pb.ImportPackageRequest(chunk=b"no package"))


def an_object(actor: common_pb2.Actor, _: str) -> AsyncIterator[pb.PutObjectRequest]:
    header = pb.PutObjectHeader(actor=actor)
    return parts(pb.PutObjectRequest(header=header), pb.PutObjectRequest(chunk=b"3\n"))


# A call, and the answers to the actors above: about one that is hidden, and about one that is published.
TABLE: Final[dict[str, tuple[Make, tuple[str, ...], tuple[str, ...]]]] = {
    "Get": (
        lambda actor, key: pb.GetRequest(actor=actor, question_id=key),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (OK, OK, OK, OK, OK, OK),
    ),
    "Get an earlier revision": (
        lambda actor, key: pb.GetRequest(actor=actor, question_id=key, revision=1),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (NO, NO, OK, NO, OK, OK),
    ),
    "GetStatement": (
        lambda actor, key: pb.GetStatementRequest(actor=actor, question_id=key),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (OK, OK, OK, OK, OK, OK),
    ),
    "GetStatement of an earlier revision": (
        lambda actor, key: pb.GetStatementRequest(actor=actor, question_id=key, revision=1),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (NO, NO, OK, NO, OK, OK),
    ),
    "List": (
        lambda actor, key: pb.ListRequest(actor=actor, question_ids=[key]),
        (OK, OK, OK, OK, OK, OK),
        (OK, OK, OK, OK, OK, OK),
    ),
    "Update": (
        lambda actor, key: pb.UpdateRequest(actor=actor, question_id=key, version=VERSION, draft=DRAFT),
        (SIGN_IN, NOTHING, STALE, NOTHING, NO, STALE),
        (SIGN_IN, NO, STALE, NO, NO, STALE),
    ),
    "Relist": (
        lambda actor, key: pb.RelistRequest(actor=actor, question_id=key, version=VERSION, slug="y"),
        (SIGN_IN, NOTHING, STALE, NOTHING, NO, STALE),
        (SIGN_IN, NO, STALE, NO, NO, STALE),
    ),
    "ListTags": (lambda _, __: pb.ListTagsRequest(), (OK,) * 6, (OK,) * 6),
    "Delete": (
        lambda actor, key: pb.DeleteRequest(actor=actor, question_id=key, version=VERSION),
        (SIGN_IN, NOTHING, STALE, NOTHING, NO, STALE),
        (SIGN_IN, NO, STALE, NO, NO, STALE),
    ),
    "ListRevisions": (
        lambda actor, key: pb.ListRevisionsRequest(actor=actor, question_id=key),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (NO, NO, OK, NO, OK, OK),
    ),
    "GetJudging": (
        lambda actor, key: pb.GetJudgingRequest(actor=actor, question_id=key),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (NO, NO, OK, NO, OK, OK),
    ),
    "GetCaseFile": (
        lambda actor, key: pb.GetCaseFileRequest(
            actor=actor, question_id=key, number=1, file=pb.CASE_FILE_ANSWER
        ),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (NO, NO, OK, NO, OK, OK),
    ),
    "ExportPackage": (
        lambda actor, key: pb.ExportPackageRequest(
            actor=actor, question_id=key, format=pb.ARCHIVE_FORMAT_ZIP
        ),
        (NOTHING, NOTHING, OK, NOTHING, OK, OK),
        (NO, NO, OK, NO, OK, OK),
    ),
    "GetAsset": (
        lambda actor, key: pb.GetAssetRequest(actor=actor, question_id=key, name="none.png"),
        (NOTHING, NOTHING, "asset_not_found", NOTHING, "asset_not_found", "asset_not_found"),
        ("asset_not_found",) * 6,
    ),
    "ImportPackage": (
        an_import,
        (SIGN_IN, NOTHING, BROKEN, NOTHING, NO, BROKEN),
        (SIGN_IN, NO, BROKEN, NO, NO, BROKEN),
    ),
    "ImportPackage as a new question": (
        lambda actor, _: an_import(actor, str(new_id())),
        (SIGN_IN, NO, *(BROKEN,) * 4),
        (SIGN_IN, NO, *(BROKEN,) * 4),
    ),
    "PutObject": (an_object, (SIGN_IN, NO, OK, OK, OK, OK), (SIGN_IN, NO, OK, OK, OK, OK)),
    "Create": (
        lambda actor, _: pb.CreateRequest(
            actor=actor, question_id=str(new_id()), draft=pb.Draft(slug=slug(), statements=DRAFT.statements)
        ),
        (SIGN_IN, NO, *("judging_missing",) * 4),
        (SIGN_IN, NO, *("judging_missing",) * 4),
    ),
    # The call of the owner publishes it, before those of the others after them.
    "SetEnabled": (
        lambda actor, key: pb.SetEnabledRequest(actor=actor, question_id=key, enabled=True),
        (SIGN_IN, NOTHING, OK, NO, NO, OK),
        (SIGN_IN, NO, OK, NO, NO, OK),
    ),
}
# Asked by judge workers, who have no account.
FOR_SERVICES: Final = {"GetJudgeSpec", "ListHidden"}


@pytest.fixture
async def questions(question: QuestionServiceAsyncStub) -> tuple[str, str]:
    """Make a hidden question and a published one, both of two revisions; return their ids."""
    made = []
    for _ in range(2):
        draft = await a_draft(question)
        first = await created(question, draft)
        draft.statements[0].title = "Total"
        update = pb.UpdateRequest(actor=SETTER, question_id=first.id, version=first.version, draft=draft)
        made.append((await question.Update(update)).question.id)
    await published(question, made[1])
    return made[0], made[1]


async def answer(question: QuestionServiceAsyncStub, call: str, request: object) -> str:
    answered: Any = getattr(question, call.partition(" ")[0])(request)
    try:
        if hasattr(answered, "__aiter__"):
            async for _ in answered:
                pass
        else:
            await answered
    except RemoteError as error:
        return error.reason
    return OK


@pytest.mark.parametrize("call", TABLE)
async def test_what_each_role_may_do_with_a_hidden_and_with_a_published_question(
    question: QuestionServiceAsyncStub, questions: tuple[str, str], call: str
) -> None:
    make, *expected = TABLE[call]
    for key, answers in zip(questions, expected, strict=True):
        found = {who: await answer(question, call, make(actor, key)) for who, actor in ACTORS.items()}
        assert found == dict(zip(ACTORS, answers, strict=True))


def test_the_table_knows_every_call() -> None:
    calls = set(pb.DESCRIPTOR.services_by_name["QuestionService"].methods_by_name)
    assert {call.partition(" ")[0] for call in TABLE} | FOR_SERVICES == calls
