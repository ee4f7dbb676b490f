"""Submissions are shown with names, as far as the viewer may know them."""

from __future__ import annotations

import msgspec
import pytest

from apps.bff.tests.fakes import ToldServices, a_submission
from deepoj_bff.queries import names
from deepoj_bff.queries.names import Names
from deepoj_bff.queries.submissions import NameSubmissions
from deepoj_bff.queries.views.submission import Status, Submission
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError

CONTESTANT, SETTER = Actor(ALICE, Role.CONTESTANT), Actor(ALICE, Role.SETTER)
REFUSED = RemoteError(Kind.FORBIDDEN, "not_allowed", "not for you")
AWAY = RemoteError(Kind.UNAVAILABLE, "away", "try later")
ADA = names.UserName(id="u", name="ada", display_name="Ada L.")
SUM = names.ProblemName(id="q", slug="sum", title="Sum")
ROUND = names.ContestName(title="Round 1", problems=[names._Label(question_id="q", label="B")])  # noqa: SLF001 — same


@pytest.fixture
def services() -> ToldServices:
    hashes = [names._Revision(number=1, judge_hash="old"), names._Revision(number=2, judge_hash="new")]  # noqa: SLF001 — same
    return ToldServices(
        {
            ("user", "List"): names._Users(accounts=[ADA]),  # noqa: SLF001 — same
            ("question", "List"): names._Problems(questions=[SUM]),  # noqa: SLF001 — same
            ("question", "Get"): REFUSED,
            ("game", "Get"): names._ContestAnswer(game=ROUND),  # noqa: SLF001 — same
            ("question", "ListRevisions"): names.RevisionHashes(revisions=hashes),
        }
    )


def sent(number: int = 1, *, contest: str | None = "g", revision: int = 1) -> Submission:
    submission = a_submission(f"s{number}", Status.FINISHED, "u")
    return msgspec.structs.replace(submission, game_id=contest, question_revision=revision)


def calls(services: ToldServices) -> list[tuple[str, str]]:
    return [(service, method) for service, method, _ in services.asked]


async def test_a_page_is_named_by_one_call_to_each_service(services: ToldServices) -> None:
    found = await NameSubmissions(Names(services))([sent(1), sent(2), sent(3, contest=None)], CONTESTANT)
    assert {(each.user_name, each.user_display_name) for each in found} == {("ada", "Ada L.")}
    assert {(each.problem_slug, each.problem_title) for each in found} == {("sum", "Sum")}
    assert [(each.contest_title, each.contest_label) for each in found] == [
        ("Round 1", "B"), ("Round 1", "B"), (None, None)
    ]  # fmt: skip
    assert sorted(calls(services)) == [("game", "Get"), ("question", "List"), ("user", "List")]


async def test_names_are_not_asked_for_again_at_once(services: ToldServices) -> None:
    name = NameSubmissions(Names(services))
    assert await name([sent()], CONTESTANT) == await name([sent()], CONTESTANT)
    assert len(services.asked) == 3


async def test_what_one_viewer_was_told_is_not_told_another(services: ToldServices) -> None:
    name = NameSubmissions(Names(services))
    await name([sent()], SETTER)
    services.answers[("question", "List")] = names._Problems(questions=[])  # noqa: SLF001 — same
    services.answers[("game", "Get")] = REFUSED
    (found,) = await name([sent()], CONTESTANT)
    assert (found.problem_title, found.contest_title, found.contest_label) == (None, None, None)
    assert (found.judge_hash, found.outdated) == (None, False)
    assert found.user_name == "ada"


async def test_a_problem_hidden_elsewhere_is_named_as_its_contest_shows_it(services: ToldServices) -> None:
    services.answers[("question", "List")] = names._Problems(questions=[])  # noqa: SLF001 — same
    services.answers[("question", "Get")] = names._ProblemAnswer(question=SUM)  # noqa: SLF001 — same
    (found,) = await NameSubmissions(Names(services))([sent()], CONTESTANT)
    assert found.problem_title == "Sum"
    assert services.asked[-1][2]["game_id"] == "g"


async def test_only_setters_are_told_what_it_was_judged_by(services: ToldServices) -> None:
    name = NameSubmissions(Names(services))
    found = await name([sent(1, revision=1), sent(2, revision=2)], SETTER)
    assert [(each.judge_hash, each.outdated) for each in found] == [("old", True), ("new", False)]
    services.asked.clear()
    (hidden,) = await name([sent(1, revision=1)], CONTESTANT)
    assert (hidden.judge_hash, hidden.outdated) == (None, False)
    assert ("question", "ListRevisions") not in calls(services)


async def test_without_the_services_that_know_names_submissions_are_shown_without(
    services: ToldServices,
) -> None:
    services.answers = dict.fromkeys(services.answers, AWAY)
    assert await NameSubmissions(Names(services))([sent()], SETTER) == [sent()]
