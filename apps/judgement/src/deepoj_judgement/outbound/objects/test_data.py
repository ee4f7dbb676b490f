"""Test data in the object store, under its content hash."""

from __future__ import annotations

from pathlib import Path

from deepoj_domain.kernel.digest import ContentHash
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_kit.objects import ObjectStore, ObjectStoreError

PREFIX = "data/"


class ObjectData:
    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    async def download(self, content: ContentHash, path: Path) -> None:
        try:
            await self._store.download(PREFIX + content, path, sha256=content)
        except ObjectStoreError as error:
            raise StoreFailedError(str(error)) from error
