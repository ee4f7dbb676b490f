"""A host of its own as far as the network goes: a namespace at the other end of a link that can be cut."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import pytest


@dataclass(frozen=True, slots=True)
class OtherHost:
    namespace: str
    link: str
    """Our end of it."""
    address: str
    """Ours, as the other host sees us."""

    def enter(self, *argv: str) -> tuple[str, ...]:
        """Return the command that runs there. Only the network is another: `ip netns exec` hides cgroups."""
        return (_found("nsenter"), f"--net=/run/netns/{self.namespace}", *argv)

    def cut(self) -> None:
        _ip("link", "set", self.link, "down")


@contextmanager
def other_host() -> Iterator[OtherHost]:
    if os.geteuid() != 0 or not (shutil.which("ip") and shutil.which("nsenter")):
        pytest.skip("network namespaces need root, iproute2 and util-linux")
    name, subnet = f"oj{secrets.token_hex(4)}", f"10.{secrets.randbelow(100) + 100}.{secrets.randbelow(256)}"
    host = OtherHost(name, f"{name}a", f"{subnet}.1")
    try:
        _ip("netns", "add", name)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"network namespaces cannot be made here: {error.stderr.strip()}")
    try:
        _ip("link", "add", host.link, "type", "veth", "peer", "name", f"{name}b", "netns", name)
        _ip("addr", "add", f"{host.address}/24", "dev", host.link)
        _ip("-n", name, "addr", "add", f"{subnet}.2/24", "dev", f"{name}b")
        for namespace, device in ((("-n", name), f"{name}b"), (("-n", name), "lo"), ((), host.link)):
            _ip(*namespace, "link", "set", device, "up")
        yield host
    finally:
        # The link goes with the namespace.
        _ip("netns", "del", name)


@asynccontextmanager
async def reached(host: OtherHost, target: str) -> AsyncIterator[str]:
    """Let the other host reach `unix:/path` or host:port of ours; give the address it has there."""
    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await _opened(target)
        try:
            await asyncio.gather(_pump(reader, inner_writer), _pump(inner_reader, writer))
        finally:
            for each in (writer, inner_writer):
                each.transport.abort()

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(asyncio.create_task(serve(reader, writer)))

    server = await asyncio.start_server(accepted, host.address, 0)
    try:
        yield f"{host.address}:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in served:
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)


async def _opened(target: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if target.startswith("unix:"):
        return await asyncio.open_unix_connection(target.removeprefix("unix:"))
    host, _, port = target.rpartition(":")
    return await asyncio.open_connection(host, int(port))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    writer.close()


def _ip(*argv: str) -> None:
    subprocess.run([_found("ip"), *argv], check=True, capture_output=True, text=True)


def _found(program: str) -> str:
    return shutil.which(program) or program
