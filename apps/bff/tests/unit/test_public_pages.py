"""Pages with content: what a guest may read, and nothing else."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from importlib.resources import files
from uuid import uuid4

import httpx
import msgspec
import pytest

from apps.bff.tests.fakes import ToldServices, a_problem
from apps.bff.tests.unit.test_site_pages import no_api
from deepoj_bff.inbound.http.pages.page import Reads
from deepoj_bff.inbound.http.pages.public_pages import PublicPages, Sheets
from deepoj_bff.inbound.http.site_pages import SitePages, load_site
from deepoj_bff.outbound.answer_cache import AnswerCache, Lifetimes
from deepoj_bff.queries.boards import ReadBoards
from deepoj_bff.queries.catalogue import ReadCatalogue
from deepoj_bff.queries.contests import ReadContests
from deepoj_bff.queries.languages import ListLanguages
from deepoj_bff.queries.problems import ReadProblems
from deepoj_bff.queries.projections.revisions import Revisions
from deepoj_bff.queries.services import Page
from deepoj_bff.queries.site import SiteTerms
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.board import BoardCell, BoardRow, Scoreboard
from deepoj_bff.queries.views.contest import (
    Contest,
    ContestDetail,
    Contests,
    ContestSummary,
    Participant,
    Schedule,
    ShownEntry,
)
from deepoj_bff.queries.views.language import Languages
from deepoj_bff.queries.views.problem import (
    ListedProblem,
    ListedProblems,
    LocalTitle,
    ProblemAnswer,
    ProblemTags,
    Sample,
    Statement,
    StatementAnswer,
)
from deepoj_bff.queries.views.site import SiteLimits
from deepoj_domain.game.format import Format
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.question.listing import Level
from deepoj_kit.grpc import Kind, RemoteError

BUILT = files("deepoj_bff.inbound.http") / "site"
HOSTILE = "</script><img src=x onerror=alert(1)>\"'<!--"
TALK = Sample(input="", output="", note=f"```\n>5\n<{HOSTILE}\n```\n")
AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
# The same in every process that collects these tests.
CONTEST, PERSON = "0190a5b0-0000-7000-8000-000000000001", "0190a5b0-0000-7000-8000-000000000002"
AWAY = RemoteError(Kind.UNAVAILABLE, "unavailable", "away")
HIDDEN = RemoteError(Kind.NOT_FOUND, "question_not_found", "there is none")


class Text(HTMLParser):
    """What a browser without a script would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.known = b""
        self._open = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag if dict(attrs).get("type") == "application/json" else ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.known, self._open = data.encode(), ""
        else:
            self.words.append(data)

    def links(self) -> set[str | None]:
        return {given["href"] for tag, given in self.tags if tag == "a"}


def told_of_all() -> ToldServices:
    problem = msgspec.structs.replace(
        a_problem("sum").question,
        title=HOSTILE,
        tags=[HOSTILE],
        samples=[Sample(input=HOSTILE, output="3\n", note=HOSTILE), TALK],
    )
    listed = ListedProblem(
        id=problem.id, slug="sum", title=HOSTILE, level=Level.EASY, tags=[HOSTILE], enabled=True, revision=1,
        updated_at=None, owner_id=PERSON, titles=[LocalTitle(locale="zh", title="求和")],
    )  # fmt: skip
    contest = Contest(
        id=CONTEST, title=HOSTILE, owner_id=PERSON, format=Format.ICPC, phase=Phase.RUNNING, participants=1,
        schedule=Schedule(starts_at=AT, ends_at=AT + timedelta(hours=5)),
        entry=ShownEntry(has_password=False), description=HOSTILE, options=None, problems=[], admin_ids=[],
        judge_ids=[], invited_ids=[],
        unfrozen_at=None, finalized_at=None, work=None, version=1,
    )  # fmt: skip
    summary = ContestSummary(**{name: getattr(contest, name) for name in ContestSummary.__struct_fields__})
    return ToldServices(
        {
            ("question", "Get"): ProblemAnswer(question=problem),
            ("question", "List"): ListedProblems(questions=[listed], page=PageInfo(next_cursor="next")),
            ("question", "ListTags"): ProblemTags(tags=[]),
            ("question", "GetStatement"): a_statement("<p><em>Add</em> them.</p>"),
            ("judgement", "ListLanguages"): Languages(languages=[]),
            ("game", "List"): Contests(games=[summary], page=PageInfo()),
            ("game", "Get"): ContestDetail(game=contest, participant=None, staff=False, administers=False),
            ("game", "GetScoreboard"): Scoreboard(
                rows=[a_row()], page=PageInfo(), sequence=7, view=BoardView.PUBLIC
            ),
        }
    )  # fmt: skip


