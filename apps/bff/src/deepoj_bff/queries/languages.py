"""Languages, and which can be judged now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.language import Languages

LIST: Final = Call("judgement", "ListLanguages", Languages)


@dataclass(frozen=True, slots=True)
class ListLanguages:
    services: Services
    cache: Cache

    async def __call__(self) -> Encoded:
        async def load() -> bytes:
            return encode(await self.services.call(LIST))

        return await self.cache.get("language:list:all#v0", load)
