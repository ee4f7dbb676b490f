"""Inviting and revoking judge hosts, which record does on the database of the system."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

from deepoj.home import Home
from deepoj.stack.open_stores import open_stores
from deepoj_kit.embedded.service_environ import service_tuning

_UNUSED: Final = ("RECORD_LISTEN", "QUESTION_ADDRESS", "GAME_ADDRESS", "JUDGEMENT_ADDRESS")
# Where each host has its own user, the operator names it.
_REDIS: Final = {"DEEPOJ_REDIS_URL": "unix:/nowhere"}


def record(home: Home, *arguments: str) -> int:
    """Run a command of record on the system at `home`; return its exit code. It needs no other service."""
    with open_stores(home) as stores:
        ours = {f"DEEPOJ_{name}": "unix:/nowhere" for name in _UNUSED}
        ours |= {"DEEPOJ_SERVICE_TOKEN": "none", "DEEPOJ_RECORD_POSTGRES_URL": stores.postgres_url}
        environ = service_tuning() | _REDIS | dict(os.environ) | ours
        command = [sys.executable, "-m", "deepoj_record", *arguments]
        return subprocess.run(command, env=environ, check=False).returncode
