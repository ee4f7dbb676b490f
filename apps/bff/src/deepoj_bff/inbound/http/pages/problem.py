"""A problem: its statement and samples."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import quote, urlencode

import msgspec

from deepoj_bff.inbound.http.pages.known import address
from deepoj_bff.inbound.http.pages.markup import Child, Markup, element
from deepoj_bff.inbound.http.pages.page import Asked, Render, Shown, if_soon, without_script
from deepoj_bff.inbound.http.pages.words import Words
from deepoj_bff.queries.views.problem import Problem, ProblemLimits, ProblemStatement, Sample, StatementFormat
from deepoj_domain.question.listing import Level

_PROBLEM: Final = msgspec.json.Decoder(Problem)
_STATEMENT: Final = msgspec.json.Decoder(ProblemStatement)
_SECOND: Final = 1000
_MEBIBYTE: Final = 1 << 20
# Of a sample that is a talk with the judge: what was said, by whom.
_TALK: Final = re.compile(r"```\n(.*)```\s*", re.DOTALL)


async def problem_page(asked: Asked) -> Render:
    read = await read_problem(asked, asked.part)

    def render() -> Shown:
        problem, statement = read()
        words = asked.words
        text = element(
            "article",
            element("header", element("h1", problem.title), _facts(words, problem), class_="stack-tight"),
            _tabs(
                words,
                element(
                    "div",
                    statement_text(words, problem, statement),
                    samples(words, problem.samples),
                    class_="stack",
                ),
            ),
            class_="solving-text",
        )
        work = element("div", without_script(words, "without_script.solve"), class_="solving-work")
        return Shown(problem.title, element("div", text, work, class_="solving"))

    return render


Read = Callable[[], tuple[Problem, ProblemStatement]]


async def read_problem(asked: Asked, slug: str) -> Read:
    """Read a problem and its statement in the reader's language; raise the refusal if a guest has none."""
    problems, known, locale = asked.reads.problems, asked.known, asked.words.locale
    found, statement, _ = await asyncio.gather(
        problems.one(slug, None),
        problems.statement(slug, locale, None),
        if_soon(address("languages"), asked.reads.languages(), known),
    )
    body = known.keep(address("problems", slug), found)
    # The script asks for the statement by the name that the problem has.
    name = _PROBLEM.decode(body).slug
    text = known.keep(address("problems", name, "statement", query=[("locale", locale)]), statement)
    return lambda: (_PROBLEM.decode(body), _STATEMENT.decode(text))


def statement_text(words: Words, problem: Problem, statement: ProblemStatement) -> list[Markup]:
    # The one text that is HTML already: question has sanitised it.
    shown = [element("div", Markup(statement.html), class_="statement", lang=statement.locale)]
    if statement.pdf:
        where = f"/api/problems/{problem.id}/assets/{quote(statement.pdf, safe='')}"
        printed = element("a", words("statement.pdf"), class_="button", href=where, download=True)
        shown.append(element("p", printed))
        if statement.format is StatementFormat.PDF:
            framed = f"{where}?inline=1"
            shown.append(element("iframe", class_="statement-pdf", src=framed, title=statement.title))
    return shown


def samples(words: Words, given: list[Sample]) -> list[Markup]:
    return [
        element("section", _sample(words, number, sample), class_="sample")
        for number, sample in enumerate(given, 1)
    ]


def _sample(words: Words, number: int, sample: Sample) -> list[Markup]:
    talk = None if sample.input or sample.output else _TALK.fullmatch(sample.note)
    if talk is not None:
        said = _sample_text(words("sample.talk", n=number), talk[1])
        return [said, element("p", words("sample.talk_signs"), class_="sample-note")]
    parts = [
        _sample_text(words("sample.input", n=number), sample.input),
        _sample_text(words("sample.output", n=number), sample.output),
    ]
    return [*parts, element("p", sample.note, class_="sample-note")] if sample.note else parts


def level(words: Words, of: Level | None) -> Markup | None:
    return None if of is None else element("span", words(f"level.{of}"), class_=f"level level-{of}")


def tags(names: list[str]) -> list[Markup]:
    return [element("a", name, class_="tag", href=f"/problems?{urlencode({'tag': name})}") for name in names]


def _sample_text(title: str, text: str) -> Markup:
    head = element("div", element("h2", title), class_="sample-head")
    return element("div", head, element("pre", text, tabindex=0), class_="sample-text")


def _facts(words: Words, problem: Problem) -> Markup:
    limits = problem.limits or ProblemLimits()
    folded = element(
        "details", element("summary", words("problems.tags")), tags(problem.tags), class_="tags-folded"
    )
    return element(
        "div",
        element("span", f"{limits.memory_bytes // _MEBIBYTE} MiB") if limits.memory_bytes else None,
        level(words, problem.level),
        folded if problem.tags else None,
        element("span", f"{limits.time / _SECOND:g} s") if limits.time else None,
        class_="row small muted problem-facts",
    )


def _tabs(words: Words, panel: Child) -> Markup:
    tab = element("button", words("problem.statement"), type="button", disabled=True)
    head = element("div", tab, class_="tab-list", aria_hidden="true")
    return element("div", head, element("div", panel, class_="tab-panel"), class_="tabs")
