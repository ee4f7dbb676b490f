"""Events of submissions, applied to the boards of their games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.fact import fact_of
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.submission.events import (
    SubmissionCancelled,
    SubmissionEvent,
    SubmissionJudged,
    SubmissionSubmitted,
    SubmissionSuperseded,
)
from deepoj_game.commands.apply_submission_events import ApplySubmissionEvents, Known, Result
from deepoj_kit.streams import Delivery, Done, Dropped, EventCodec, Outcome
from deepoj_kit.streams.outcomes import failure
from deepoj_kit.telemetry import histogram

CODEC: Final[EventCodec[SubmissionEvent]] = EventCodec(
    {
        kind.name: kind
        for kind in (SubmissionSubmitted, SubmissionJudged, SubmissionCancelled, SubmissionSuperseded)
    }
)
_BATCH = histogram("game_event_batch", "Events applied in one transaction", bounds=(1, 2, 4, 8, 16, 32, 64))


class OnSubmission:
    """One transaction for each game in the batch; one that fails does not touch the others."""

    def __init__(self, apply: ApplySubmissionEvents) -> None:
        self._apply = apply

    async def __call__(self, batch: Sequence[Delivery[SubmissionEvent]]) -> Sequence[Outcome]:
        # What is no fact of any game changes no board.
        outcomes: list[Outcome] = [Done() for _ in batch]
        by_game: dict[GameId, list[tuple[int, Known]]] = {}
        for position, delivery in enumerate(batch):
            fact, game_id = fact_of(delivery.message), delivery.message.submission.game_id
            if fact is not None and game_id is not None:
                by_game.setdefault(game_id, []).append((position, Known(delivery.message_id, fact)))
        for game_id, known in by_game.items():
            applied = await self._apply_to(game_id, [each for _, each in known], batch[0].stream)
            for (position, _), outcome in zip(known, applied, strict=True):
                outcomes[position] = outcome
        return outcomes

    async def _apply_to(self, game_id: GameId, known: Sequence[Known], stream: str) -> list[Outcome]:
        try:
            results = await self._apply(game_id, known)
        except Exception as error:  # noqa: BLE001 — whatever it is, these entries have to stay pending
            return [failure(error, stream) for _ in known]
        _BATCH.record(len(known))
        return [_outcome(result) for result in results]


def _outcome(result: Result) -> Outcome:
    return Dropped(result) if isinstance(result, GameRefusal) else Done()