def a_statement(html: str) -> StatementAnswer:
    statement = Statement(locale="en", title=HOSTILE, markdown="*Add* them.")
    return StatementAnswer(
        question_id=str(uuid4()), slug="sum", statement=statement, locales=["en"], html=html
    )


def a_row() -> BoardRow:
    person = Participant(
        account_id=PERSON, display_name=HOSTILE, kind=ParticipantKind.OFFICIAL, signed_up_at=None,
        virtual_start=None, penalty_adjustment_minutes=0,
    )  # fmt: skip
    untried = BoardCell(
        label="A", rejected=0, pending=0, solved=False, solved_after=None, first_to_solve=False, score=0.0
    )
    cells = [
        msgspec.structs.replace(untried, rejected=2, solved=True, solved_after=180_000),
        msgspec.structs.replace(untried, label="B", pending=1),
    ]
    return BoardRow(
        rank=1, participant=person, solved=1, score=1.0, penalty_minutes=43, penalty=2_580_000, cells=cells,
        sort_key="key",
    )  # fmt: skip


def every_text(value: object) -> list[str]:
    if isinstance(value, dict | list):
        inside = [*value, *value.values()] if isinstance(value, dict) else value
        return [text for each in inside for text in every_text(each)]
    return [value] if isinstance(value, str) else []


def cache() -> AnswerCache:
    return AnswerCache(Lifetimes(fresh=60.0, stale=0.0), None, lambda _: None)


def pages_of(services: ToldServices, start_problem: str | None = "sum") -> PublicPages:
    terms = SiteTerms(
        name=HOSTILE, version="1", demo=False, start_problem=start_problem,
        limits=SiteLimits(source_bytes=1, input_bytes=1, page_size=1),
    )  # fmt: skip
    problems = ReadProblems(services, Revisions(), cache(), cache(), cache())
    catalogue = ReadCatalogue(services, problems, cache())
    contests, boards = ReadContests(services, cache()), ReadBoards(services, cache())
    reads = Reads(terms, catalogue, problems, contests, boards, ListLanguages(services, cache()))
    return PublicPages(Sheets.load(BUILT), reads)


def client_of(pages: PublicPages) -> httpx.AsyncClient:
    app = SitePages(no_api, load_site(BUILT), pages)
    # Both are ASGI, but each library has its own types for it.
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://oj.test")  # type: ignore[arg-type]


@pytest.fixture
def services() -> ToldServices:
    return told_of_all()


ALL = ["/", "/problems", "/problems/sum", "/contests", f"/contests/{CONTEST}", f"/contests/{CONTEST}/board"]


async def text_of(services: ToldServices, path: str, **headers: str) -> Text:
    async with client_of(pages_of(services)) as client:
        return Text((await client.get(path, headers=headers)).text)


async def shell_of() -> bytes:
    return (BUILT / "index.html").read_bytes()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", ["Add", " them.", "Start here: ", "Contests"]),
        ("/problems", ["Problems", "Easy", "Next"]),
        ("/problems/sum", ["Add", " them.", "Sample input 1", "3\n", "Sample talk 2", f">5\n<{HOSTILE}\n"]),
        ("/contests", ["Running", "5 h", "ICPC", "1 participant", "2026-03-01 09:00 UTC"]),
        (f"/contests/{CONTEST}", ["Schedule", "2026-03-01 14:00 UTC"]),
        (f"/contests/{CONTEST}/board", ["Rank", "43", "✓+2 3", "?1"]),
    ],
)
async def test_a_page_has_what_it_is_about(services: ToldServices, path: str, expected: list[str]) -> None:
    words = (await text_of(services, path)).words
    assert [each for each in expected if each not in words] == []


