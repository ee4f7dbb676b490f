"""Bring the whole stack up, keep it up, and take it down when asked."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from deepoj.credentials import Credentials, load_or_make
from deepoj.errors import Exit
from deepoj.home import Home
from deepoj.isolation import probe_isolation
from deepoj.runtime import runtime_directory
from deepoj.stack import demo
from deepoj.stack.board import Board
from deepoj.stack.child import Child
from deepoj.stack.database import Migrations, prepare_embedded
from deepoj.stack.environ import Addresses, Stores, own_ops_address, own_setting, service_environ
from deepoj.stack.ports import http_ready, refuse_used_port
from deepoj.stack.predecessor import clear_predecessor
from deepoj.stack.servers import Servers, given_tls, prepare_servers
from deepoj.stack.services import SERVER_STAGE, Service, Store
from deepoj.stack.supervisor import Supervisor
from deepoj.state import Phase, StackState
from deepoj_kit.embedded.free_ports import LOOPBACK, hold_port
from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec, minimal_environ
from deepoj_kit.embedded.reach import reach_s3

READY_TIMEOUT = 60.0
SERVICE_ATTEMPTS = 3
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PROBE_THREADS = 16
# Seconds. What is sent to a whole process group, and passed on by a wrapper in it, arrives twice.
ECHO = 0.5
_JUDGE = "judgement"


@dataclass(frozen=True, slots=True)
class Options:
    host: str
    port: int
    ephemeral: bool
    demo: tuple[Path, ...] = ()
    """Problem packages to load once everything is ready."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Everything that decides what is started; tests put programs of their own in it."""

    services: tuple[Service, ...]
    migrations: Migrations

    @property
    def with_database(self) -> tuple[str, ...]:
        apps = (each.app for each in self.services if Store.POSTGRES in each.stores)
        return tuple(dict.fromkeys(apps))


def run_stack(stack: Stack, home: Home, options: Options, board: Board) -> Exit:
    """Return when the stack was asked to stop and did. The caller holds the lock of the data directory."""
    clear_predecessor(home)
    with ExitStack() as held:
        # Until the end: a service that is not up yet, or starts again, must not find its port taken.
        port = options.port or _hold(held)
        refuse_used_port(options.host, port)
        run = held.enter_context(runtime_directory(home.root))
        ops = {each.name: own_ops_address(each) or f"{LOOPBACK}:{_hold(held)}" for each in stack.services}
        addresses = Addresses(run, home.root, f"{options.host}:{port}", ops)
        return asyncio.run(_Run(stack, home, addresses, board, options).until_stopped())


def _hold(held: ExitStack) -> int:
    return int(held.enter_context(hold_port()).getsockname()[1])


