"""The real sandbox, for whoever needs it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_kit.embedded.process import ProcessSpec, running
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_languages.table import language_table


@pytest.fixture(scope="session")
def sandbox_works() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root: the sandbox makes boxes with users of their own")


@pytest.fixture(scope="session")
def agent_socket(sandbox_works: None) -> Iterator[Path]:  # noqa: ARG001
    with scratch_directory() as home:
        socket = home / "agent.sock"
        argv = (sys.executable, "-m", "deepoj_sandbox", "agent", "--socket", str(socket))
        options = ("--boxes", "4", "--state", str(home / "state"))
        with running(ProcessSpec("sandbox", (*argv, *options), ready=socket.exists), home / "log"):
            yield socket


@pytest.fixture
def agent_sandbox(agent_socket: Path, private_home: Path) -> AgentSandbox:
    return AgentSandbox(agent_socket, private_home)


@pytest.fixture(scope="session")
def toolchains() -> InstalledToolchains:
    found = InstalledToolchains(language_table())
    asyncio.run(found.detect())
    return found
