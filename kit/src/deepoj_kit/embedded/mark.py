"""A note kept inside a database, so that it is dumped, restored and lost together with its data."""

from __future__ import annotations

import psycopg

_CREATE = """
CREATE TABLE IF NOT EXISTS public.embedded_mark (
    only_row bool PRIMARY KEY CHECK (only_row),
    mark text NOT NULL
)
"""
_READ = "SELECT mark FROM public.embedded_mark"
_WRITE = """
INSERT INTO public.embedded_mark VALUES (true, %s) ON CONFLICT (only_row) DO UPDATE SET mark = excluded.mark
"""


def read_mark(url: str) -> str | None:
    with psycopg.connect(url) as connection:
        try:
            found = connection.execute(_READ).fetchone()
        except psycopg.errors.UndefinedTable:
            return None
        return None if found is None else str(found[0])


def write_mark(url: str, mark: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(_CREATE)
        connection.execute(_WRITE, (mark,))
