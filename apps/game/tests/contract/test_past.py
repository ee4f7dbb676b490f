"""Boards of the past: answered in time however long they take, and kept while the game goes on."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from apps.game.tests.games import GAME, OVER, a_game, enter, judged, submitted, taking_part
from deepoj_domain.game.decision import Extend
from deepoj_domain.game.refusal import GameRefusal, TooOften
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT
from deepoj_game.commands.apply_submission_events import Known
from deepoj_game.container import Container
from deepoj_game.outbound.throttle import MemoryThrottle
from deepoj_game.queries.access import Visit, visit
from deepoj_game.queries.past import Past, PastBoard
from deepoj_kit.testing.conditions import ManualClock, eventually

THEN = NOW + timedelta(minutes=30)
EARLY, LATE = submitted(1, ALICE, 10), submitted(2, BOB, 40)


@pytest.fixture(autouse=True)
async def _played(container: Container, clock: ManualClock) -> None:
    clock.now = OVER - timedelta(minutes=1)
    assert await container.games().add(a_game(), password_hash=None)
    for account in (ALICE, BOB):
        await enter(container.games(), taking_part(account))


def a_past(container: Container, patience: float = 60) -> Past:
    throttle = MemoryThrottle(RateLimit(timedelta(seconds=1), 1), ManualClock())
    return Past(container.boards(), throttle, patience)


async def asked(container: Container, past: Past, at: datetime = THEN) -> PastBoard | TooOften:
    found = await visit(container.reader(), ROOT, GAME)
    assert isinstance(found, Visit)
    return await past.at(found, micros(at))


async def apply(container: Container, *facts: Fact) -> None:
    known = [Known(f"{fact.submission_id} {fact.verdict}", fact) for fact in facts]
    assert not any(isinstance(each, Refused) for each in await container.apply()(GAME, known))


async def test_one_that_takes_long_says_how_far_it_is_and_is_there_later(container: Container) -> None:
    past = a_past(container, patience=0)
    first = await asked(container, past)
    assert isinstance(first, TooOften)
    assert first.reason is GameRefusal.PAST_BOARD_COMING
    assert first.retry_after > timedelta(0)

    async def is_there() -> bool:
        return isinstance(await asked(container, past), PastBoard)

    await eventually(is_there, within=60)


async def test_one_that_is_kept_follows_what_happens_to_the_game(container: Container) -> None:
    past = a_past(container)
    await apply(container, EARLY, judged(EARLY, Verdict.WRONG_ANSWER))
    before = await asked(container, past)
    assert isinstance(before, PastBoard)
    # Sent later; sent before but told late; and a rejudge, which was unknown at that moment.
    forgotten = judged(submitted(3, BOB, 20))
    again = replace(judged(EARLY), submission_id=LATE.submission_id, known_us=micros(THEN) + 1)
    await apply(container, judged(LATE), forgotten, again)
    after = await asked(container, past)
    fresh = await asked(container, a_past(container))
    assert isinstance(after, PastBoard)
    assert isinstance(fresh, PastBoard)
    assert (after.sequence, after.tallies, after.entrants) == (fresh.sequence, fresh.tallies, fresh.entrants)
    assert after.tallies[BOB].full.total.solved == 1
    assert after.tallies[ALICE].full == before.tallies[ALICE].full


async def test_other_rules_or_people_score_everybody_anew(container: Container, clock: ManualClock) -> None:
    past = a_past(container)
    await apply(container, judged(EARLY))
    assert isinstance(await asked(container, past), PastBoard)
    change_times = container.game_use_cases().change_times
    assert await change_times(ROOT, GAME, Extend(timedelta(hours=1)), "") is None
    clock.advance(seconds=1)
    after, fresh = await asked(container, past), await asked(container, a_past(container))
    assert isinstance(after, PastBoard)
    assert isinstance(fresh, PastBoard)
    assert after.tallies == fresh.tallies
