"""How much a system keeps: rows and bytes of each table, objects and bytes of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import psycopg

from deepoj.errors import Exit, Failure
from deepoj.stack.open_stores import OpenStores

_KINDS: Final = {"data/": "files of problems", "submissions/": "logs of submissions"}
_OTHER: Final = "other"
# Counting every row would read every table.
_TABLES: Final = """
SELECT schemaname, relname, n_live_tup, pg_total_relation_size(relid)
FROM pg_stat_user_tables WHERE schemaname = ANY(%s) ORDER BY 1, 2
"""


class Table(msgspec.Struct, frozen=True):
    table: str
    rows: int
    """As PostgreSQL's statistics have it."""
    bytes: int


class Kind(msgspec.Struct):
    kind: str
    objects: int = 0
    bytes: int = 0


class Figures(msgspec.Struct, frozen=True):
    tables: tuple[Table, ...]
    kinds: tuple[Kind, ...]


async def figures_of(stores: OpenStores, schemas: Sequence[str]) -> Figures:
    return Figures(_tables(stores.postgres_url, schemas), await _kinds(stores))


def _tables(url: str, schemas: Sequence[str]) -> tuple[Table, ...]:
    try:
        with psycopg.connect(url) as connection:
            rows = connection.execute(_TABLES, (list(schemas),)).fetchall()
    except psycopg.Error as error:
        raise Failure(f"the database cannot be read: {error}", Exit.UNREACHABLE) from error
    return tuple(Table(f"{schema}.{name}", count, size) for schema, name, count, size in rows)


async def _kinds(stores: OpenStores) -> tuple[Kind, ...]:
    kinds = {prefix: Kind(name) for prefix, name in _KINDS.items()}
    other = Kind(_OTHER)
    async with stores.objects() as store:
        async for each in store.list(""):
            kind = next((kinds[prefix] for prefix in kinds if each.key.startswith(prefix)), other)
            kind.objects += 1
            kind.bytes += each.size
    return (*kinds.values(), other)
