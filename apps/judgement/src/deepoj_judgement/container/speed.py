"""The speed of this host: measured when the worker starts, and by `python -m deepoj_judgement speed`."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
from typing import Final

from deepoj_judgement.commands.judge.errors import JudgingFailedError
from deepoj_judgement.container.sandbox import make_directories
from deepoj_judgement.container.worker import Container
from deepoj_judgement.settings import JudgementSettings
from deepoj_kit.lifecycle import Process, StartError

SPEED: Final = "measure how fast this host is, for reference_ms"
_log = logging.getLogger(__name__)


async def calibrate(container: Container, settings: JudgementSettings) -> None:
    """Let times be told in those of the reference."""
    try:
        found = await container.measure_speed()()
    except JudgingFailedError as error:
        raise StartError(f"this host cannot be compared with the reference: {error.detail}") from error
    percent, band = found.percent_of(settings.reference_ms), settings.speed_band
    _log.info("speed", extra={"took_ms": found.fastest_ms, "percent": percent})
    if not 100 / band <= percent <= 100 * band:
        raise StartError(
            f"this host takes {found.fastest_ms} ms, the reference {settings.reference_ms} ms for the same: "
            "times cannot be compared so far apart; widen speed_band, or judge elsewhere"
        )
    container.pace().percent = percent


def speed_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--times", type=int, default=9, metavar="N", choices=range(1, 100), help="runs; 9")
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")


async def speed(settings: JudgementSettings, arguments: argparse.Namespace) -> int:
    """Without a server, and beside a worker that may run: its boxes are others."""
    make_directories(settings)
    container = Container(settings=settings, process=Process())
    await container.toolchains().detect()
    agent, stop = container.agent(), asyncio.Event()
    await agent.start()
    running = asyncio.create_task(agent.run(stop))
    try:
        found = await container.measure_speed()(arguments.times)
    except JudgingFailedError as error:
        sys.stderr.write(f"judgement: {error}\n")
        return 1
    finally:
        stop.set()
        await running
    words = {"fastest_ms": found.fastest_ms, "median_ms": found.median_ms}
    text = json.dumps(words) if arguments.json else f"{found.fastest_ms} ms (median {found.median_ms} ms)"
    sys.stdout.write(text + "\n")
    return 0
