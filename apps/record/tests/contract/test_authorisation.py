"""Who may call what: every call, by every role, about one's own submission and about another's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

import pytest
from google.protobuf.message import Message

from apps.record.tests.people import a_request
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION
from deepoj_kit.grpc import Refusal
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.container import Container

OK: Final = "ok"
SIGN_IN: Final = "sign_in_required"
NO: Final = "not_allowed"
NOTHING: Final = "not_found"
NOT_YOURS: Final = "not_owner"
MISSING: Final = str(uuid4())
ACTORS: Final = {
    "guest": common_pb2.Actor(role=common_pb2.ROLE_GUEST),
    "owner": common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT),
    "contestant": common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_CONTESTANT),
    "setter": common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_SETTER),
    "judge": common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_JUDGE),
    "admin": common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_ADMIN),
}
# A call without its actor, and the answers to those above, in this order. A call "in a game" is about a
# submission to one that is running.
TABLE: Final[Mapping[str, tuple[Message, tuple[str, ...]]]] = {
    "Submit": (a_request(), (SIGN_IN, OK, OK, OK, OK, OK)),
    "Get": (record_pb2.GetRequest(), (NOTHING, OK, OK, OK, OK, OK)),
    "Get in a game": (record_pb2.GetRequest(), (NOTHING, OK, NOTHING, NOTHING, OK, OK)),
    "List": (record_pb2.ListRequest(), (SIGN_IN, OK, OK, OK, OK, OK)),
    "Cancel": (record_pb2.CancelRequest(), (SIGN_IN, OK, NOTHING, NOTHING, NOT_YOURS, OK)),
    "Cancel in a game": (
        record_pb2.CancelRequest(),
        (SIGN_IN, "in_a_contest", NOTHING, NOTHING, NOT_YOURS, OK),
    ),
    "Explain": (record_pb2.ExplainRequest(), (NOTHING, OK, NO, NO, OK, OK)),
    "Explain in a game": (record_pb2.ExplainRequest(), (NOTHING, OK, NOTHING, NOTHING, OK, OK)),
    # Nothing is judged yet: whoever may is told so.
    "GetLog": (
        record_pb2.GetLogRequest(log=record_pb2.LOG_COMPILE),
        (NOTHING, NOTHING, NO, NO, NOTHING, NOTHING),
    ),
    "GetLog in a game": (
        record_pb2.GetLogRequest(log=record_pb2.LOG_COMPILE),
        # The game tells nobody their verdict yet.
        (NOTHING, NO, NOTHING, NOTHING, NOTHING, NOTHING),
    ),
    "StartRejudge": (
        record_pb2.StartRejudgeRequest(rejudge_id=MISSING),
        (SIGN_IN, NO, NO, NO, "selects_nothing", "selects_nothing"),
    ),
    "PreviewRejudge": (
        record_pb2.PreviewRejudgeRequest(rejudge_id=MISSING),
        (NO, NO, NO, NO, NOTHING, NOTHING),
    ),
    "ApplyRejudge": (
        record_pb2.ApplyRejudgeRequest(rejudge_id=MISSING),
        (SIGN_IN, NO, NO, NO, NOTHING, NOTHING),
    ),
    "DiscardRejudge": (
        record_pb2.DiscardRejudgeRequest(rejudge_id=MISSING),
        (SIGN_IN, NO, NO, NO, NOTHING, NOTHING),
    ),
    "CountRejudge": (
        record_pb2.CountRejudgeRequest(filter=record_pb2.SubmissionFilter(account_id=str(ALICE))),
        (NO, NO, NO, NO, OK, OK),
    ),
    "CountByRevision": (
        record_pb2.CountByRevisionRequest(question_id=str(QUESTION)),
        (NO, NO, NO, NO, OK, OK),
    ),
    "ListRejudges": (record_pb2.ListRejudgesRequest(), (NO, NO, NO, NO, OK, OK)),
    "ListDeadLetters": (record_pb2.ListDeadLettersRequest(), (NO, NO, NO, NO, NO, OK)),
    "ReplayDeadLetter": (
        record_pb2.ReplayDeadLetterRequest(new_submission_id=MISSING),
        (SIGN_IN, NOT_YOURS, NOT_YOURS, NOT_YOURS, NOT_YOURS, "not_in_expected_state"),
    ),
    "ListDeadLetterGroups": (record_pb2.ListDeadLetterGroupsRequest(), (NO, NO, NO, NO, NO, OK)),
    "ReplayDeadLetters": (
        record_pb2.ReplayDeadLettersRequest(group="0" * 32),
        (SIGN_IN, NOT_YOURS, NOT_YOURS, NOT_YOURS, NOT_YOURS, OK),
    ),
    "DrainWorker": (record_pb2.DrainWorkerRequest(name="judge-9"), (NO, NO, NO, NO, NO, OK)),
    "ResumeWorker": (
        record_pb2.ResumeWorkerRequest(name="judge-9"),
        (NO, NO, NO, NO, NO, "not_drained"),
    ),
    "ListAttempts": (record_pb2.ListAttemptsRequest(), (NO, NO, NO, NO, OK, OK)),
    "ListDrains": (record_pb2.ListDrainsRequest(), (NO, NO, NO, NO, OK, OK)),
    "StartReproduction": (
        record_pb2.StartReproductionRequest(reproduction_id=MISSING, worker="judge-9"),
        (NO, NO, NO, NO, OK, OK),
    ),
    "GetReproduction": (
        record_pb2.GetReproductionRequest(reproduction_id=MISSING),
        (NO, NO, NO, NO, NOTHING, NOTHING),
    ),
    "GetWorkload": (record_pb2.GetWorkloadRequest(), (NO, NO, NO, NO, OK, OK)),
}
# Asked by other services on their own behalf, and Submit for many, which answers each as Submit does.
FOR_SERVICES: Final = {
    "SubmitMany", "QueueStats", "BestRecord", "CountPassed", "CountByQuestion", "CountByDay", "CountPeople",
    "ListMarks", "ListSolvers", "AccountLoad", "ReadGame", "JoinHost",
}  # fmt: skip


async def answer(container: Container, call: str, actor: common_pb2.Actor) -> str:
    """Make the call about a new submission of the owner's."""
    template, _ = TABLE[call]
    request: Any = type(template)()
    request.CopyFrom(template)
    request.actor.CopyFrom(actor)
    servicer: Any = container.record_servicer()
    if "submission_id" in request.DESCRIPTOR.fields_by_name:
        request.submission_id = str(uuid4())
        if call != "Submit":
            sent = a_request(game=str(GAME) if call.endswith("game") else "")
            sent.submission_id = request.submission_id
            await servicer.Submit(sent, None)
    try:
        await getattr(servicer, call.partition(" ")[0])(request, None)
    except Refusal as refusal:
        return refusal.reason
    return OK


@pytest.mark.parametrize("call", TABLE)
async def test_what_each_role_may_do(container: Container, call: str) -> None:
    found = {who: await answer(container, call, actor) for who, actor in ACTORS.items()}
    assert found == dict(zip(ACTORS, TABLE[call][1], strict=True))


def test_the_table_knows_every_call() -> None:
    calls = set(record_pb2.DESCRIPTOR.services_by_name["RecordService"].methods_by_name)
    assert {call.partition(" ")[0] for call in TABLE} | FOR_SERVICES == calls
