"""What a change of a problem means for what was judged before it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from apps.bff.tests.fakes import ToldServices
from deepoj_bff.queries import problem_revisions
from deepoj_bff.queries.problem_revisions import ReadProblemRevisions
from deepoj_bff.queries.views.problem import ProblemRevision, ProblemRevisions, RevisionPart
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError

SETTER = Actor(ALICE, Role.SETTER)


def revision(number: int, judge_hash: str, *changes: RevisionPart) -> ProblemRevision:
    return ProblemRevision(
        number=number, made_by=str(ALICE), made_at=None, judge_hash=judge_hash, changes=list(changes)
    )


@pytest.fixture
def services() -> ToldServices:
    counts = [
        problem_revisions._Count(revision=number, submissions=10 * number)  # noqa: SLF001 — record's answer
        for number in (1, 2, 3)
    ]
    revisions = [
        revision(4, "new", RevisionPart.STATEMENT),
        revision(3, "new", RevisionPart.TESTS),
        revision(2, "old", RevisionPart.STATEMENT),
        revision(1, "old"),
    ]
    return ToldServices(
        {
            ("question", "ListRevisions"): ProblemRevisions(revisions=revisions),
            ("record", "CountByRevision"): problem_revisions._Counts(revisions=counts),  # noqa: SLF001 — same
        }
    )


async def told(services: ToldServices) -> list[tuple[int, int | None]]:
    found = await ReadProblemRevisions(services)(uuid4(), SETTER)
    return [(each.number, each.outdated_submissions) for each in found.revisions]


async def test_what_was_judged_by_another_hash_than_the_newest_is_out_of_date(services: ToldServices) -> None:
    assert await told(services) == [(4, 0), (3, 0), (2, 20), (1, 10)]


async def test_revisions_are_told_while_nobody_can_count(services: ToldServices) -> None:
    services.answers["record", "CountByRevision"] = RemoteError(Kind.UNAVAILABLE, "away", "away")
    assert {count for _, count in await told(services)} == {None}
