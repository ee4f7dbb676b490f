"""PostgreSQL: connections, transactions, errors and notifications."""

from deepoj_kit.postgres.database import Connection, ConstraintViolated, Database, DatabaseOptions, translated
from deepoj_kit.postgres.notify import Listener, Notifier
from deepoj_kit.postgres.statements import compiled, type_of
from deepoj_kit.unavailable import Unavailable

__all__ = [
    "Connection",
    "ConstraintViolated",
    "Database",
    "DatabaseOptions",
    "Listener",
    "Notifier",
    "Unavailable",
    "compiled",
    "translated",
    "type_of",
]
