"""`run`: from settings to an exit code."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

import uvloop

from deepoj_kit.lifecycle.ops_http import OpsEndpoint
from deepoj_kit.lifecycle.process import Process
from deepoj_kit.lifecycle.readiness import State
from deepoj_kit.lifecycle.start_error import StartError
from deepoj_kit.settings import ProcessSettings, SettingsError
from deepoj_kit.telemetry.setup import Telemetry, configure
from deepoj_kit.tls import Tls, TlsError
from deepoj_kit.tls.expiry import watch_expiry

EXIT_CLEAN: Final = 0
EXIT_FAILURE: Final = 1
EXIT_BAD_SETTINGS: Final = 2
# After the grace is over, the parts are cancelled; they get this long to let go.
CANCEL_SECONDS: Final = 1.0

S = TypeVar("S", bound=ProcessSettings)
Start = Callable[[Process, S], Awaitable[None]]

_log = logging.getLogger(__name__)
# A call makes hundreds of objects, and almost none of them is part of a cycle.
_YOUNG_OBJECTS = 20_000


def run(service: str, load_settings: Callable[[], S], start: Start[S]) -> int:
    """Run one process to its end and return its exit code.

    0: stopped cleanly on request. 1: could not start, failed, or did not drain in time. 2: bad settings.
    """
    try:
        settings = load_settings()
    except SettingsError as error:
        sys.stderr.write(f"{service}: cannot start: {error}\n")
        return EXIT_BAD_SETTINGS
    telemetry = configure(service, settings)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_live(settings, start, telemetry))
    finally:
        telemetry.shutdown()


async def _live(settings: S, start: Start[S], telemetry: Telemetry) -> int:
    process = Process()
    _install_signals(process)
    endpoint = OpsEndpoint(process.readiness, telemetry.metrics_page)
    try:
        async with endpoint.serve(settings.ops_listen) as ops_address:
            _log.info("starting", extra={"ops_address": ops_address, "pid": os.getpid()})
            _look_after(settings.tls_files, process)
            await _start_and_wait(process, start(process, settings))
            await _give_notice(process, settings.shutdown_notice.total_seconds())
            drained = await _drain(process, settings.shutdown_grace.total_seconds())
    except StartError as error:
        _log.critical("cannot start: %s", error)
        return EXIT_FAILURE
    if not drained:
        _exit_now(telemetry)
    _log.info("stopped", extra={"failure": process.failure})
    return EXIT_FAILURE if process.failure else EXIT_CLEAN


def _look_after(tls: Tls, process: Process) -> None:
    """Refuse certificates that cannot be used before anything is started with them."""
    try:
        tls.check()
    except TlsError as error:
        raise StartError(str(error)) from error
    if tls.used:
        process.loop("certificates", partial(watch_expiry, tls))


async def _start_and_wait(process: Process, starting: Awaitable[None]) -> None:
    """Start the parts, be ready, and return when the process should stop."""
    start = asyncio.ensure_future(starting)
    stop = asyncio.create_task(process.stopping.wait())
    await asyncio.wait({start, stop}, return_when=asyncio.FIRST_COMPLETED)
    if not start.done():
        start.cancel()
    await asyncio.wait({start})
    error = None if start.cancelled() else start.exception()
    if error is not None:
        # A StartError is explained by its message; anything else is a defect and needs its traceback.
        trace = None if isinstance(error, StartError) else error
        _log.critical("cannot start: %s", error, exc_info=trace)
        process.fail(f"cannot start: {error}")
    elif not process.stopping.is_set():
        _settle_memory()
        await process.readiness.move_to(State.READY)
        _log.info("ready")
    await stop


def _settle_memory() -> None:
    """What was made at the start stays: the collector need not look through it again with every few calls."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 20)


async def _give_notice(process: Process, seconds: float) -> None:
    """Say that the process goes, and serve on until whoever spreads the work has heard it."""
    was_ready = process.readiness.state is State.READY
    await process.readiness.move_to(State.DRAINING)
    if was_ready and not process.failure:
        _log.info("giving notice", extra={"notice_s": seconds})
        await asyncio.sleep(seconds)


async def _drain(process: Process, grace: float) -> bool:
    """Stop the parts in reverse order; return whether all of them ended in time."""
    _log.info("draining", extra={"grace_s": grace, "failure": process.failure})
    closing = asyncio.create_task(process.close())
    await asyncio.wait({closing}, timeout=grace)
    if closing.done():
        return _closed_well(closing, process)
    _log.error("not drained within %g s, cancelling", grace)
    closing.cancel()
    await asyncio.wait({closing}, timeout=CANCEL_SECONDS)
    return False


def _closed_well(closing: asyncio.Task[None], process: Process) -> bool:
    if (error := closing.exception()) is not None:
        _log.error("a part failed to stop: %s", error, exc_info=error)
        process.fail(f"a part failed to stop: {error}")
    return True


def _install_signals(process: Process) -> None:
    loop = asyncio.get_running_loop()
    received: list[signal.Signals] = []

    def on_signal(number: signal.Signals) -> None:
        received.append(number)
        if len(received) > 1:
            _log.warning("second signal %s: leaving at once", number.name)
            _exit_now(None)
        _log.info("signal %s: draining", number.name)
        process.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)


def _exit_now(telemetry: Telemetry | None) -> None:
    """Leave without waiting for threads or tasks that do not end."""
    if telemetry is not None:
        telemetry.shutdown()
    logging.shutdown()
    os._exit(EXIT_FAILURE)
