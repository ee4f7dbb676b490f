import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.layers import probe
from deepoj_sandbox.testing import Laboratory, missing_tools


@pytest.fixture(scope="session")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="session")
def workshop(state: Path) -> Iterator[Workshop]:
    if os.geteuid() != 0:
        pytest.skip("needs root: boxes with users of their own and a cgroup")
    try:
        opened = Workshop(state)
    except SandboxError as error:
        pytest.skip(f"this machine cannot make boxes: {error}")
    with opened:
        if not probe(opened).sufficient:
            pytest.fail("boxes can be made but do not isolate")
        yield opened


@pytest.fixture(scope="session")
def laboratory(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    if missing := missing_tools("gcc", "g++"):
        pytest.skip(missing)
    return Laboratory(workshop, tmp_path_factory.mktemp("programs"))


@pytest.fixture
def box(workshop: Workshop) -> Iterator[Box]:
    made = workshop.make()
    yield made
    made.close()
