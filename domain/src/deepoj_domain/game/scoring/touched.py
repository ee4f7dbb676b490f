"""Whose score may be another one when the rules of a game change."""

from collections.abc import Iterable
from dataclasses import dataclass

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.kernel.ids import AccountId, SubmissionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The participants whom any of these attributes names; nobody, when none does."""

    everybody: bool = False
    accounts: frozenset[AccountId] = frozenset()
    since_us: int | None = None
    """Who submitted at this moment or later, and all who have a clock of their own."""
    submissions: frozenset[SubmissionId] = frozenset()
    """Whose these are; any submission of a chain names it."""

    def includes(self, participant: Participant, facts: Iterable[Fact]) -> bool:
        if self.everybody or participant.account_id in self.accounts:
            return True
        if self.since_us is not None and participant.kind is ParticipantKind.VIRTUAL:
            return True
        return any(
            (self.since_us is not None and fact.submitted_us >= self.since_us)
            or not self.submissions.isdisjoint((fact.submission_id, fact.origin_id))
            for fact in facts
        )


def touched_by(before: Rules, after: Rules) -> Touched:
    """Return whom the change may touch; all other participants keep their score."""
    same_format = (before.policy, before.problems) == (after.policy, after.problems)
    if not same_format or not _same_beginning(before.clock, after.clock):
        return Touched(everybody=True)
    since_us = _first_difference(before.clock, after.clock)
    return Touched(since_us=since_us, submissions=before.ignored ^ after.ignored)


def _same_beginning(before: GameClock, after: GameClock) -> bool:
    return (before.start_us, before.removed) == (after.start_us, after.removed)


def _first_difference(before: GameClock, after: GameClock) -> int | None:
    """Freeze and end matter to what was submitted at or after them."""
    moved = [
        moment
        for one, other in ((before.end_us, after.end_us), (before.freeze_us, after.freeze_us))
        if one != other
        for moment in (one, other)
        if moment is not None
    ]
    return min(moved, default=None)
