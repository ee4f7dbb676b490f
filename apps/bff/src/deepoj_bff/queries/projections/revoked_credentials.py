"""Which accounts have changed lately: credentials that were found good before that are checked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cachetools import FIFOCache

from deepoj_domain.kernel.ids import AccountId

# Far more than change within the life of an access token, which is all that matters.
_KEPT: Final = 100_000


@dataclass(frozen=True, slots=True)
class _Heard:
    number: int
    epoch: int


class RevokedCredentials:
    def __init__(self, kept: int = _KEPT) -> None:
        self._heard: FIFOCache[AccountId, _Heard] = FIFOCache(kept)
        self.number = 0
        """How many changes were heard of. Noted before a credential is checked, for `is_as_of` later."""

    def changed(self, account_id: AccountId, epoch: int) -> None:
        """Take note of a change; sessions of an epoch before this one are over."""
        self.number += 1
        self._heard[account_id] = _Heard(self.number, max(epoch, self.least_epoch(account_id)))

    def is_as_of(self, account_id: AccountId, number: int) -> bool:
        """Tell whether nothing was heard of the account since then."""
        heard = self._heard.get(account_id)
        return heard is None or heard.number <= number

    def least_epoch(self, account_id: AccountId) -> int:
        heard = self._heard.get(account_id)
        return 0 if heard is None else heard.epoch
