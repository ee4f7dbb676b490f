"""The tokens of an account, for its owner."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.kernel.role import Actor
from deepoj_user.queries.ports import ApiTokens


class ListApiTokens:
    def __init__(self, tokens: ApiTokens) -> None:
        self._tokens = tokens

    async def __call__(self, actor: Actor) -> Sequence[ApiToken]:
        return await self._tokens.of(actor.account_id)
