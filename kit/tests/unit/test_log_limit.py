"""A storm of one warning does not bury the rest of the log, and nothing about a job is left out."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from deepoj_kit.telemetry import bind
from deepoj_kit.telemetry.log_limit import MOST, WINDOW, RepeatFilter


class Written(logging.Handler):
    def __init__(self, repeats: RepeatFilter) -> None:
        super().__init__()
        self.lines: list[logging.LogRecord] = []
        self.addFilter(repeats)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def written(clock: Clock) -> Written:
    return Written(RepeatFilter(clock))


@pytest.fixture
def log(written: Written) -> logging.Logger:
    logger = logging.Logger("test")  # noqa: LOG001 — of this test alone
    logger.addHandler(written)
    return logger


def test_of_warnings_that_repeat_the_first_are_written_and_the_others_counted(
    log: logging.Logger, written: Written, clock: Clock
) -> None:
    for number in range(MOST + 30):
        log.warning("reading is interrupted: %s", number)
    assert [line.args for line in written.lines] == [(number,) for number in range(MOST)]
    clock.now += WINDOW
    log.warning("reading is interrupted: %s", "again")
    assert vars(written.lines[-1])["suppressed"] == 30
    log.warning("reading is interrupted: %s", "once more")
    assert not hasattr(written.lines[-1], "suppressed")


def test_a_storm_of_one_kind_leaves_room_for_all_others(log: logging.Logger, written: Written) -> None:
    for _ in range(2 * MOST):
        log.warning("Redis is away")
    log.warning("PostgreSQL is away")
    log.error("Redis is away")
    assert [line.getMessage() for line in written.lines[MOST:]] == ["PostgreSQL is away", "Redis is away"]


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO, logging.CRITICAL])
def test_what_is_no_warning_and_what_is_critical_is_always_written(
    log: logging.Logger, written: Written, level: int
) -> None:
    for _ in range(2 * MOST):
        log.log(level, "a step")
    assert len(written.lines) == 2 * MOST


def test_a_line_that_names_a_job_is_always_written(log: logging.Logger, written: Written) -> None:
    for number in range(2 * MOST):
        log.warning("the result is refused", extra={"job_id": str(number)})
        with bind(job_id=str(number)):
            log.error("judging failed")
    assert len(written.lines) == 4 * MOST


def test_texts_that_never_repeat_do_not_fill_the_memory(log: logging.Logger, written: Written) -> None:
    repeats = RepeatFilter(Clock())
    written.filters = [repeats]
    for number in range(3000):
        log.warning(f"all different {number}")  # noqa: G004 — the case at hand
    assert len(written.lines) == 3000
    assert len(repeats._kinds) <= 1000  # noqa: SLF001 — there is nothing to see from outside


@pytest.mark.parametrize(("level", "lines"), [("info", MOST), ("debug", MOST + 1)])
def test_a_process_limits_its_log_unless_it_is_to_tell_all(level: str, lines: int) -> None:
    script = (
        f"import logging; from deepoj_kit.telemetry import logs; logs.install('test', 'dev', '{level}')\n"
        f"for _ in range({MOST + 1}): logging.warning('again')"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert len(said.stderr.splitlines()) == lines