@pytest.mark.parametrize("path", ALL)
async def test_no_name_becomes_part_of_a_page(services: ToldServices, path: str) -> None:
    page = await text_of(services, path)
    assert HOSTILE in page.words
    assert not [
        tag for tag, given in page.tags if tag == "img" or any(each.startswith("on") for each in given)
    ]
    # Beside the files: the script that chooses the theme, which the policy names, and the answers.
    inside = [given for tag, given in page.tags if tag == "script" and "src" not in given]
    assert inside == [{}, {"type": "application/json"}]
    assert not [given for _, given in page.tags if "style" in given]
    assert HOSTILE in every_text(msgspec.json.decode(page.known))


@pytest.mark.parametrize("path", ALL)
async def test_everything_is_asked_as_a_guest_and_of_the_public_board(
    services: ToldServices, path: str
) -> None:
    await text_of(services, path)
    assert services.asked
    assert {asked.get("actor") for _, _, asked in services.asked} == {None}
    assert {asked.get("view") for _, _, asked in services.asked} <= {None, BoardView.PUBLIC}


async def test_the_script_finds_answers_under_the_addresses_that_it_asks(services: ToldServices) -> None:
    answers = msgspec.json.decode((await text_of(services, "/problems/sum")).known)["answers"]
    assert set(answers) == {
        "/api/problems/sum", "/api/problems/sum/statement?locale=en", "/api/languages",
    }  # fmt: skip
    home = msgspec.json.decode((await text_of(services, "/")).known)
    assert "/api/contests?phase=running&phase=frozen&phase=before&size=5" in home["answers"]
    assert home["site"] == {"name": HOSTILE, "version": "1", "start_problem": "sum"}


async def test_the_first_rows_are_told_as_the_beginning_of_the_whole_board(services: ToldServices) -> None:
    known = msgspec.json.decode((await text_of(services, f"/contests/{CONTEST}/board")).known)
    whole = known["parts"][f"/api/contests/{CONTEST}/scoreboard/compact?view=public"]
    assert (whole["sequence"], whole["problems"]) == (7, ["A", "B"])
    cells = [[2, 0, 180_000, 0.0, 0], [0, 1, None, 0.0, 0]]
    assert whole["rows"] == [[1, PERSON, HOSTILE, "official", 1, 1.0, 2_580_000, "key", cells]]
    [page] = [asked["page"] for _, method, asked in services.asked if method == "GetScoreboard"]
    assert page == Page(100, None)


async def test_a_list_is_narrowed_and_turned_over_without_a_script(services: ToldServices) -> None:
    page = await text_of(
        services, "/problems?search=a+b&tag=dp&level=easy&sort=title&level=hard&mine=solved&cursor=x~y"
    )
    [asked] = [asked for _, method, asked in services.asked if method == "List"]
    assert (asked["search"], asked["tags"], asked["level"], asked["sort"]) == ("a b", ["dp"], "easy", "title")
    assert asked["page"] == Page(50, "y")
    address = "/api/problems?search=a+b&tag=dp&level=easy&sort=title&cursor=y&size=50"
    assert address in msgspec.json.decode(page.known)["answers"]
    [onward] = [each for each in page.links() if each and "cursor=" in each]
    assert "cursor=x~y~next" in onward


async def test_the_language_is_the_one_that_the_browser_names_first(services: ToldServices) -> None:
    chinese = await text_of(services, "/problems", **{"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"})
    assert ("html", {"lang": "zh"}) in chinese.tags
    assert {"求和", "题目"} <= set(chinese.words)
    english = await text_of(services, "/problems", **{"accept-language": "de,zh;q=0.9"})
    assert ("html", {"lang": "en"}) in english.tags


