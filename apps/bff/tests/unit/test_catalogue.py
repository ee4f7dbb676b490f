"""The list of problems: what question lists, joined with what record counts."""

from __future__ import annotations

from uuid import UUID, uuid4

import msgspec
import pytest

from apps.bff.tests.fakes import ToldServices
from deepoj_bff.outbound.answer_cache import AnswerCache, Lifetimes
from deepoj_bff.queries.catalogue import Mine, ReadCatalogue
from deepoj_bff.queries.problems import ProblemSearch, ReadProblems, Sort
from deepoj_bff.queries.projections.revisions import Revisions
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.problem import (
    ListedProblem,
    ListedProblems,
    LocalTitle,
    Problems,
    ProblemSummary,
)
from deepoj_bff.queries.views.statistics import (
    ProblemMark,
    ProblemMarks,
    ProblemPeople,
    ProblemPeopleCounts,
    Solvers,
    SolversOfAll,
)
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError

FIRST, SECOND = str(uuid4()), str(uuid4())
ME = Actor(ALICE, Role.CONTESTANT)
ALL = ProblemSearch(page=Page(None, None))


def listed(problem_id: str) -> ListedProblem:
    return ListedProblem(
        id=problem_id,
        slug="sum",
        title="Sum",
        level=None,
        tags=[],
        enabled=True,
        revision=1,
        updated_at=None,
        owner_id=str(uuid4()),
        titles=[LocalTitle(locale="en", title="Sum"), LocalTitle(locale="zh", title="和")],
    )


@pytest.fixture
def services() -> ToldServices:
    return ToldServices(
        {
            ("question", "List"): ListedProblems(questions=[listed(FIRST), listed(SECOND)], page=PageInfo()),
            ("record", "CountPeople"): ProblemPeopleCounts(
                counts=[ProblemPeople(question_id=FIRST, attempted=3, accepted=2)]
            ),
            ("record", "ListMarks"): ProblemMarks(
                marks=[
                    ProblemMark(question_id=FIRST, solved=True),
                    ProblemMark(question_id=SECOND, solved=False),
                ]
            ),
        }
    )


@pytest.fixture
def catalogue(services: ToldServices) -> ReadCatalogue:
    def cache() -> AnswerCache:
        return AnswerCache(Lifetimes(fresh=10.0, stale=10.0), None, lambda _: None)

    revisions = Revisions()
    revisions.following = True
    return ReadCatalogue(services, ReadProblems(services, revisions, cache(), cache(), cache()), cache())


async def items(
    catalogue: ReadCatalogue, actor: Actor | None, mine: Mine | None = None, asked: ProblemSearch = ALL
) -> list[ProblemSummary]:
    found = await catalogue.page(asked, mine, actor)
    assert found.body is not None
    return msgspec.json.decode(found.body, type=Problems).items


def last_list(services: ToldServices) -> dict[str, object]:
    return next(sent for _, method, sent in reversed(services.asked) if method == "List")


async def test_a_list_tells_titles_people_and_marks(catalogue: ReadCatalogue) -> None:
    first, second = await items(catalogue, ME)
    assert (first.locales, first.titles["zh"]) == (["en", "zh"], "和")
    assert (first.attempted, first.accepted, first.mine) == (3, 2, "solved")
    assert (second.attempted, second.accepted, second.mine) == (0, 0, "tried")


async def test_a_guest_has_no_marks_and_costs_no_call_for_them(
    catalogue: ReadCatalogue, services: ToldServices
) -> None:
    assert {each.mine for each in await items(catalogue, None)} == {None}
    assert "ListMarks" not in {method for _, method, _ in services.asked}


async def test_the_list_is_shown_while_nobody_can_count(
    catalogue: ReadCatalogue, services: ToldServices
) -> None:
    for method in ("CountPeople", "ListMarks"):
        services.answers["record", method] = RemoteError(Kind.UNAVAILABLE, "away", "away")
    assert [(each.attempted, each.mine) for each in await items(catalogue, ME)] == [(None, None)] * 2


@pytest.mark.parametrize(
    ("mine", "only", "without"),
    [
        (Mine.SOLVED, [UUID(FIRST)], None),
        (Mine.TRIED, [UUID(SECOND)], None),
        (Mine.UNTOUCHED, None, sorted([UUID(FIRST), UUID(SECOND)])),
    ],
)
async def test_a_mark_narrows_the_search(
    catalogue: ReadCatalogue, services: ToldServices, mine: Mine, only: object, without: object
) -> None:
    await items(catalogue, ME, mine)
    sent = last_list(services)
    assert (sent["question_ids"], sent["excluded_ids"]) == (only, without)


async def test_a_mark_that_nothing_has_finds_nothing(
    catalogue: ReadCatalogue, services: ToldServices
) -> None:
    assert await items(catalogue, None, Mine.SOLVED) == []
    asked = ProblemSearch(question_ids=[UUID(SECOND)], page=Page(None, None))
    assert await items(catalogue, ME, Mine.SOLVED, asked) == []
    assert "List" not in {method for _, method, _ in services.asked}


def test_only_what_many_ask_is_shared() -> None:
    page = Page(20, None)
    assert not ProblemSearch(sort=Sort.NEWEST, published=True, page=page).is_made_up
    assert ProblemSearch(question_ids=[UUID(FIRST)], page=page).is_made_up
    assert ProblemSearch(page=Page(20, "x")).is_made_up


async def test_the_sort_by_solvers_is_by_what_record_counts_once_for_all(
    catalogue: ReadCatalogue, services: ToldServices
) -> None:
    counted = [Solvers(question_id=SECOND, people=7)]
    services.answers["record", "ListSolvers"] = SolversOfAll(solvers=counted)
    asked = ProblemSearch(sort=Sort.SOLVED, page=Page(None, None))
    for who in (ME, None):
        await items(catalogue, who, asked=asked)
    assert last_list(services)["solvers"] == counted
    assert [method for _, method, _ in services.asked].count("ListSolvers") == 1
    await items(catalogue, ME)
    assert last_list(services)["solvers"] is None


async def test_without_counts_there_is_no_order_by_them(
    catalogue: ReadCatalogue, services: ToldServices
) -> None:
    services.answers["record", "ListSolvers"] = RemoteError(Kind.UNAVAILABLE, "away", "away")
    with pytest.raises(RemoteError):
        await items(catalogue, ME, asked=ProblemSearch(sort=Sort.SOLVED, page=Page(None, None)))
