"""What the judgement service is told from outside."""

from __future__ import annotations

import os
import socket
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal, Protocol

import msgspec

from deepoj_kit.settings import ByteSize, PostgresUrl, ProcessSettings, Secret, ServiceAddress

_NO_OP_CALLS = 64
_ASLEEP_PER_CORE = 32


class Host(Protocol):
    """What the sandbox of a process needs to know about its machine."""

    @property
    def directory(self) -> Path: ...
    @property
    def run_directory(self) -> Path: ...
    @property
    def capacity(self) -> int: ...
    @property
    def toolchains(self) -> tuple[str, ...]: ...
    @property
    def sandbox_state(self) -> Path | None: ...


class Directories:
    """Where a process that judges keeps its files."""

    __slots__ = ()
    home: Path | None

    @property
    def directory(self) -> Path:
        return self.home or default_directory()

    @property
    def program_directory(self) -> Path:
        return self.directory / "programs"

    @property
    def run_directory(self) -> Path:
        """What ends with this process: the agent's socket and the files of jobs."""
        return self.directory / "run" / str(os.getpid())


class SetterSettings(Directories, msgspec.Struct, frozen=True, kw_only=True):
    """What a process is told that judges one package and ends; it needs no server."""

    home: Path | None = None
    toolchains: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """To judge in; empty: all that are installed."""
    sandbox_state: Path | None = None
    precompile: bool = True
    cores: int = 0
    """How many programs run at once; 0: as many as there are cores."""

    @property
    def capacity(self) -> int:
        return self.cores or os.cpu_count() or 1


def default_directory() -> Path:
    return Path(tempfile.gettempdir()) / f"deepoj-judgement-{os.geteuid()}"


class JudgementSettings(Directories, ProcessSettings, frozen=True, kw_only=True):
    redis_url: Annotated[Secret, msgspec.Meta(description="Redis, redis://… or unix://…")]
    s3_endpoint: Annotated[str, msgspec.Meta(description="object store, http(s)://host:port")]
    s3_access_key: Annotated[str, msgspec.Meta(description="account at the object store")]
    s3_secret_key: Annotated[Secret, msgspec.Meta(description="its secret")]
    s3_bucket: Annotated[str, msgspec.Meta(description="bucket of test data and logs")]
    record_address: ServiceAddress
    question_address: ServiceAddress
    postgres_url: PostgresUrl = Secret("")
    """Only the judge cache needs it."""
    home: Annotated[
        Path | None, msgspec.Meta(description="directory for test data, precompiled headers and jobs")
    ] = None
    worker_name: Annotated[
        str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.-]{0,100}$", description="unique name; default host and pid")
    ] = ""
    consume: Annotated[bool, msgspec.Meta(description="take jobs from the queue; else only serve calls")] = (
        True
    )
    runner: Annotated[
        Literal["auto", "agent", "one_shot", "noop"],
        msgspec.Meta(
            description="auto: the sandbox agent, one-shot when it is away; noop judges nothing (benchmarks)"
        ),
    ] = "auto"
    cores: Annotated[int, msgspec.Meta(ge=0, description="cores to judge with; 0: all there are")] = 0
    shared_machine: Annotated[
        bool, msgspec.Meta(description="leave one core to the services on this machine")
    ] = False
    program_memory: Annotated[
        ByteSize, msgspec.Meta(description="memory that one program may use; 0: seven eighths of the machine")
    ] = ByteSize(0)
    reference_ms: Annotated[
        int,
        msgspec.Meta(
            ge=0, description="what `speed` measures on the fleet's reference host; 0: times are as they are"
        ),
    ] = 0
    speed_band: Annotated[
        float,
        msgspec.Meta(ge=1, le=10, description="times slower or faster than the reference that a host may be"),
    ] = 2.0
    heavy_share: Annotated[
        float, msgspec.Meta(gt=0, le=1, description="share of the cores that heavy languages may take")
    ] = 0.5
    waiting_calls: Annotated[
        int, msgspec.Meta(ge=0, description="Run and Verify calls that may wait for a core; more are refused")
    ] = 16
    job_rate: Annotated[
        float,
        msgspec.Meta(ge=0, description="jobs a second that all workers together may begin; 0: no limit"),
    ] = 0.0
    toolchains: Annotated[
        tuple[str, ...], msgspec.Meta(description="directories outside /usr with compilers, shown in boxes")
    ] = ()
    languages: Annotated[
        tuple[str, ...], msgspec.Meta(description="languages to judge here; empty: all that are installed")
    ] = ()
    sandbox_state: Annotated[
        Path | None, msgspec.Meta(description="state directory of the sandbox; default its own")
    ] = None
    precompile: Annotated[bool, msgspec.Meta(description="precompile C++ headers at the start")] = True
    judging_slack: Annotated[
        timedelta,
        msgspec.Meta(description="how much longer than the time limits of its cases a judgement may take"),
    ] = timedelta(minutes=5)
    data_cache: Annotated[ByteSize, msgspec.Meta(description="test data kept on the local disk")] = ByteSize(
        4 * 1024**3
    )
    judge_cache: Annotated[
        bool, msgspec.Meta(description="answer the same code on the same revision with the stored result")
    ] = True
    judge_cache_keep: Annotated[timedelta, msgspec.Meta(description="how long stored results are kept")] = (
        timedelta(days=90)
    )
    canary_interval: Annotated[
        timedelta, msgspec.Meta(description="how often known solutions are judged; 0: never")
    ] = timedelta(minutes=15)
    canary_drift: Annotated[
        float, msgspec.Meta(ge=1.1, description="how many times its own CPU time a known solution may take")
    ] = 1.5
    canary_times_right: Annotated[
        int, msgspec.Meta(ge=1, description="how often in a row it must be right before jobs are taken again")
    ] = 3
    canary_languages: Annotated[
        tuple[str, ...], msgspec.Meta(description="only in these; empty: in all this machine has")
    ] = ()
    orders_interval: Annotated[
        timedelta, msgspec.Meta(description="how often record is asked whether operators drained this worker")
    ] = timedelta(seconds=5)
    reclaim_interval: Annotated[
        timedelta, msgspec.Meta(description="how often abandoned messages are looked for")
    ] = timedelta(seconds=5)
    job_group: Annotated[
        str, msgspec.Meta(min_length=1, description="consumer group of the judge workers")
    ] = "judgement"

    @property
    def worker(self) -> str:
        return self.worker_name or f"{socket.gethostname()}-{os.getpid()}"

    @property
    def data_directory(self) -> Path:
        return self.directory / "data"

    @property
    def capacity(self) -> int:
        """How many jobs at once. A no-op run costs no core, so many may be under way."""
        if self.runner == "noop":
            return _NO_OP_CALLS
        cores = self.cores or os.cpu_count() or 1
        return max(1, cores - 1 if self.shared_machine else cores)

    @property
    def heavy_capacity(self) -> int:
        return max(1, int(self.capacity * self.heavy_share))

    @property
    def asleep(self) -> int:
        """How many more jobs may be in hand, whose programs sleep."""
        return 0 if self.runner == "noop" else self.capacity * _ASLEEP_PER_CORE

    @property
    def asleep_bytes(self) -> int:
        """The memory that their limits may add up to."""
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4

    @property
    def program_memory_mib(self) -> int:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return (self.program_memory or machine // 8 * 7) // 1024**2

    @property
    def runs_nothing(self) -> bool:
        return self.runner == "noop"

    @property
    def finishing(self) -> timedelta:
        """Of the grace after SIGTERM, what running jobs and calls get; then they are handed back and cut."""
        return self.shutdown_grace * 0.5
