"""The example problems, loaded once the stack is ready."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from deepoj.errors import Exit, Failure
from deepoj.stack.child import end_of
from deepoj.stack.services import Service
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, ServerError

OWNER = "question"


def example_packages(checkout: Path | None) -> tuple[Path, ...]:
    """Find the packages of the checkout, or say why there are none."""
    examples = None if checkout is None else checkout / "examples"
    found = sorted(path.parent for path in examples.glob("*/problem.yaml")) if examples else []
    if not found:
        raise Failure(
            "there are no example problems here: --demo works in a checkout of Deep-OJ, which has them in "
            "the directory examples",
            Exit.UNUSABLE,
        )
    return tuple(found)


def loader(service: Service, spec: ProcessSpec, packages: tuple[Path, ...]) -> ProcessSpec:
    """Make the process that loads packages of the one that serves them: it has the same settings."""
    command = service.argv or (sys.executable, "-m", service.package)
    return replace(spec, name=f"{service.app}-load", argv=(*command, "load", *map(str, packages)))


async def load(spec: ProcessSpec, log: Path) -> None:
    process = RunningProcess(spec, log)
    try:
        await end_of(process.pid)
    finally:
        process.kill()
    if process.exit_code():
        raise ServerError(f"the example problems were not loaded: {process.last_words()} (full log: {log})")
