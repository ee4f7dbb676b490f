"""Starts the example service as a process of its own and reads what it logs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deepoj_kit.embedded.process import minimal_environ

SERVICE = Path(__file__).with_name("example_service.py")
TOKEN = "a token that must not be logged"
Line = dict[str, Any]
Launch = Callable[..., Any]


class Running:
    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process = process
        self.token = TOKEN
        self.address = address
        self.raw = ""
        self.lines: list[Line] = []

    async def until(self, message: str) -> Line:
        """Read the log up to a line that says this."""
        while not str((line := await self._next_line())["message"]).startswith(message):
            pass
        return line

    async def _next_line(self) -> Line:
        assert self.process.stderr is not None
        text = (await self.process.stderr.readline()).decode()
        if not text:
            raise AssertionError(f"the process ended first:\n{self.raw}")
        self.raw += text
        line = msgspec.json.decode(text, type=Line)
        self.lines.append(line)
        return line

    async def ended(self) -> int:
        assert self.process.stderr is not None
        rest = (await self.process.stderr.read()).decode()
        self.raw += rest
        self.lines += [
            msgspec.json.decode(text, type=Line) for text in rest.splitlines() if text.startswith("{")
        ]
        return await self.process.wait()

    @property
    def messages(self) -> list[str]:
        return [str(line["message"]) for line in self.lines]


@pytest.fixture
def launch(private_home: Path) -> Launch:
    @asynccontextmanager
    async def launching(mode: str = "well", **variables: str) -> AsyncIterator[Running]:
        address = f"unix:{private_home / 'run' / 'example.sock'}"
        ours = {"DEEPOJ_EXAMPLE_LISTEN": address, "DEEPOJ_SERVICE_TOKEN": TOKEN} | variables
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(SERVICE), mode, env=minimal_environ() | ours, stderr=asyncio.subprocess.PIPE
        )
        try:
            yield Running(process, address)
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    return launching
