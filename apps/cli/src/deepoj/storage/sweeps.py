"""The sweeps of the services, each as a process of its owner: it knows what may go."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

import msgspec

from deepoj.errors import Exit, Failure
from deepoj.stack.open_stores import OpenStores

OWNERS: Final = {"question": "files of problems", "record": "logs of submissions"}
_MISSING: Final = 1
# A sweep calls no service and no Redis, but a process wants to be told where they would be.
_NOWHERE: Final = "unix:/nobody"
_NOT_CALLED: Final = (
    "DEEPOJ_QUESTION_ADDRESS", "DEEPOJ_RECORD_ADDRESS", "DEEPOJ_GAME_ADDRESS", "DEEPOJ_JUDGEMENT_ADDRESS",
)  # fmt: skip


class Swept(msgspec.Struct, frozen=True):
    objects: int
    bytes: int
    deleted_objects: int
    """In a dry run: those that would be deleted."""
    deleted_bytes: int
    missing: tuple[str, ...] = ()


def sweep(stores: OpenStores, owner: str, *, dry_run: bool) -> Swept:
    argv = (sys.executable, "-m", f"deepoj_{owner}", "sweep", *(("--dry-run",) if dry_run else ()))
    done = subprocess.run(argv, env=_environ(stores, owner), capture_output=True, text=True, check=False)
    if done.returncode not in {0, _MISSING} or not done.stdout:
        raise Failure(f"the sweep of {OWNERS[owner]} failed: {done.stderr.strip()}", Exit.FAILED)
    return msgspec.json.decode(done.stdout, type=Swept)


def _environ(stores: OpenStores, owner: str) -> dict[str, str]:
    ours = {
        "POSTGRES_URL": stores.postgres_url,
        "S3_ENDPOINT": stores.s3.endpoint,
        "S3_ACCESS_KEY": stores.s3.access_key,
        "S3_SECRET_KEY": stores.s3.secret_key,
        "S3_BUCKET": stores.bucket,
        "REDIS_URL": _NOWHERE,
        "SERVICE_TOKEN": "not used",
        "LISTEN": _NOWHERE,
    }
    scope = f"DEEPOJ_{owner.upper()}_"
    return {**os.environ, **{scope + name: value for name, value in ours.items()}} | dict.fromkeys(
        _NOT_CALLED, _NOWHERE
    )
