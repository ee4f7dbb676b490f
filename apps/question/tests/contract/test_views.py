"""The catalogue in PostgreSQL: search, filters, pages, and who sees what."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.paging import PageRequest, at_text, cursor_of, page_request
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.listing import Level, Listing, question_slug, tag
from deepoj_domain.question.presentation import Presentation, Statement
from deepoj_domain.question.question import Publication, Question
from deepoj_domain.question.revision import RevisionContent
from deepoj_domain.testing import ALICE, BOB, NOW, some_content, some_judging, uuid
from deepoj_question.outbound.postgres.question_reader import PostgresQuestionViews
from deepoj_question.outbound.postgres.question_repository import PostgresQuestions
from deepoj_question.queries.list import List
from deepoj_question.queries.ports import Search, Solvers, Sort


@dataclass
class Shelf:
    questions: PostgresQuestions
    views: PostgresQuestionViews
    ids: dict[QuestionId, str] = field(default_factory=dict)

    async def put(
        self, slug: str, *titles: str, owner: AccountId = BOB, hidden: bool = False, **listing: object
    ) -> QuestionId:
        key = QuestionId(uuid(100 + len(self.ids)))
        self.ids[key] = slug
        statements = tuple(
            Statement(locale, title, "")
            for locale, title in zip(("en", "zh"), titles or (slug,), strict=False)
        )
        content = RevisionContent(presentation=Presentation(statements=statements), judging=some_judging())
        listed = replace(Listing(slug=question_slug(slug)), **listing)  # type: ignore[arg-type]  # any field
        question = Question.create(key, owner, listed, content, NOW).after
        shown = Publication.DRAFT if hidden else Publication.PUBLISHED
        await self.questions.add(replace(question, publication=shown), ())
        return key

    async def slugs(self, search: Search, actor: Actor | None = None) -> list[str]:
        found = await List(self.views)(actor, search, PageRequest())
        return [each.listing.slug for each in found.page.items]


@pytest.fixture
def shelf(postgres_questions: PostgresQuestions, views: PostgresQuestionViews) -> Shelf:
    return Shelf(postgres_questions, views)


async def test_a_search_finds_slugs_and_titles_in_every_language_whatever_the_case(shelf: Shelf) -> None:
    await shelf.put("a-plus-b", "Sum of Two", "两数之和")
    await shelf.put("knapsack", "100% full_bag")
    assert await shelf.slugs(Search(text="SUM")) == ["a-plus-b"]
    assert await shelf.slugs(Search(text="两数")) == ["a-plus-b"]
    assert await shelf.slugs(Search(text="plus")) == ["a-plus-b"]
    assert await shelf.slugs(Search(text="0% full_b")) == ["knapsack"]
    assert await shelf.slugs(Search(text="%")) == ["knapsack"]
    assert await shelf.slugs(Search(text="nothing")) == []


async def test_filters_are_joined_by_and(shelf: Shelf) -> None:
    graphs, dp = tag("graphs"), tag("dp")
    first = await shelf.put("a", level=Level.EASY, tags=frozenset({graphs}))
    await shelf.put("b", level=Level.HARD, tags=frozenset({graphs, dp}))
    await shelf.put("c", owner=ALICE)
    assert await shelf.slugs(Search(tags=frozenset({graphs}))) == ["a", "b"]
    assert await shelf.slugs(Search(tags=frozenset({graphs, dp}))) == ["b"]
    assert await shelf.slugs(Search(level=Level.EASY, tags=frozenset({graphs}))) == ["a"]
    assert await shelf.slugs(Search(owner=ALICE)) == ["c"]
    assert await shelf.slugs(Search(ids=frozenset({first, QuestionId(uuid(1))}))) == ["a"]
    assert await shelf.slugs(Search(text="a", owner=ALICE)) == []


@pytest.mark.parametrize(
    ("actor", "seen"),
    [
        (None, ["public"]),
        (Actor(AccountId(uuid(7)), Role.CONTESTANT), ["public"]),
        (Actor(AccountId(uuid(7)), Role.SETTER), ["public"]),
        (Actor(ALICE, Role.CONTESTANT), ["public", "of-alice"]),
        (Actor(BOB, Role.SETTER), ["public", "of-bob"]),
        (Actor(AccountId(uuid(7)), Role.JUDGE), ["public", "of-bob", "of-alice"]),
        (Actor(AccountId(uuid(7)), Role.ADMIN), ["public", "of-bob", "of-alice"]),
    ],
)
async def test_a_list_holds_what_is_published_what_is_ones_own_and_all_for_the_staff(
    shelf: Shelf, actor: Actor | None, seen: list[str]
) -> None:
    await shelf.put("public")
    await shelf.put("of-bob", hidden=True)
    await shelf.put("of-alice", hidden=True, owner=ALICE)
    assert await shelf.slugs(Search(), actor) == seen
    hidden = [each for each in seen if each == "of-bob"]
    assert await shelf.slugs(Search(owner=BOB), actor) == ["public", *hidden]


async def test_pages_follow_each_other_without_gap_or_overlap(shelf: Shelf) -> None:
    for number in range(7):
        await shelf.put(f"q{number}", hidden=number == 3)
    seen: list[str] = []
    page = PageRequest(size=2)
    while True:
        found = await List(shelf.views)(None, Search(), page)
        seen += [each.listing.slug for each in found.page.items]
        if found.page.next is None:
            break
        page = page_request(2, cursor_of(found.page.next))
    assert seen == ["q0", "q1", "q2", "q4", "q5", "q6"]


async def test_a_page_names_the_revision_of_the_catalogue_it_belongs_to(shelf: Shelf) -> None:
    before = await List(shelf.views)(None, Search(), PageRequest())
    again = await List(shelf.views)(None, Search(), PageRequest())
    await shelf.put("new", hidden=True)
    after = await List(shelf.views)(None, Search(), PageRequest())
    assert before.revision == again.revision < after.revision


async def test_one_question_is_read_by_id_or_slug_in_the_revision_asked_for(shelf: Shelf) -> None:
    key = await shelf.put("sum", "Sum")
    first = await shelf.questions.load(key)
    assert first is not None
    outcome = first.edit(first.listing, some_content("Total"), by=BOB, now=NOW)
    await shelf.questions.write(first, outcome.after, ())  # type: ignore[union-attr]  # it changes
    for by in (key, question_slug("sum")):
        newest, older = await shelf.views.get(by, 0), await shelf.views.get(by, 1)
        assert newest is not None
        assert older is not None
        assert (newest.presentation.title, newest.question.revision, newest.question.version) == (
            "Total",
            2,
            2,
        )
        assert (older.presentation.title, older.question.revision, older.question.version) == ("Sum", 1, 2)
    assert await shelf.views.get(key, 3) is None


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (Sort.OLDEST, ["d", "a", "c", "b"]),
        (Sort.NEWEST, ["b", "c", "a", "d"]),
        (Sort.TITLE, ["b", "a", "c", "d"]),
        (Sort.LEVEL, ["c", "d", "a", "b"]),
        (Sort.SOLVED, ["b", "a", "d", "c"]),
    ],
)
async def test_pages_follow_the_order_that_is_asked_for(
    shelf: Shelf, sort: Sort, expected: list[str]
) -> None:
    await shelf.put("d", "Zebra", level=Level.MEDIUM)
    second = await shelf.put("a", "apple", level=Level.HARD)
    await shelf.put("c", "Apple pie %", level=Level.EASY)
    last = await shelf.put("b", "Äpfel" if sort is not Sort.TITLE else "00")
    solvers = (Solvers(second, 9), Solvers(last, 10), Solvers(QuestionId(uuid(99)), 99))
    seen: list[str] = []
    page = PageRequest(size=1)
    while True:
        found = (await List(shelf.views)(None, Search(sort=sort, solvers=solvers), page)).page
        seen += [each.listing.slug for each in found.items]
        if found.next is None:
            break
        page = page_request(1, cursor_of(found.next))
    assert seen == expected


async def test_what_is_published_and_what_is_not_are_told_apart(shelf: Shelf) -> None:
    await shelf.put("shown")
    await shelf.put("hidden", hidden=True)
    owner, guest = Actor(BOB, Role.SETTER), None
    assert await shelf.slugs(Search(published=True), owner) == ["shown"]
    assert await shelf.slugs(Search(published=False), owner) == ["hidden"]
    assert await shelf.slugs(Search(published=False), guest) == []


async def test_excluded_questions_are_left_out(shelf: Shelf) -> None:
    first = await shelf.put("a")
    await shelf.put("b")
    assert await shelf.slugs(Search(excluded=frozenset({first}))) == ["b"]


async def test_lists_have_the_titles_in_all_languages(shelf: Shelf) -> None:
    await shelf.put("sum", "Sum", "和")
    [found] = (await List(shelf.views)(None, Search(), PageRequest())).page.items
    assert [(each.locale, each.title) for each in found.titles] == [("en", "Sum"), ("zh", "和")]


async def test_tags_are_counted_over_what_is_published(shelf: Shelf) -> None:
    graphs, dp = tag("graphs"), tag("dp")
    await shelf.put("a", tags=frozenset({graphs}))
    await shelf.put("b", tags=frozenset({graphs, dp}))
    await shelf.put("c", tags=frozenset({dp, tag("secret")}), hidden=True)
    assert [(each.tag, each.count) for each in await shelf.views.tags()] == [("graphs", 2), ("dp", 1)]


NUL = cursor_of(at_text("\0", BOB))
MADE_UP = ("x", "bnVsbA==", "W10=", "WzEsIDJd", "[" * 600, "WyJcdTAwMDAiLCAiYSJd", NUL)


@pytest.mark.parametrize("cursor", MADE_UP)
async def test_a_cursor_that_was_made_up_is_refused(views: PostgresQuestionViews, cursor: str) -> None:
    for sort in Sort:
        with pytest.raises(InvalidValueError) as refused:
            await List(views)(None, Search(sort=sort), page_request(1, cursor))
        assert refused.value.code == "cursor_malformed"