@pytest.mark.parametrize(
    ("path", "call", "refusal"),
    [
        ("/problems/sum", ("question", "Get"), HIDDEN),
        ("/problems/sum", ("question", "GetStatement"), AWAY),
        ("/problems", ("question", "List"), AWAY),
        ("/contests", ("game", "List"), AWAY),
        (f"/contests/{CONTEST}", ("game", "Get"), HIDDEN),
        (f"/contests/{CONTEST}/board", ("game", "GetScoreboard"), HIDDEN),
        (f"/contests/{CONTEST}/board", ("game", "Get"), AWAY),
        ("/", ("question", "Get"), AssertionError("a mistake of ours")),
    ],
)
async def test_what_cannot_be_shown_is_left_to_the_script(
    services: ToldServices, path: str, call: tuple[str, str], refusal: Exception
) -> None:
    services.answers[call] = refusal
    async with client_of(pages_of(services)) as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.content) == (200, await shell_of())


@pytest.mark.parametrize(
    "path",
    [
        "/login", "/problems/Sum", "/problems/sum/more", "/problems/a%2Fb", "/problems/%00",
        f"/problems/{'a' * 65}", "/contests/1", f"/contests/{CONTEST.upper()}",
        f"/contests/{CONTEST}/board?at=2026-03-01T09:00:00Z",
        f"/contests/{CONTEST}/tv", f"/problems?search={'a' * 1000}",
    ],
)  # fmt: skip
async def test_other_addresses_are_the_page_without_content(services: ToldServices, path: str) -> None:
    async with client_of(pages_of(services)) as client:
        assert (await client.get(path)).content == await shell_of()


async def test_a_page_comes_without_what_it_can_do_without(services: ToldServices) -> None:
    services.answers["judgement", "ListLanguages"] = AWAY
    page = await text_of(services, "/problems/sum")
    assert "/api/languages" not in msgspec.json.decode(page.known)["answers"]
    assert "Add" in page.words


class Hanging(ToldServices):
    async def find(self, *_: object, **__: object) -> None:
        await asyncio.Event().wait()


async def test_who_would_wait_for_a_service_gets_the_page_without_content_soon() -> None:
    pages = pages_of(Hanging(told_of_all().answers))
    async with asyncio.timeout(20):
        assert await pages.at("/problems/sum", b"", "en") is None


async def test_a_start_without_a_problem_shows_the_newest(services: ToldServices) -> None:
    async with client_of(pages_of(services, start_problem=None)) as client:
        page = Text((await client.get("/")).text)
    assert "Newest problems" in page.words
    assert "/problems/sum" in page.links()


@pytest.mark.parametrize("accepted", ["", "gzip"])
async def test_who_has_a_page_is_told_so_until_it_changes(services: ToldServices, accepted: str) -> None:
    headers = {"accept-encoding": accepted}
    async with client_of(pages_of(services)) as client:
        first = await client.get("/problems/sum", headers=headers)
        headers["if-none-match"] = first.headers["etag"]
        again = await client.get("/problems/sum", headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["vary"] == "accept-encoding, accept-language"
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers.get("content-encoding") == (accepted or None)
    services.answers["question", "GetStatement"] = a_statement("<p>Subtract.</p>")
    async with client_of(pages_of(services)) as client:
        changed = await client.get("/problems/sum", headers=headers)
    assert (changed.status_code, "Subtract." in changed.text) == (200, True)


async def test_head_is_get_without_the_body_with_content_too(services: ToldServices) -> None:
    async with client_of(pages_of(services)) as client:
        head, whole = await client.head("/problems/sum/"), await client.get("/problems/sum/")
    assert head.content == b""
    assert head.headers == whole.headers


async def test_a_page_is_made_once_for_the_same_content(services: ToldServices) -> None:
    pages = pages_of(services)
    assert await pages.at("/problems", b"", "en") is await pages.at("/problems", b"", "en")
    assert await pages.at("/problems", b"", "en") is not await pages.at("/problems", b"", "zh")
