"""The state of a submission as one actor sees it: two seconds old at most, and never older than an event."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.inbound.http.calls import Call, ServicesPort
from deepoj_bff.inbound.http.wire.submission import Status, SubmissionDetail
from deepoj_bff.queries.cache import Cache, Cached
from deepoj_domain.kernel.role import Actor

GET: Final = Call("record", "Get", SubmissionDetail)
# More than the cache holds: what falls out here has long fallen out there.
_NOTED: Final = 10_000
_encode = msgspec.json.Encoder().encode


class _Shown(msgspec.Struct):
    status: Status


class _Detail(msgspec.Struct):
    submission: _Shown


_DETAIL: Final = msgspec.json.Decoder(_Detail)


class SubmissionViews:
    """Only in this process: it holds what one person may see, and not what everybody may."""

    def __init__(self, services: ServicesPort, cache: Cache) -> None:
        self._services = services
        self._cache = cache
        self._keys: OrderedDict[str, set[str]] = OrderedDict()

    async def detail(self, submission_id: str, actor: Actor | None) -> Cached:
        who = f"{actor.account_id}:{actor.role}" if actor else "guest"
        key = f"submission:status:{submission_id}:{who}"

        async def load() -> bytes:
            found = await self._services.call(GET, actor=actor, submission_id=submission_id)
            return _encode(found)

        # Noted before the load: an event that arrives meanwhile has to find it.
        self._keys.setdefault(submission_id, set()).add(key)
        if len(self._keys) > _NOTED:
            self._keys.popitem(last=False)
        return await self._cache.get(key, load)

    def forget(self, submission_id: str) -> None:
        for key in self._keys.pop(submission_id, ()):
            self._cache.drop(key)


def status_in(detail: bytes) -> Status:
    return _DETAIL.decode(detail).submission.status


FromSubmissionViews = NamedDependency[SkipValidation[SubmissionViews]]
