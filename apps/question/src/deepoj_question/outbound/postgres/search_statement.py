"""A search of the catalogue as one statement, in the order that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.paging import PageRequest, text_at
from deepoj_question.outbound.postgres.rows import QUESTION
from deepoj_question.queries.ports import Search, Sort

# What stands before the id in the order. A cursor holds it, so it is short.
_KEYS: Final[Mapping[Sort, str]] = {
    Sort.OLDEST: "",
    Sort.NEWEST: "",
    Sort.TITLE: 'lower(left(q.title, 60)) COLLATE "C"',
    Sort.LEVEL: "CASE q.level WHEN 'easy' THEN '1' WHEN 'medium' THEN '2' WHEN 'hard' THEN '3' ELSE '4' END",
    # Turned round, so that the most come first.
    Sort.SOLVED: """lpad((4294967295 - coalesce(s.people, 0))::text, 10, '0') COLLATE "C\"""",
}
_SOLVERS: Final = "LEFT JOIN unnest(%s::uuid[], %s::bigint[]) AS s (id, people) ON s.id = q.id"
_NO_KEY: Final = "''"


def list_statement(
    search: Search, page: PageRequest, *, everything: bool, own: AccountId | None
) -> tuple[str, list[object]]:
    """Ask for one row more than the page has, to see whether there are more; the key is the last column."""
    conditions = [
        _Part("q.deleted_at IS NULL"),
        *_visible(search, everything=everything, own=own),
        *_matching(search),
        *_following(search, page),
    ]
    where = " AND ".join(each.text for each in conditions)
    key = _KEYS[search.sort]
    order = f"{key}, q.id" if key else "q.id DESC" if search.sort is Sort.NEWEST else "q.id"
    columns = f"{QUESTION}, {key or _NO_KEY}"
    join = _joined(search)
    statement = (
        f"SELECT {columns} FROM question.questions q {join.text} WHERE {where} ORDER BY {order} LIMIT %s"  # noqa: S608 — constants
    )
    return statement, [*(value for each in (join, *conditions) for value in each.values), page.size + 1]


class _Part(NamedTuple):
    text: str
    values: tuple[object, ...] = ()


def _joined(search: Search) -> _Part:
    if search.sort is not Sort.SOLVED:
        return _Part("")
    ids = [each.question_id for each in search.solvers]
    return _Part(_SOLVERS, (ids, [each.people for each in search.solvers]))


def _visible(search: Search, *, everything: bool, own: AccountId | None) -> Iterator[_Part]:
    if not everything and own is not None and search.owner is None:
        yield _Part("(q.enabled OR q.owner_id = %s)", (own,))
    elif not everything and (own is None or search.owner != own):
        yield _Part("q.enabled")
    if search.published is not None:
        yield _Part("q.enabled" if search.published else "NOT q.enabled")


def _matching(search: Search) -> Iterator[_Part]:
    if search.ids:
        yield _Part("q.id = ANY(%s)", (list(search.ids),))
    if search.excluded:
        yield _Part("q.id <> ALL(%s)", (list(search.excluded),))
    if search.owner is not None:
        yield _Part("q.owner_id = %s", (search.owner,))
    if search.level is not None:
        yield _Part("q.level = %s", (search.level,))
    if search.tags:
        yield _Part("q.tags @> %s", (sorted(search.tags),))
    if search.text:
        # Not a pattern: in LIKE, % and _ would be characters of their own.
        yield _Part("strpos(q.found_by, %s) > 0", (search.text.lower(),))


def _following(search: Search, page: PageRequest) -> Iterator[_Part]:
    if page.after is None:
        return
    shown, last = text_at(page.after)
    key = _KEYS[search.sort]
    if key:
        yield _Part(f"({key}, q.id) > (%s, %s)", (shown, last))
    else:
        yield _Part("q.id < %s" if search.sort is Sort.NEWEST else "q.id > %s", (last,))
