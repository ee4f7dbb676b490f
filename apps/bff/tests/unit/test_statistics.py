"""Statistics of problems and profiles: for whom, and how often they are counted."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import httpx
import pytest

from apps.bff.tests.fakes import Signer, ToldServices, a_problem, a_submission
from deepoj_bff.queries.views.statistics import (
    BestSubmission,
    DayCount,
    DayCounts,
    Passed,
    ProblemCount,
    ProblemCounts,
)
from deepoj_bff.queries.views.submission import Status
from deepoj_bff.queries.views.user import Role as ShownRole
from deepoj_bff.queries.views.user import User, UserAnswer
from deepoj_domain.account.account import AccountStatus
from deepoj_domain.kernel.role import Role
from deepoj_kit.grpc import Kind, RemoteError

SOMEBODY = User(
    id=str(uuid4()),
    name="ada",
    display_name="Ada",
    email=None,
    role=ShownRole.CONTESTANT,
    status=AccountStatus.ACTIVE,
    created_at=None,
    bio="",
    avatar="",
)
HIDDEN = RemoteError(Kind.NOT_FOUND, "not_found", "there is none")


@pytest.fixture
def counted(services: ToldServices) -> ToldServices:
    tally = ProblemCount(question_id="", submitted=7, accepted=3)
    day = DayCount(day="2026-01-31", submitted=2, accepted=1)
    services.answers |= {
        ("record", "CountByQuestion"): ProblemCounts(counts=[tally]),
        ("record", "CountByDay"): DayCounts(days=[day]),
        ("record", "CountPassed"): Passed(questions=5),
    }
    return services


async def test_a_problem_is_counted_once_for_all_who_may_see_it(
    client: httpx.AsyncClient, counted: ToldServices
) -> None:
    problem = str(uuid4())
    counted.answers["question", "Get"] = a_problem("sum", problem)
    answers = [await client.get(f"/api/problems/{problem}/statistics") for _ in range(3)]
    assert [answer.json() for answer in answers] == [{"submitted": 7, "accepted": 3}] * 3
    assert [method for _, method, _ in counted.asked].count("CountByQuestion") == 1


async def test_by_a_hidden_problem_nothing_is_counted(
    client: httpx.AsyncClient, counted: ToldServices
) -> None:
    counted.answers["question", "Get"] = HIDDEN
    assert (await client.get(f"/api/problems/{uuid4()}/statistics")).status_code == 404
    assert "CountByQuestion" not in [method for _, method, _ in counted.asked]


async def test_a_profile_counts_solved_problems_and_the_days_of_a_year(
    client: httpx.AsyncClient, counted: ToldServices
) -> None:
    counted.answers["user", "Get"] = UserAnswer(account=SOMEBODY)
    answer = await client.get(f"/api/users/{uuid4()}/statistics")
    assert answer.json() == {
        "passed": 5, "days": [{"day": "2026-01-31", "submitted": 2, "accepted": 1}]
    }  # fmt: skip
    [period] = [fields for _, method, fields in counted.asked if method == "CountByDay"]
    assert period["before"] - period["from_"] == timedelta(days=366)  # type: ignore[operator]  # two moments
    counted.answers["user", "Get"] = HIDDEN
    assert (await client.get(f"/api/users/{uuid4()}/statistics")).status_code == 404


async def test_the_best_submission_is_asked_for_as_the_caller(
    client: httpx.AsyncClient, counted: ToldServices, signer: Signer
) -> None:
    account, headers = uuid4(), signer.headers(Role.CONTESTANT)
    path = f"/api/users/{account}/best/{uuid4()}"
    counted.answers["record", "BestRecord"] = BestSubmission(submission=a_submission("s1", Status.FINISHED))
    assert (await client.get(path)).status_code == 401
    assert (await client.get(path, headers=headers)).json()["submission"]["id"] == "s1"
    assert counted.asked[-1][2]["account_id"] == account
    counted.answers["record", "BestRecord"] = BestSubmission(submission=None)
    assert (await client.get(path, headers=headers)).json() == {"submission": None}
