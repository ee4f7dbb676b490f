"""Event streams as answers: their statuses, before anything is streamed."""

from __future__ import annotations

from uuid import UUID, uuid4

import httpx
import pytest

from apps.bff.tests.fakes import Signer, ToldServices, a_detail
from deepoj_bff.container import Container
from deepoj_bff.inbound.http.auth.caller import Caller, Identity, Means
from deepoj_bff.queries.services import Origin
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.board import Scoreboard
from deepoj_bff.queries.views.submission import Status
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import Kind, RemoteError

ID = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"
ONE = f"/api/submissions/{ID}/events"
STREAMS = ["/api/submissions/events", ONE, f"/api/contests/{ID}/events"]


@pytest.fixture
def account() -> UUID:
    return uuid4()


@pytest.fixture
def headers(signer: Signer, account: UUID, services: ToldServices) -> dict[str, str]:
    services.answers["record", "Get"] = a_detail("s1", Status.FINISHED)
    # Submissions are shown without names when nobody tells them.
    away = RemoteError(Kind.UNAVAILABLE, "away", "try later")
    services.answers["user", "List"] = services.answers["question", "List"] = away
    services.answers["game", "GetScoreboard"] = Scoreboard(
        rows=[], page=PageInfo(), sequence=1, view=BoardView.PUBLIC
    )
    return signer.headers(Role.CONTESTANT, account)


@pytest.mark.parametrize("path", STREAMS)
async def test_one_stream_too_many_is_429_with_the_time_to_wait(
    client: httpx.AsyncClient,
    containers: dict[tuple[str | None, int], Container],
    headers: dict[str, str],
    account: UUID,
    path: str,
) -> None:
    [streams] = [each.open_streams() for key, each in containers.items() if key == (None, 10_000)]
    actor = Actor(AccountId(account), Role.CONTESTANT)
    caller = Caller(Identity(actor, Means.BEARER), Origin("192.0.2.1", ""))
    taken = [streams.take("contest", caller) for _ in range(streams.terms.most_of_one)]
    answer = await client.get(path, headers=headers)
    assert (answer.status_code, answer.json()["reason"]) == (429, "too_many_streams")
    assert answer.headers["retry-after"] == "5"
    assert len(taken) == 20


@pytest.mark.parametrize("path", STREAMS[1:])
async def test_a_refusal_is_a_status_and_takes_no_place(
    client: httpx.AsyncClient, services: ToldServices, headers: dict[str, str], path: str
) -> None:
    services.otherwise = RemoteError(Kind.NOT_FOUND, "not_found", "there is none")
    services.answers.pop(("record", "Get"))
    services.answers.pop(("game", "GetScoreboard"))
    for _ in range(30):
        assert (await client.get(path, headers=headers)).status_code == 404


async def test_whoever_has_the_final_state_is_told_that_nothing_follows(
    client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    whole = await client.get(ONE, headers=headers)
    assert whole.headers["content-type"].startswith("text/event-stream")
    last = next(line[4:] for line in whole.text.splitlines() if line.startswith("id: "))
    assert whole.text.endswith("event: end\ndata: {}\n\n")
    again = await client.get(ONE, headers={**headers, "last-event-id": last})
    assert (again.status_code, again.content) == (204, b"")
