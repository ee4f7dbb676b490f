"""The preview of a rejudge names the contests that it touches."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.bff.tests.fakes import ToldServices
from deepoj_bff.queries import names
from deepoj_bff.queries.names import Names
from deepoj_bff.queries.preview_rejudge import PreviewRejudge
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.admin import RejudgedContest, RejudgePreview, RejudgeState
from deepoj_bff.queries.views.base import PageInfo
from deepoj_domain.testing import ROOT
from deepoj_kit.grpc import Kind, RemoteError

FINAL = RejudgedContest(game_id="g", submissions=2)


@pytest.fixture
def services() -> ToldServices:
    preview = RejudgePreview(
        state=RejudgeState.OPEN, selected=2, submissions=2, judged=0, failed=0, changed=0, applied=0,
        dropped=0, matrix=[], submission_id=None, filter=None, games=[FINAL], effects=[], page=PageInfo(),
    )  # fmt: skip
    contest = names.ContestName(title="Final", problems=[])
    return ToldServices(
        {
            ("record", "PreviewRejudge"): preview,
            ("game", "Get"): names._ContestAnswer(game=contest),  # noqa: SLF001 — what the game service answers
        }
    )


async def contests(services: ToldServices) -> list[RejudgedContest]:
    found = await PreviewRejudge(services, Names(services))(UUID(int=1), Page(None, None), ROOT)
    return found.games


async def test_a_contest_is_told_with_its_title(services: ToldServices) -> None:
    assert await contests(services) == [RejudgedContest(game_id="g", submissions=2, title="Final")]


@pytest.mark.parametrize("kind", [Kind.UNAVAILABLE, Kind.NOT_FOUND])
async def test_without_a_title_it_is_told_all_the_same(services: ToldServices, kind: Kind) -> None:
    services.answers["game", "Get"] = RemoteError(kind, "away", "try later")
    assert await contests(services) == [FINAL]
