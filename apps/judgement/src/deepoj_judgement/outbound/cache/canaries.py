"""What a worker keeps for its canaries: their test data, and how fast they were."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from deepoj_domain.kernel.digest import ContentHash
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_judgement.commands.worker.canary.ports import Baseline
from deepoj_judgement.outbound.sandbox.files import FileBlob

_log = logging.getLogger(__name__)


class CanaryData:
    """Test data that was never in a store."""

    def __init__(self, directory: Path, contents: Mapping[ContentHash, bytes]) -> None:
        self._directory = directory
        self._contents = contents

    @asynccontextmanager
    async def borrow(self, hashes: Iterable[ContentHash]) -> AsyncIterator[Mapping[ContentHash, FileBlob]]:
        self._directory.mkdir(exist_ok=True)
        lent: dict[ContentHash, FileBlob] = {}
        for each in hashes:
            path = self._directory / each
            try:
                path.write_bytes(self._contents[each])
            except OSError as error:
                raise StoreFailedError(f"{path} cannot be written: {error.strerror}") from error
            lent[each] = FileBlob(path)
        yield lent


class DiskBaselines:
    """One small file in the home of the worker, which nobody else writes."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def find(self, language: str) -> Baseline | None:
        return self._all().get(language)

    def keep(self, language: str, baseline: Baseline) -> None:
        known = self._all()
        before = known.get(language)
        if before is not None:
            _log.warning(
                "the canary of %s has a new baseline: %d ms with %s; it was %d ms with %s",
                language, baseline.cpu_ms, baseline.made_with, before.cpu_ms, before.made_with,
            )  # fmt: skip
        partial = self._file.with_suffix(".partial")
        try:
            partial.write_bytes(msgspec.json.encode(known | {language: baseline}))
            partial.replace(self._file)
        except OSError as error:
            _log.warning("the baselines of canaries cannot be kept: %s", error)

    def _all(self) -> dict[str, Baseline]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, Baseline])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as error:
            _log.warning("the baselines of canaries cannot be read and are measured anew: %s", error)
            return {}
