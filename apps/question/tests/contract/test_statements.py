"""Statements through the rendering process: what it costs has an end, and nobody else pays for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from deepoj_domain.question.presentation import MOST_MARKDOWN, Presentation, Statement, StatementFormat
from deepoj_kit.postgres import Database
from deepoj_packages.statements.job import Job
from deepoj_packages.statements.markdown import markdown_html
from deepoj_packages.statements.process_renderer import ProcessRenderer
from deepoj_question.outbound.postgres.page_store import PageStore
from deepoj_question.outbound.statements.statement_pages import StatementPages

PLAIN = Job("markdown", "Add $a$ and $b$.", {})
# Seconds by the wall for a text: the process gives up after one of its own, but the machine may be busy.
ENDS = 50.0


@pytest.fixture
def renderer() -> ProcessRenderer:
    return ProcessRenderer(cpu_seconds=1)


def texts(**tiles: str) -> dict[str, str]:
    return {name: (tile * (MOST_MARKDOWN // len(tile) + 1))[:MOST_MARKDOWN] for name, tile in tiles.items()}


HOSTILE = {
    ("markdown", name): text
    for name, text in texts(
        dollars="$", formulas="$x$ ", brackets="[", images="![", quotes="> ", emphasis="*a_ ",
        backticks="`a``", links="[a](b", cells="| a ", tags="<b>", comments="<!--", angles="<",
        ampersands="&amp;", braces="${{{$ ",
        macros=r"$\def\a{\a}\a$ ", fractions=r"$\frac{\frac{a}{b}}{c}$ ", references="[a]: b\n", lists="- ",
        table="|a|b|\n|-|-|\n", deep_math="<math><mrow>", entities="&", backslashes="\\",
    ).items()
} | {
    ("tex", name): text
    for name, text in texts(
        dollars="$", braces="{", sections=r"\section{a}", items=r"\begin{itemize}\item ",
        tabular=r"a & b \\ ", ifs=r"\iftrue ", definitions=r"\def\a{\a\a}\a ",
        formulas=r"$\frac{a}{b}$ ", begins=r"\begin{a}",
    ).items()
}  # fmt: skip
assert all(len(text) == MOST_MARKDOWN for text in HOSTILE.values())


@pytest.mark.parametrize("kind", ["markdown", "tex"])
async def test_the_largest_text_of_every_worst_kind_is_shown_in_the_end(
    renderer: ProcessRenderer, kind: str
) -> None:
    hostile = {name: text for (format_, name), text in HOSTILE.items() if format_ == kind}
    begun = time.monotonic()
    made = await renderer([job for text in hostile.values() for job in (Job(kind, text, {}), PLAIN)])
    assert time.monotonic() - begun < ENDS * len(hostile)
    assert [name for name, each in zip(hostile, made[::2], strict=True) if not each.lasts] == []
    assert [name for name, after in zip(hostile, made[1::2], strict=True) if "<math" not in after.html] == []


async def test_a_text_that_kills_the_process_is_shown_as_its_source_and_the_others_are_rendered(
    renderer: ProcessRenderer,
) -> None:
    bomb = Job("markdown", "[" * MOST_MARKDOWN + "<b>&", {})
    first, killed, last = await renderer([PLAIN, bomb, PLAIN])
    assert first == last
    assert killed.html == f"<pre>{'[' * MOST_MARKDOWN}&lt;b&gt;&amp;</pre>"


async def test_no_job_of_another_format_is_taken(renderer: ProcessRenderer) -> None:
    [made] = await renderer([Job("html", "<script>", {})])
    assert made.html == "<pre>&lt;script&gt;</pre>"


@pytest.mark.parametrize(
    "text",
    [
        lambda size: "A word and *another* one.\n" * (size // 26),
        lambda size: "$x_i$ " * (size // 6),
        lambda size: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * (size // 10),
        lambda size: "- a\n" * (size // 4),
        lambda size: "<b>a</b>\n" * (size // 9),
        lambda size: "```\na\n```\n" * (size // 10),
        lambda size: "![a](b.png)\n" * (size // 12),
    ],
)
def test_an_honest_statement_costs_what_its_length_says(text: Callable[[int], str]) -> None:
    growth, size = 8, 4_000

    def cost(length: int) -> float:
        begun = time.thread_time()
        markdown_html(text(length))
        return max(time.thread_time() - begun, 0.03)

    def least_cost(length: int) -> float:
        """Of three: what else the machine does can only add to it."""
        return min(cost(length) for _ in range(3))

    assert least_cost(growth * size) <= 3 * growth * least_cost(size)


def a_presentation(text: str, title: str = "Sum") -> Presentation:
    return Presentation(
        statements=(
            Statement("en", title, text),
            Statement("zh", title, r"求 $a+b$。", StatementFormat.TEX),
        )
    )


@pytest.fixture
def pages(database: Database, renderer: ProcessRenderer) -> StatementPages:
    return StatementPages(PageStore(database), renderer)


async def kept(database: Database) -> int:
    async with database.connection() as connection:
        row = await (await connection.execute("SELECT count(*) FROM question.pages")).fetchone()
    assert row is not None
    return int(row[0])


async def test_a_text_is_made_once_however_many_revisions_have_it(
    pages: StatementPages, database: Database
) -> None:
    first, second = a_presentation("Add $a$."), a_presentation("Add $a$.", "Another title")
    await pages.prepare(first)
    await pages.prepare(second)
    assert await kept(database) == 2
    assert "<mi>a</mi>" in await pages.html(second.statements[0], second)
    assert "<mi>b</mi>" in await pages.html(second.statements[1], second)


async def test_what_was_never_prepared_is_made_for_its_first_reader(
    pages: StatementPages, database: Database
) -> None:
    old = a_presentation("Add $a$.")
    found = await asyncio.gather(*(pages.html(old.statements[0], old) for _ in range(5)))
    assert len(set(found)) == 1
    assert await kept(database) == 1
