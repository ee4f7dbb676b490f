"""The sandbox agent of a process and the way to it, the same for workers and setters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deepoj_domain.question.checker import MOST_COPIES
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.sandbox.agent_process import AgentProcess, remove_dead
from deepoj_judgement.outbound.toolchains.installed import PRECOMPILED_INSIDE
from deepoj_judgement.settings import Host
from deepoj_kit.private import private_directory
from deepoj_sandbox.client import Core

_SPARE_BOXES: Final = 2


def make_directories(host: Host) -> None:
    # Its default place can be guessed by anybody on the machine.
    private_directory(host.directory)
    for name in ("data", "precompiled"):
        (host.directory / name).mkdir(exist_ok=True)
    remove_dead(host.run_directory.parent)
    host.run_directory.mkdir(parents=True, exist_ok=True)


def sandbox_options(host: Host) -> tuple[str, ...]:
    """What the agent and the one-shot command are both told about this host."""
    options = ["--toolchain", f"{host.directory / 'precompiled'}={PRECOMPILED_INSIDE}"]
    for toolchain in host.toolchains:
        options += ["--toolchain", toolchain]
    if host.sandbox_state is not None:
        options += ["--state", str(host.sandbox_state)]
    return tuple(options)


def agent_process(host: Host, asleep: int = 0) -> AgentProcess:
    """`asleep`: how many more jobs may be there, whose programs sleep."""
    run = host.run_directory
    # As many as one job can ever hold, for each that there may be: nobody waits with some for the others'.
    boxes = (host.capacity + asleep) * (1 + MOST_COPIES) + _SPARE_BOXES
    return AgentProcess(run / "agent.sock", run / "agent.log", boxes, sandbox_options(host))


def agent_sandbox(host: Host, core_of: Callable[[str], Core | None] = lambda _: None) -> AgentSandbox:
    work = host.run_directory
    return AgentSandbox(work / "agent.sock", work, core_of)
