"""One JSON object a line on standard error, without what must not reach a log."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

import msgspec
from opentelemetry import trace

from deepoj_kit.settings.secret import REDACTED, Secret, redact_url
from deepoj_kit.telemetry.log_limit import RepeatFilter
from deepoj_kit.telemetry.tracing import TRACEPARENT, bound

# What the logging module itself puts on a record; anything else came through `extra`.
_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", TRACEPARENT}


class JsonFormatter(logging.Formatter):
    def __init__(self, service: str, env: str) -> None:
        super().__init__()
        self._service = service
        self._env = env
        self._encode = msgspec.json.Encoder().encode

    def format(self, record: logging.LogRecord) -> str:
        message = redact_text(record.getMessage())
        line = self._line(record.created, record.levelname.lower(), record.name, message)
        line.update(_span_fields(record))
        extra = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        for key, value in redact_fields({**bound(), **extra}).items():
            # A field of the caller never replaces one of the above.
            line.setdefault(key, value)
        if record.exc_info:
            line["exception"] = redact_text(self.formatException(record.exc_info))
        return self._encode(line).decode()

    def told(self, logger: str, message: str, fields: Mapping[str, str | float]) -> str:
        """Format an INFO line that has no record; nothing in it is looked through for secrets."""
        line = self._line(time.time(), "info", logger, message)
        line.update(fields)
        return self._encode(line).decode()

    def _line(self, created: float, level: str, logger: str, message: str) -> dict[str, object]:
        return {
            "ts": datetime.fromtimestamp(created, UTC).isoformat(timespec="milliseconds"),
            "level": level,
            "logger": logger,
            "message": message,
            "service": self._service,
            "env": self._env,
        }


class _StderrHandler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        try:
            _write(self.format(record))
        except Exception:  # noqa: BLE001 — a failing log must not fail what it tells about
            self.handleError(record)


def _write(line: str) -> None:
    """Look `sys.stderr` up at each line, so that it may be redirected."""
    # One write a line: lines of several threads do not mix.
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def tell(logger: logging.Logger, message: str, fields: Mapping[str, str | float]) -> None:
    """Log an INFO line of the usual shape that is written with every request, at a third of the cost.

    It makes no record, so only the handler of `install` sees it, and its fields must not be secret.
    """
    if not logger.isEnabledFor(logging.INFO):
        return
    for handler in logging.getLogger().handlers:
        if isinstance(handler, _StderrHandler) and isinstance(handler.formatter, JsonFormatter):
            with suppress(OSError, ValueError):
                _write(handler.formatter.told(logger.name, message, fields))


def install(service: str, env: str, level: str) -> None:
    handler = _StderrHandler()
    handler.setFormatter(JsonFormatter(service, env))
    if level.upper() != "DEBUG":
        handler.addFilter(RepeatFilter())
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, _StderrHandler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    _leave_out_what_no_line_has()
    # This logger tells of every connection that is lent.
    logging.getLogger("psycopg.pool").setLevel(logging.WARNING)


def _leave_out_what_no_line_has() -> None:
    """As the logging HOWTO advises where speed matters: no line shows where it was logged."""
    logging._srcfile = None  # noqa: SLF001 — the documented switch
    logging.logThreads = False
    logging.logProcesses = False
    logging.logMultiprocessing = False


def _span_fields(record: logging.LogRecord) -> dict[str, str]:
    """Return whose trace the line is in: the one its `extra` names as `traceparent`, else the current one."""
    if traceparent := getattr(record, TRACEPARENT, ""):
        return {"trace_id": traceparent[3:35], "span_id": traceparent[36:52]}
    span = trace.get_current_span().get_span_context()
    if not span.is_valid:
        return {}
    return {"trace_id": trace.format_trace_id(span.trace_id), "span_id": trace.format_span_id(span.span_id)}


_SECRET_KEY = re.compile(
    r"passw(or)?d|passphrase|secret|token|authorization|cookie|credential|(api|access|private)_?key",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(?P<before>\b(?:bearer|basic)\s+)[\w.~+/=-]{4,}", re.IGNORECASE)
MAX_DEPTH = 6


def redact_text(text: str) -> str:
    # Most fields are one short word or id. Printable text without a space has no white space at all, and
    # neither form below does without white space or "://".
    if " " not in text and "://" not in text and text.isprintable():
        return text
    return _BEARER.sub(rf"\g<before>{REDACTED}", redact_url(text))


def redact_fields(fields: Mapping[str, object], depth: int = 0) -> dict[str, object]:
    return {
        str(key): REDACTED if _is_secret(str(key)) else _redact(value, depth + 1)
        for key, value in fields.items()
    }


@lru_cache(maxsize=1024)
def _is_secret(key: str) -> bool:
    return _SECRET_KEY.search(key) is not None


def _redact(value: object, depth: int) -> object:
    """Return something JSON can hold: containers kept, all else as text."""
    if isinstance(value, str):
        return redact_text(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Secret) or depth > MAX_DEPTH:
        return REDACTED if isinstance(value, Secret) else "…"
    if isinstance(value, Mapping):
        return redact_fields(value, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return [_redact(each, depth + 1) for each in value]
    return redact_text(str(value))
