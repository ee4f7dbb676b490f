"""The rendering process: started for the statements of a revision, ended with them, killed when it hangs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from html import escape
from typing import Final

import msgspec

from deepoj_packages.statements.job import Job, Made
from deepoj_packages.statements.sanitise import MOST_HTML, without_marks

_log = logging.getLogger(__name__)
_AT_ONCE: Final = 2
# Of processor time. A long statement takes a tenth of one.
_SECONDS: Final = 5
# In seconds. The process limits its own processor time; this is for a machine that gives it none.
_PATIENCE: Final = 60.0
# JSON may write a character as six.
_LINE: Final = 6 * MOST_HTML + 1024


class Rendered(msgspec.Struct, frozen=True):
    html: str
    lasts: bool
    """False: another time it may turn out better."""
    is_source: bool = False
    lost: list[str] = []
    """Pictures it names and has not got."""
    formulas: list[str] = []
    """Those that stay their source."""


class ProcessRenderer:
    def __init__(self, cpu_seconds: int = _SECONDS) -> None:
        self._cpu_seconds = cpu_seconds
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def __call__(self, jobs: Sequence[Job]) -> list[Rendered]:
        """Return one for each; what cannot be made is the source."""
        made: list[Rendered] = []
        async with self._turns:
            while len(made) < len(jobs):
                # One that kills the process costs its own place, not that of those after it.
                made += await self._rendered(jobs[len(made) :])
        return made

    async def _rendered(self, jobs: Sequence[Job]) -> list[Rendered]:
        """Return as many as one process makes, and at least one."""
        done: list[Rendered] = []
        try:
            async with _worker(self._cpu_seconds) as process, asyncio.timeout(None) as limit:
                for job in jobs:
                    limit.reschedule(asyncio.get_running_loop().time() + _PATIENCE)
                    done.append(_rendered(job, await _asked(process, job)))
        except (OSError, TimeoutError, ValueError, msgspec.DecodeError) as error:
            _log.warning("a statement is shown as its source: %s", error)
            done.append(_source(jobs[len(done)], lasts=False))
        except EOFError:
            _log.info("a statement is shown as its source: it costs too much to be rendered")
            done.append(_source(jobs[len(done)], lasts=True))
        return done


async def _asked(process: Process, job: Job) -> Made:
    if process.stdin is None or process.stdout is None:
        raise EOFError
    process.stdin.write(msgspec.json.encode(job) + b"\n")
    try:
        await process.stdin.drain()
    except ConnectionError as error:
        raise EOFError from error
    line = await process.stdout.readline()
    if not line:
        raise EOFError
    return msgspec.json.decode(line, type=Made)


@asynccontextmanager
async def _worker(cpu_seconds: int) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", "deepoj_packages.statements.worker", str(cpu_seconds),
        stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={}, limit=_LINE, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        _kill_group(process)
        await process.wait()


def _kill_group(process: Process) -> None:
    """With pandoc, which it may have started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _rendered(job: Job, made: Made) -> Rendered:
    if made.html is None:
        return _source(job, lasts=True)
    return Rendered(made.html, lasts=True, lost=made.lost, formulas=made.formulas)


def _source(job: Job, *, lasts: bool) -> Rendered:
    html = f"<pre>{escape(without_marks(job.text), quote=False)}</pre>"
    return Rendered(html, lasts, is_source=True)
