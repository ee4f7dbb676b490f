"""Take a backup: objects, then the database, then the objects that came meanwhile.

A service stores an object before it commits the row that names it, so whatever the snapshot names was there
when the second look began; what is deleted between the two looks was taken by the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version

import msgspec

from deepoj.backup.database import Database
from deepoj.backup.objects import CopyOut, Tell
from deepoj.backup.repository import Content, DamagedError, Entry, Manifest, Repository
from deepoj.stack.open_stores import OpenStores


class Secrets(msgspec.Struct, frozen=True):
    service_token: str

    def __repr__(self) -> str:
        return "Secrets(***)"


@dataclass(frozen=True, slots=True)
class Taken:
    name: str
    database_bytes: int
    objects: int
    object_bytes: int
    copied_objects: int
    copied_bytes: int
    damaged: tuple[str, ...]
    """Objects of the system that are not what their name says; a rejudge may need them."""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def take(
    stores: OpenStores, schemas: tuple[str, ...], token: str | None, repository: Repository, tell: Tell
) -> Taken:
    before = latest_entries(repository)
    copy_out = CopyOut(repository, before, tell)
    asyncio.run(copy_out(stores.objects()))
    taken_at = datetime.now(UTC)
    source = Database(stores.postgres_url, schemas)
    revisions = source.revisions()
    database = _store(repository, source.dump())
    asyncio.run(copy_out(stores.objects()))
    copied = copy_out.copied
    secrets = None if token is None else _store(repository, [msgspec.json.encode(Secrets(token))])
    manifest = Manifest(
        name=f"{taken_at:%Y%m%dT%H%M%S.%fZ}",
        taken_at=taken_at,
        version=version("deepoj"),
        database=database,
        objects=_store(repository, (msgspec.json.encode(each) + b"\n" for each in copied.entries.values())),
        object_count=len(copied.entries),
        object_bytes=sum(each.size for each in copied.entries.values()),
        secrets=secrets,
        revisions=revisions,
    )
    repository.commit(manifest)
    return Taken(
        manifest.name,
        database.size,
        manifest.object_count,
        manifest.object_bytes,
        copied.objects,
        copied.bytes,
        tuple(sorted(copied.damaged)),
    )


def latest_entries(repository: Repository) -> dict[str, Entry]:
    """Return the objects of the last backup that can be read."""
    for name in reversed(repository.names()):
        with suppress(DamagedError):  # an older one will do
            return {entry.key: entry for entry in repository.entries(repository.manifest(name))}
    return {}


def _store(repository: Repository, chunks: Iterable[bytes]) -> Content:
    with repository.draft() as draft:
        for chunk in chunks:
            draft.write(chunk)
    return draft.content
