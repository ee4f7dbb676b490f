"""A search of the catalogue as one statement, in the order that is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    FromClause,
    Select,
    Text,
    Uuid,
    all_,
    any_,
    case,
    cast,
    column,
    func,
    literal,
    or_,
    select,
    tuple_,
)

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.paging import PageRequest, text_at
from deepoj_kit.postgres.statements import readable
from deepoj_question.outbound.postgres.rows import QuestionRow
from deepoj_question.outbound.postgres.tables import QUESTIONS
from deepoj_question.queries.ports import Search, Solvers, Sort

Condition = ColumnElement[bool]
Key = ColumnElement[str]
_Q = QUESTIONS.c
_MOST_PEOPLE: Final = (1 << 32) - 1


def _in_index(value: object) -> ColumnElement[Any]:
    """Return a constant as part of the text: an index serves what is written as its own expression is."""
    return literal(value, literal_execute=True)


# What stands before the id in the order. A cursor holds it, so it is short.
_TITLE: Final[Key] = func.lower(func.left(_Q.title, _in_index(60))).collate("C")
_LEVEL: Final[Key] = case(
    {_in_index(level): _in_index(place) for level, place in (("easy", "1"), ("medium", "2"), ("hard", "3"))},
    value=_Q.level,
    else_=_in_index("4"),
)
_ONLY_ID: Final[Key] = literal("")


def list_statement(
    search: Search, page: PageRequest, *, everything: bool, own: AccountId | None
) -> Select[*tuple[Any, ...]]:
    """Ask for one row more than the page has, to see whether there are more; the key is the last column."""
    key, source = _order(search)
    statement = (
        select(*readable(QUESTIONS, *QuestionRow._fields), key.label("key"))
        .select_from(source)
        .where(_Q.deleted_at.is_(None))
        .where(*_visible(search, everything=everything, own=own))
        .where(*_matching(search))
    )
    newest = search.sort is Sort.NEWEST
    by = [] if key is _ONLY_ID else [key]
    if page.after is not None:
        shown, last = text_at(page.after)
        here, there = tuple_(*by, _Q.id), tuple_(*([shown] if by else []), last)
        statement = statement.where(here < there if newest else here > there)
    return statement.order_by(*by, _Q.id.desc() if newest else _Q.id).limit(page.size + 1)


def _order(search: Search) -> tuple[Key, FromClause]:
    match search.sort:
        case Sort.OLDEST | Sort.NEWEST:
            return _ONLY_ID, QUESTIONS
        case Sort.TITLE:
            return _TITLE, QUESTIONS
        case Sort.LEVEL:
            return _LEVEL, QUESTIONS
        case Sort.SOLVED:
            return _by_solvers(search.solvers)


def _by_solvers(solvers: Collection[Solvers]) -> tuple[Key, FromClause]:
    told = (
        func.unnest(
            _uuids(each.question_id for each in solvers),
            literal([each.people for each in solvers], ARRAY(BigInteger)),
        )
        .table_valued(column("id", Uuid), column("people", BigInteger), name="solvers")
        .render_derived()
    )
    # Turned round, so that the most come first.
    left = _MOST_PEOPLE - func.coalesce(told.c.people, 0)
    return (
        func.lpad(cast(left, Text), 10, "0").collate("C"),
        QUESTIONS.outerjoin(told, told.c.id == _Q.id),
    )


def _visible(search: Search, *, everything: bool, own: AccountId | None) -> Iterator[Condition]:
    if not everything and own is not None and search.owner is None:
        yield or_(_Q.enabled, _Q.owner_id == own)
    elif not everything and (own is None or search.owner != own):
        yield _Q.enabled
    if search.published is not None:
        yield _Q.enabled if search.published else ~_Q.enabled


def _matching(search: Search) -> Iterator[Condition]:
    if search.ids:
        yield _Q.id == any_(_uuids(search.ids))
    if search.excluded:
        yield _Q.id != all_(_uuids(search.excluded))
    if search.owner is not None:
        yield _Q.owner_id == search.owner
    if search.level is not None:
        yield _Q.level == search.level
    if search.tags:
        yield _Q.tags.contains(sorted(search.tags))
    if search.text:
        # Not a pattern: in LIKE, % and _ would be characters of their own.
        yield func.strpos(_Q.found_by, search.text.lower()) > 0


def _uuids(ids: Iterable[UUID]) -> ColumnElement[Any]:
    return literal(list(ids), ARRAY(Uuid))
