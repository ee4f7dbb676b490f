"""What is written of a game or a participant that changes, with the scores that follow from it."""

from __future__ import annotations

import asyncio
from datetime import datetime

from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import RELOAD, participant_notice
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.scoring.tally import score_all
from deepoj_domain.game.scoring.touched import Touched, touched_by
from deepoj_game.commands.ports import Entrant, GameWrite, Log, OpenGame, Rescored, Ruling


async def game_write(
    opened: OpenGame,
    after: Game,
    now: datetime,
    *,
    password_hash: str | None,
    ruling: Ruling | None = None,
    most: int | None = None,
) -> GameWrite | None:
    """Return None when more than `most` participants or facts would have to be scored again."""
    before = opened.game
    old, new = rules_of(before), rules_of(after)
    write = GameWrite(at=now, game=after, password_hash=password_hash, ruling=ruling)
    # Unfreezing changes no score, but what people see.
    if old == new and before.plan.schedule == after.plan.schedule:
        return write
    log = await opened.log(touched_by(old, new), most)
    if log is None:
        return None
    return GameWrite(
        at=now,
        game=after,
        password_hash=password_hash,
        rescored=await rescored(new, log),
        notices=(RELOAD,),
        ruling=ruling,
    )


async def entrant_write(
    opened: OpenGame, known: Entrant | None, entrant: Entrant, now: datetime, ruling: Ruling | None = None
) -> GameWrite:
    after = entrant.participant
    log = await opened.log(Touched(accounts=frozenset({after.account_id}))) or Log()
    changed = Log([after], {after.account_id: log.facts.get(after.account_id, ())})
    before = None if known is None else known.participant
    return GameWrite(
        at=now,
        entrant=entrant,
        rescored=await rescored(rules_of(opened.game), changed),
        notices=(participant_notice(opened.game, before, after, now),),
        ruling=ruling,
    )


async def rescored(rules: Rules, log: Log) -> Rescored:
    # In a thread: thousands may be scored in one go, and others want their turn.
    rows = await asyncio.to_thread(score_all, rules, log.participants, log.facts)
    return Rescored(sorted(log.facts), rows)
