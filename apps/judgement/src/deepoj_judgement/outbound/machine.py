"""The machine a worker judges on, as it describes itself."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path

from deepoj_domain.judgement.manifest import JudgeHost

_CPUINFO = Path("/proc/cpuinfo")


def judge_host(worker: str, cores: int) -> JudgeHost:
    """Describe it without the layers of isolation, which the sandbox tells."""
    system = os.uname()
    return JudgeHost(
        worker=worker,
        version=version("deepoj-judgement"),
        architecture=system.machine,
        processor=_processor(),
        cores=cores,
        kernel=f"{system.sysname} {system.release}",
        layers=(),
    )


def _processor() -> str:
    """Some architectures tell a number in the place of a name."""
    try:
        lines = _CPUINFO.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    told = (line.split(":", 1) for line in lines if ":" in line)
    named = {key.strip(): value.strip() for key, value in told}
    return named.get("model name") or named.get("CPU part", "")
