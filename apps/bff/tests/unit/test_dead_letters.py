"""Dead letters are shown with names, and without where nobody knows them."""

from __future__ import annotations

import pytest

from apps.bff.tests.fakes import ToldServices
from deepoj_bff.queries import names
from deepoj_bff.queries.dead_letters import ReadDeadLetters
from deepoj_bff.queries.names import Names
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.admin import DeadLetter, DeadLetters
from deepoj_bff.queries.views.base import PageInfo
from deepoj_domain.testing import ROOT
from deepoj_kit.grpc import Kind, RemoteError

LETTER = DeadLetter(
    submission_id="s", reason="poison", last_error="no disk", attempts=1, died_at=None, replayed_as=None,
    replayed_status=None, replay_of=None, game_id=None, account_id="u", question_id="q", language="c11",
)  # fmt: skip
GROUP = "0" * 32


@pytest.fixture
def services() -> ToldServices:
    ada = names.UserName(id="u", name="ada", display_name="Ada L.")
    sum_up = names.ProblemName(id="q", slug="sum", title="Sum")
    return ToldServices(
        {
            ("record", "ListDeadLetters"): DeadLetters(dead_letters=[LETTER], page=PageInfo()),
            ("user", "List"): names._Users(accounts=[ada]),  # noqa: SLF001 — what the user service answers
            ("question", "List"): names._Problems(questions=[sum_up]),  # noqa: SLF001 — same
        }
    )


async def listed(services: ToldServices) -> DeadLetter:
    found = await ReadDeadLetters(services, Names(services))(GROUP, Page(None, None), ROOT)
    (letter,) = found.dead_letters
    return letter


async def test_a_dead_letter_names_the_person_and_the_problem(services: ToldServices) -> None:
    letter = await listed(services)
    assert (letter.user_name, letter.problem_slug, letter.problem_title) == ("ada", "sum", "Sum")
    assert services.asked[0][2]["group"] == GROUP


async def test_without_those_who_know_names_it_is_shown_all_the_same(services: ToldServices) -> None:
    for call in (("user", "List"), ("question", "List")):
        services.answers[call] = RemoteError(Kind.UNAVAILABLE, "away", "try later")
    assert await listed(services) == LETTER
