"""A complete service, run as a process by the tests beside it; the argument chooses how it misbehaves."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import grpc

from deepoj_kit import lifecycle, settings, telemetry
from deepoj_kit.grpc import Server

_log = logging.getLogger("example")


class Settings(settings.ProcessSettings, frozen=True, kw_only=True):
    greeting: str = "hello"


@asynccontextmanager
async def part(name: str, *, hang: bool = False) -> AsyncIterator[None]:
    _log.info("open %s", name)
    yield
    if hang:
        await asyncio.to_thread(threading.Event().wait)
    _log.info("close %s", name)


async def greet(config: Settings, request: bytes, _context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    with telemetry.bind(job_id="job-1"):
        _log.info("greeting", extra={"password": "hunter2", "who": request.decode()})
    return config.greeting.encode()


async def crash(when: asyncio.Event) -> None:
    await when.wait()
    raise RuntimeError("the disk is gone")


async def finish_when_told(told: asyncio.Event) -> None:
    await told.wait()
    _log.info("finished what was in hand")


async def fail() -> None:
    raise ConnectionError("no route to it")


async def start(mode: str, process: lifecycle.Process, config: Settings) -> None:
    await process.enter(part("first"))
    await process.enter(part("second", hang=mode == "hang"))
    told = asyncio.Event()
    process.background("worker", finish_when_told(told), stop=told.set)
    process.background("idle", asyncio.Event().wait())
    match mode:
        case "crash":
            process.background("crasher", crash(_set()))
        case "return":
            process.background("short", asyncio.sleep(0))
        case "broken-start":
            raise lifecycle.StartError("the store is not there")
        case "slow-start":
            _log.info("waiting for the store")
            await asyncio.Event().wait()
        case "failing-check":
            process.check("store", fail)
        case _:
            pass
    server = Server.for_process(config, process.readiness)
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Greet": grpc.unary_unary_rpc_method_handler(partial(greet, config))
    }
    server.registry.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Test", methods),))
    await process.enter(server)


def _set() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


if __name__ == "__main__":
    load = partial(settings.load, Settings, scope="example")
    sys.exit(lifecycle.run("example", load, partial(start, sys.argv[1])))
