"""The real sandbox, for whoever needs it."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_kit.embedded.process import ProcessSpec, running
from deepoj_languages.table import language_table


@pytest.fixture(scope="session")
def sandbox_works() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root: the sandbox makes boxes with users of their own")


@pytest.fixture(scope="session")
def agent_socket(sandbox_works: None) -> Iterator[Path]:  # noqa: ARG001
    # Not under pytest's own directory: the path of a unix socket ends at 107 bytes.
    with tempfile.TemporaryDirectory(prefix="deepoj-test-", ignore_cleanup_errors=True) as home:
        socket = Path(home, "agent.sock")
        argv = (sys.executable, "-m", "deepoj_sandbox", "agent", "--socket", str(socket))
        options = ("--boxes", "4", "--state", str(Path(home, "state")))
        with running(ProcessSpec("sandbox", (*argv, *options), ready=socket.exists), Path(home, "log")):
            yield socket


@pytest.fixture
def agent_sandbox(agent_socket: Path, private_home: Path) -> AgentSandbox:
    return AgentSandbox(agent_socket, private_home)


@pytest.fixture(scope="session")
def toolchains() -> InstalledToolchains:
    found = InstalledToolchains(language_table())
    asyncio.run(found.detect())
    return found