class _Run:
    def __init__(
        self, stack: Stack, home: Home, addresses: Addresses, board: Board, options: Options
    ) -> None:
        self._stack = stack
        self._home = home
        self._addresses = addresses
        self._board = board
        self._options = options
        self._credentials: Credentials = load_or_make(home, stack.with_database)
        self._nursery = Nursery(minimal_environ(), home.log("nursery"))
        self._supervisor = Supervisor(home.logs, f"http://{addresses.http}", self._publish)
        self._asked_at: float | None = None
        self._forced = False

    async def until_stopped(self) -> Exit:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(PROBE_THREADS))
        self._supervisor.enter(Phase.STARTING)
        serving = asyncio.create_task(self._serve())
        with _signals(partial(self._on_signal, serving)):
            try:
                with suppress(asyncio.CancelledError):
                    await serving
            finally:
                await self._supervisor.stop()
                self._nursery.close()
                self._home.state.unlink(missing_ok=True)
        return Exit.INTERRUPTED if self._forced else Exit.OK

    def _on_signal(self, serving: asyncio.Task[None]) -> None:
        if self._asked_at is None:
            self._asked_at = time.monotonic()
            serving.cancel()
        elif time.monotonic() - self._asked_at > ECHO:
            self._forced = True
            self._supervisor.kill()

    async def _serve(self) -> None:
        began = time.monotonic()
        run = self._addresses.run
        loading = asyncio.ensure_future(self._load_services())
        servers = await prepare_servers(self._home, run, self._credentials, ephemeral=self._options.ephemeral)
        self._supervisor.s3_endpoint = servers.s3.endpoint
        stores = await self._open_stores(servers)
        await loading
        specs = [(each, self._spec(each, stores)) for each in self._stack.services]
        started = [self._add(each, spec) for each, spec in specs]
        for child in started:
            child.start()
        self._supervisor.notices, _ = await asyncio.gather(self._notices(), _all_ready(started))
        await self._load_demo(specs)
        self._supervisor.enter(Phase.READY)
        took = f"{time.monotonic() - began:.1f} s, data in {self._home.root}"
        for sentence in (*self._places(), *self._supervisor.notices):
            self._say(sentence)
        self._say(f"Deep-OJ is ready: http://{self._addresses.http} ({took})")
        await self._supervisor.bound_logs()

    async def _load_services(self) -> None:
        """Let the nursery import the services while the servers start."""
        forked = [each.package for each in self._stack.services if not each.argv]
        if forked:
            self._nursery.open()  # in this thread, which stays
            await asyncio.to_thread(self._nursery.load, forked)

    async def _notices(self) -> tuple[str, ...]:
        """Say what programs are run with less than: judging works, and somebody should know."""
        if not any(service.app == _JUDGE for service in self._stack.services):
            return ()
        found = await asyncio.to_thread(probe_isolation)
        reasons = (found.problem,) if found.problem else found.degraded
        return tuple(f"Isolation is degraded: {reason}. See deepoj doctor." for reason in reasons)

    def _places(self) -> Iterator[str]:
        """Say where things lie that a person will look for; what is not there was set to be elsewhere."""
        for service in self._stack.services:
            for name, content in service.places.items():
                path = own_setting(service, name) or service.settings[name].format(data=self._addresses.data)
                if Path(path).exists():
                    yield f"{content}: {path}"

    async def _load_demo(self, specs: list[tuple[Service, ProcessSpec]]) -> None:
        packages = self._options.demo
        if not packages:
            return
        self._say(f"loading {len(packages)} example problems: {', '.join(each.name for each in packages)}")
        service, spec = next(each for each in specs if each[0].name == demo.OWNER)
        loader = demo.loader(service, spec, packages)
        await demo.load(loader, self._home.logs / f"{loader.name}.log")
        self._say("the example problems are loaded")

    def _say(self, sentence: str) -> None:
        with suppress(OSError):  # as in _publish
            self._board.say(sentence)

    async def _open_stores(self, servers: Servers) -> Stores:
        """Start the servers; prepare the database as soon as its server is ready, beside the others."""
        children = {spec.name: self._supervisor.add(spec, SERVER_STAGE) for spec in servers.specs}
        for child in children.values():
            child.start()
        urls, _ = await asyncio.gather(
            self._open_database(servers, children.get("postgres")), _all_ready(children.values())
        )
        await asyncio.to_thread(reach_s3, servers.s3, servers.bucket, given_tls())
        return Stores(urls, servers.redis_url, servers.s3, servers.bucket)

    async def _open_database(self, servers: Servers, embedded: Child | None) -> dict[str, str]:
        names, migrations, url = self._stack.with_database, self._stack.migrations, servers.postgres_url
        if embedded is None:
            await asyncio.to_thread(migrations.upgrade, url)
            return dict.fromkeys(names, url)
        await embedded.wait_ready(READY_TIMEOUT)
        return await asyncio.to_thread(prepare_embedded, url, self._credentials, names, migrations)

    def _add(self, service: Service, spec: ProcessSpec) -> Child:
        nursery = None if service.argv else self._nursery
        return self._supervisor.add(spec, service.stage, SERVICE_ATTEMPTS, nursery)

    def _spec(self, service: Service, stores: Stores) -> ProcessSpec:
        environ = service_environ(
            service, self._stack.services, stores, self._addresses, self._credentials.service_token
        )
        return ProcessSpec(
            service.name,
            service.command(),
            ready=partial(http_ready, self._addresses.ops[service.name]),
            environ=environ,
            # Its stores end at the same moment, so there is nothing left to drain into.
            death_signal=signal.SIGKILL,
        )

    def _publish(self, state: StackState) -> None:
        # A full disk or a closed terminal is no reason to take the stack down.
        with suppress(OSError):
            state.write(self._home.state)
        with suppress(OSError):
            self._board.show(state)


async def _all_ready(children: Iterable[Child]) -> None:
    await asyncio.gather(*(child.wait_ready(READY_TIMEOUT) for child in children))


@contextmanager
def _signals(handler: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, handler)
    try:
        yield
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
