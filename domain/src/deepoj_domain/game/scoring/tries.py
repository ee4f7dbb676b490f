"""One submission as a policy sees it, and why some never get that far."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import NamedTuple

from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.verdict import Verdict


class Effect(StrEnum):
    """What a submission does to a score, or why it does nothing."""

    ACCEPTED = "accepted"
    PENALTY = "penalty"
    """A wrong try on a problem that was solved afterwards."""
    REJECTED = "rejected"
    """A wrong try on a problem that is not solved (yet)."""
    AFTER_ACCEPTED = "after_accepted"
    COMPILE_ERROR = "compile_error"
    SYSTEM_ERROR = "system_error"
    PENDING = "pending"
    FROZEN = "frozen"
    """Decided or not, this view does not say."""
    IMPROVED = "improved"
    NOT_BETTER = "not_better"
    LAST = "last"
    REPLACED = "replaced"
    """A later submission to the same problem counts instead."""
    IGNORED = "ignored"
    CANCELLED = "cancelled"
    BEFORE_START = "before_start"
    AFTER_END = "after_end"


# Nobody's wrong try: the compiler refused it, or we broke.
FREE = {Verdict.COMPILE_ERROR: Effect.COMPILE_ERROR, Verdict.SYSTEM_ERROR: Effect.SYSTEM_ERROR}


class Try(NamedTuple):
    elapsed_ms: int
    verdict: Verdict | None
    frozen: bool
    """Its verdict is withheld from this view."""
    fact: Fact

    @property
    def waiting(self) -> Effect:
        return Effect.FROZEN if self.frozen else Effect.PENDING


def why_left_out(fact: Fact, clock: GameClock, ignored: AbstractSet[SubmissionId]) -> Effect | None:
    """At or after the end is too late, whatever else."""
    if fact.submitted_us >= clock.end_us:
        return Effect.AFTER_END
    if fact.submitted_us < clock.start_us:
        return Effect.BEFORE_START
    if fact.cancelled:
        return Effect.CANCELLED
    if ignored and fact.origin_id in ignored:
        return Effect.IGNORED
    return None


def tries_of(heads: Sequence[Fact], clock: GameClock, ignored: AbstractSet[SubmissionId]) -> list[Try]:
    return [
        Try(clock.elapsed_ms(fact.submitted_us), fact.verdict, False, fact)  # noqa: FBT003  a field, by position for speed
        for fact in heads
        if why_left_out(fact, clock, ignored) is None
    ]


def frozen(tries: Sequence[Try], clock: GameClock) -> Sequence[Try]:
    """The same tries with every verdict from the freeze on withheld; `tries` itself if none is."""
    freeze_us = clock.freeze_us
    if freeze_us is None or not tries or tries[-1].fact.submitted_us < freeze_us:
        return tries
    return [
        tried if tried.fact.submitted_us < freeze_us else tried._replace(verdict=None, frozen=True)
        for tried in tries
    ]
