"""What can go wrong with PostgreSQL, as the rest of the code sees it.

    Exception
    ├── Unavailable          connection lost or refused, pool exhausted, time-out, deadlock, serialization
    └── ConstraintViolated   the statement breaks a named constraint; retrying cannot help

Anything else (a syntax error, a missing table) is a mistake in our own code and passes unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from deepoj_kit.unavailable import Unavailable

# psycopg files these two under InternalError; all its other "try again" states are OperationalError.
_TIMED_OUT = (psycopg.errors.IdleInTransactionSessionTimeout, psycopg.errors.TransactionTimeout)


class ConstraintViolated(Exception):  # noqa: N818 — names the fact; the caller decides whether it is an error
    def __init__(self, constraint: str) -> None:
        super().__init__(constraint)
        self.constraint = constraint


@contextmanager
def translated() -> Iterator[None]:
    """Raise Unavailable or ConstraintViolated for what psycopg and its pool raise."""
    try:
        yield
    except psycopg.Error as error:
        raise _translate(error) from error


def _translate(error: psycopg.Error) -> Exception:
    if isinstance(error, psycopg.IntegrityError) and error.diag.constraint_name is not None:
        return ConstraintViolated(error.diag.constraint_name)
    if isinstance(error, (psycopg.OperationalError, *_TIMED_OUT)):
        return Unavailable(f"{type(error).__name__}: {error}")
    return error
