"""The HTML of statements: made once for a text, and kept under its hash."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.question.presentation import Presentation, Statement
from deepoj_kit.single_flight import SingleFlight
from deepoj_kit.unavailable import Unavailable
from deepoj_packages.statements.job import Job
from deepoj_packages.statements.process_renderer import ProcessRenderer
from deepoj_question.outbound.postgres.page_store import PageStore

_log = logging.getLogger(__name__)
# Another number makes all pages anew, each when it is next asked for.
_RENDERER: Final = 1


class StatementPages:
    def __init__(self, store: PageStore, renderer: ProcessRenderer) -> None:
        self._store = store
        self._renderer = renderer
        self._flights: SingleFlight[ContentHash, str] = SingleFlight()

    async def prepare(self, presentation: Presentation) -> None:
        """Make what is not there yet. It never fails: what is missing is made when it is asked for."""
        jobs = {_key(job): job for job in (_job(each, presentation) for each in presentation.statements)}
        try:
            there = await self._store.have(list(jobs))
            await self._make({key: job for key, job in jobs.items() if key not in there})
        except (OSError, Unavailable) as error:
            _log.warning("statements are left to their first reader: %s", error)

    async def html(self, statement: Statement, presentation: Presentation) -> str:
        job = _job(statement, presentation)
        key = _key(job)

        async def make() -> str:
            return (await self._make({key: job}))[0]

        return await self._store.find(key) or await self._flights(key, make)

    async def _make(self, jobs: Mapping[ContentHash, Job]) -> Sequence[str]:
        made = await self._renderer(list(jobs.values())) if jobs else []
        lasting = {key: page.html for key, page in zip(jobs, made, strict=True) if page.lasts}
        await self._store.keep(lasting)
        return [page.html for page in made]


def _job(statement: Statement, presentation: Presentation) -> Job:
    assets = {asset.name: asset.content_type.startswith("image/") for asset in presentation.assets}
    return Job(statement.format.value, statement.markdown, assets)


def _key(job: Job) -> ContentHash:
    named = (_RENDERER, job.format, job.text, sorted(job.assets.items()))
    return hash_of(msgspec.json.encode(named))
