"""Which revision of a problem and of the catalogue is current, as far as events have told.

A revision is the id of the event in its stream: all front doors read the same stream and so agree on it
without asking each other. What no kept event speaks of has revision 0. That is safe because events are kept
for longer than anything is cached.
"""

from __future__ import annotations

from typing import Final

UNCHANGED: Final = "0"


class Revisions:
    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self.catalogue = UNCHANGED
        self.following = False
        """Whether events arrive; while they do not, nothing here is current."""

    def bump(self, problem_id: str, revision: str) -> None:
        self._of[problem_id] = revision
        self.catalogue = revision

    def learn(self, slug: str, problem_id: str) -> None:
        """Remember which problem a slug names: its changes are then known by the slug too."""
        self._ids[slug] = problem_id

    def of(self, selector: str) -> str:
        """Return the revision of a problem by id or slug; an unknown slug changes with the catalogue."""
        problem_id = self._ids.get(selector)
        if problem_id is not None:
            return self._of.get(problem_id, UNCHANGED)
        return self._of.get(selector, UNCHANGED if _is_id(selector) else self.catalogue)


def _is_id(selector: str) -> bool:
    length = 36
    return len(selector) == length and selector.count("-") == 4  # noqa: PLR2004 — the form of a UUID
