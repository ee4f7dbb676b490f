"""Calls between services over TCP: who is believed, who is refused, and what is said about it."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import grpc
import pytest

from deepoj_kit.grpc import Server, connect
from deepoj_kit.grpc.errors import RemoteError
from deepoj_kit.lifecycle import Readiness, StartError
from deepoj_kit.settings import Secret
from deepoj_kit.tls import Tls
from kit.tests.certificates import DAY, Authority

TOKEN = Secret("the right one")
PATIENCE = timedelta(seconds=20)


@asynccontextmanager
async def served(tls: Tls, listen: str = "127.0.0.1:0") -> AsyncIterator[str]:
    server = Server(listen, TOKEN, Readiness(), tls=tls, grace=timedelta())

    async def echo(request: bytes, _: object) -> bytes:
        return request

    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Echo": grpc.unary_unary_rpc_method_handler(echo)
    }
    server.registry.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Test", handlers),))
    async with server:
        yield server.address


async def call(address: str, tls: Tls) -> bytes:
    async with connect(address, TOKEN, tls=tls, deadline=PATIENCE, peer="test") as channel:
        echo: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Test/Echo")
        return await echo(b"hello")


async def test_a_server_of_the_right_authority_is_called(ours: Authority) -> None:
    async with served(ours.issue("server")) as address:
        assert await call(address, ours.trusted()) == b"hello"


async def test_both_sides_may_have_to_show_a_certificate(ours: Authority) -> None:
    async with served(ours.issue("server", "mutual")) as address:
        assert await call(address, ours.issue("caller", "mutual")) == b"hello"


async def test_a_server_of_another_authority_is_refused(ours: Authority, foreign: Authority) -> None:
    async with served(foreign.issue("server")) as address:
        with pytest.raises(RemoteError, match="from no authority of tls_ca"):
            await call(address, ours.trusted())


async def test_a_server_with_the_name_of_another_is_refused(ours: Authority) -> None:
    async with served(ours.issue("server", host="127.0.0.2")) as address:
        with pytest.raises(RemoteError, match="not for this address"):
            await call(address, ours.trusted())


async def test_a_certificate_that_has_ended_is_refused(ours: Authority) -> None:
    async with served(ours.issue("server", ends=-DAY)) as address:
        with pytest.raises(RemoteError, match="has ended: renew"):
            await call(address, ours.trusted())


@pytest.mark.parametrize("shown", ["nothing", "foreign", "ended"])
async def test_a_caller_without_a_good_certificate_is_refused(
    ours: Authority, foreign: Authority, shown: str
) -> None:
    callers = {
        "nothing": ours.trusted(),
        "foreign": replace(foreign.issue("caller"), authorities=ours.file),
        "ended": ours.issue("caller", ends=-DAY),
    }
    async with served(ours.issue("server", "mutual")) as address:
        with pytest.raises(RemoteError, match="our tls_certificate"):
            await call(address, callers[shown])


async def test_a_caller_in_the_clear_is_refused(ours: Authority) -> None:
    async with served(ours.issue("server")) as address:
        with pytest.raises(RemoteError, match="need the same tls"):
            await call(address, Tls())


async def test_a_server_in_the_clear_is_refused(ours: Authority) -> None:
    async with served(Tls()) as address:
        with pytest.raises(RemoteError, match="does not speak TLS"):
            await call(address, ours.trusted())


async def test_a_socket_of_this_machine_needs_no_certificate(ours: Authority, private_home: Path) -> None:
    async with served(ours.trusted("server"), f"unix:{private_home / 'run' / 'test.sock'}") as address:
        assert await call(address, ours.trusted("server")) == b"hello"


async def test_a_renewed_certificate_is_shown_without_a_restart(ours: Authority) -> None:
    async with served(ours.issue("server")) as address:
        before = await asyncio.to_thread(shown_by, address)
        ours.issue("server")
        assert await asyncio.to_thread(shown_by, address) != before
        assert await call(address, ours.trusted()) == b"hello"


async def test_a_renewal_that_is_half_done_leaves_the_old_certificate(ours: Authority) -> None:
    server = ours.issue("server")
    async with served(server) as address:
        assert server.key is not None
        server.key.write_bytes(b"")
        assert await call(address, ours.trusted()) == b"hello"


async def test_files_that_cannot_be_used_are_named_at_the_start(ours: Authority, foreign: Authority) -> None:
    good, other = ours.issue("server"), foreign.issue("other")
    wrong = {
        "tls_ca has to name": replace(good, authorities=None),
        "belong together": replace(good, key=None),
        "tls_certificate and tls_key have to be set": replace(ours.trusted(), grpc="mutual"),
        "key values mismatch": replace(good, key=other.key),
        "No such file": replace(good, authorities=Path("/nowhere/ca.pem")),
        "has to show a certificate": ours.trusted(),
    }
    for sentence, tls in wrong.items():
        with pytest.raises(StartError, match=sentence):
            async with served(tls):
                pass


def shown_by(address: str) -> str:
    host, _, port = address.rpartition(":")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with socket.create_connection((host, int(port)), 20) as plain, context.wrap_socket(plain) as wrapped:
        return ssl.DER_cert_to_PEM_cert(wrapped.getpeercert(binary_form=True) or b"")
