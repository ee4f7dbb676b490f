"""Put a backup in the place of a system: objects, then what Redis knows, then the database, which names them.

Until the last step, which is one transaction, the system is as it was.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass

import msgspec

import deepoj_migrations
from deepoj.backup.database import Database
from deepoj.backup.objects import Tell, put_back_objects
from deepoj.backup.repository import DamagedError, Manifest, Repository
from deepoj.backup.take import Secrets
from deepoj.errors import Exit, Failure
from deepoj.stack.open_stores import OpenStores
from deepoj_kit.embedded.forget import forget


@dataclass(frozen=True, slots=True)
class Restored:
    name: str
    taken_at: str
    objects: int
    object_bytes: int
    damaged: tuple[str, ...]
    """Objects that were left out, because the backup has them no more as they were."""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def secrets_of(repository: Repository, manifest: Manifest) -> Secrets | None:
    if manifest.secrets is None:
        return None
    try:
        return msgspec.json.decode(b"".join(repository.read(manifest.secrets)), type=Secrets)
    except msgspec.DecodeError as error:
        raise DamagedError("the service credential") from error


def refuse_newer(manifest: Manifest) -> None:
    for schema, revision in manifest.revisions.items():
        if not deepoj_migrations.knows(schema, revision):
            raise Failure(
                f"the backup {manifest.name} is of a newer release ({manifest.version}, schema {schema} "
                f"{revision}): restore it with that release, or a later one",
                Exit.REFUSED,
            )


def refuse_to_overwrite(database: Database, *, replace: bool) -> None:
    if database.held() and not replace:
        raise Failure(
            "there is a system already: restore to another --data directory or database, or say --replace "
            "to give "
            "up what it holds",
            Exit.REFUSED,
        )
    if visitors := database.visitors():
        raise Failure(
            f"{visitors} others are connected to the database: stop every service and worker first, then "
            "try again",
            Exit.BUSY,
        )


def put_back(
    stores: OpenStores,
    database: Database,
    env: str,
    repository: Repository,
    manifest: Manifest,
    tell: Tell,
    *,
    without_damaged: bool = False,
) -> Restored:
    for _ in repository.read(manifest.database):
        pass  # known to be whole before anything is changed
    objects = put_back_objects(stores.objects(), repository, repository.entries(manifest), tell)
    damaged = asyncio.run(objects)
    if damaged and not without_damaged:
        raise _refusal(manifest, damaged)
    if stores.redis_url is not None:
        forget(stores.redis_url, env, stores.tls)
    database.restore(repository.read(manifest.database))
    return Restored(
        manifest.name,
        manifest.taken_at.isoformat(),
        manifest.object_count - len(damaged),
        manifest.object_bytes,
        tuple(damaged),
    )


def _refusal(manifest: Manifest, damaged: list[str]) -> Failure:
    return Failure(
        f"objects are damaged in the backup {manifest.name}: {len(damaged)}, such as {damaged[0]}. The "
        "database is as it was. Use another backup, or restore all but these with --without-damaged",
        Exit.FAILED,
    )
