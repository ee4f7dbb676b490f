"""What this process wrote last, so that the next step of a submission need not read it again.

It may be out of date: another process may have written since. Whoever decides on it is fenced by the version.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.states import Cancelled, Dead, Finished
from deepoj_record.commands.ports import Payload, Stored

# A submission stays from its submit to its verdict. A longer queue than this is read from the database.
MOST: Final = 2_000
MOST_CHARACTERS: Final = 32 * 1024 * 1024


@dataclass(slots=True)
class _Kept:
    stored: Stored
    payload: Payload | None

    @property
    def characters(self) -> int:
        return 0 if self.payload is None else len(self.payload.source)


class RecentStates:
    def __init__(self, most: int = MOST, most_characters: int = MOST_CHARACTERS) -> None:
        self._most = most
        self._most_characters = most_characters
        self._kept: OrderedDict[SubmissionId, _Kept] = OrderedDict()
        self._characters = 0

    def keep(self, stored: Stored, payload: Payload | None = None) -> None:
        """Remember the newest state; a source that is known already stays."""
        submission = stored.submission
        known = self._forget(submission.id)
        if isinstance(submission.state, Finished | Dead | Cancelled):
            return
        kept = _Kept(stored, known.payload if payload is None and known is not None else payload)
        self._kept[submission.id] = kept
        self._characters += kept.characters
        while len(self._kept) > self._most or self._characters > self._most_characters:
            self._forget(next(iter(self._kept)))

    def recall(self, ids: Iterable[SubmissionId]) -> dict[SubmissionId, Stored]:
        return {key: self._kept[key].stored for key in ids if key in self._kept}

    def payloads(self, ids: Iterable[SubmissionId]) -> dict[SubmissionId, Payload]:
        found = {key: self._kept[key].payload for key in ids if key in self._kept}
        return {key: payload for key, payload in found.items() if payload is not None}

    def _forget(self, key: SubmissionId) -> _Kept | None:
        known = self._kept.pop(key, None)
        if known is not None:
            self._characters -= known.characters
        return known
