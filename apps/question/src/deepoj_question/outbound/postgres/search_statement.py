"""A search of the catalogue as one statement that walks an index in the order of ids."""

from __future__ import annotations

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.paging import PageRequest, id_at
from deepoj_question.outbound.postgres.rows import QUESTION
from deepoj_question.queries.ports import Search


def list_statement(
    search: Search, page: PageRequest, *, everything: bool, own: AccountId | None
) -> tuple[str, list[object]]:
    """Ask for one row more than the page has, to see whether there are more."""
    conditions, parameters = ["q.deleted_at IS NULL"], list[object]()

    def add(condition: str, *values: object) -> None:
        conditions.append(condition)
        parameters.extend(values)

    if not everything and own is not None and search.owner is None:
        add("(q.enabled OR q.owner_id = %s)", own)
    elif not everything and (own is None or search.owner != own):
        add("q.enabled")
    if search.ids:
        add("q.id = ANY(%s)", list(search.ids))
    if search.owner is not None:
        add("q.owner_id = %s", search.owner)
    if search.level is not None:
        add("q.level = %s", search.level)
    if search.tags:
        add("q.tags @> %s", sorted(search.tags))
    if search.text:
        # Not a pattern: in LIKE, % and _ would be characters of their own.
        add("strpos(q.found_by, %s) > 0", search.text.lower())
    if page.after is not None:
        add("q.id > %s", id_at(page.after))
    where = " AND ".join(conditions)
    statement = f"SELECT {QUESTION} FROM question.questions q WHERE {where} ORDER BY q.id LIMIT %s"  # noqa: S608 — constants
    return statement, [*parameters, page.size + 1]
