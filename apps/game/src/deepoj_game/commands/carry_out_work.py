"""Carry out work that takes long: a recompute, or a ruling from which many scores follow.

A board is built beside the one that is shown and takes its place at once. Each step is committed with how far
the work has come, so whoever carries on after a kill begins there; what happens to the game meanwhile is
caught up with before the new board is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from deepoj_domain.game.decision import Edit, Recompute, Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.board import board_of
from deepoj_domain.game.scoring.diff import RankChange, diff
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.work import MOST_CHANGES_TOLD, Rebuilt, Stage
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_game.commands.builds import Build, Builds, Compared, Ending, Records, Shown
from deepoj_game.commands.ports import Clock
from deepoj_game.commands.rescore import rescored

_CHUNK: Final = 200
# So many participants are scored again while the game is held, and no more.
_FEW: Final = 20


class CarryOut:
    def __init__(self, builds: Builds, records: Records, clock: Clock) -> None:
        self._builds = builds
        self._records = records
        self._clock = clock

    async def __call__(self) -> bool:
        """Tell whether there was something to do."""
        async with self._builds.claim() as build:
            if build is None:
                return False
            work = build.work
            if isinstance(work.task, Recompute) and work.stage in {Stage.WAITING, Stage.READING}:
                await self._read(build, work.task.account_id)
            await self._score(build)
            shown = await self._caught_up(build)
            rebuilt = await _compared(build, shown.game) if isinstance(work.task, Recompute) else None
            while not await self._switched(build, rebuilt):
                await self._caught_up(build)
        return True

    async def _read(self, build: Build, account_id: AccountId | None) -> None:
        game = (await build.shown()).game
        if build.work.stage is Stage.WAITING:
            total = 0
            if account_id is None:
                total = await self._records.count(game.id, sorted(game.plan.questions()))
            async with build.step():
                await build.enter(Stage.READING, total)
                if game.plan.schedule.finalized_at is not None:
                    await build.keep_final()
        async for lines in self._records.pages(game.id, account_id, build.work.position):
            game = (await build.shown()).game
            async with build.step():
                read = await build.add(game, lines)
                await build.advance(lines.next, read, read)
                if not lines.next:
                    await build.enter(Stage.SCORING)

    async def _score(self, build: Build) -> None:
        """By the rules that the game will have, from where it was left."""
        shown = await build.shown()
        rules = self._rules_after(build.work.task, shown.game)
        accounts = await _everybody(build)
        if build.work.stage is not Stage.SCORING or build.work.version != shown.version:
            await build.enter(Stage.SCORING, len(accounts), shown.version)
        remaining = [account for account in accounts if str(account) > build.work.position]
        for start in range(0, len(remaining), _CHUNK):
            chunk = remaining[start : start + _CHUNK]
            async with build.step():
                await _rescore(build, rules, chunk)
                await build.advance(str(chunk[-1]), len(chunk))

    async def _caught_up(self, build: Build) -> Shown:
        """Catch up until little is left to do while the game is held."""
        while True:
            shown = await build.shown()
            behind = await _behind(build)
            async with build.step():
                await self._follow(build, shown.game, behind)
                await build.caught_up(shown)
            if len(behind) <= _FEW:
                return shown

    async def _follow(self, build: Build, game: Game, accounts: Sequence[AccountId]) -> None:
        await build.catch_up(accounts)
        await _rescore(build, self._rules_after(build.work.task, game), accounts)

    async def _switched(self, build: Build, rebuilt: Rebuilt | None) -> bool:
        """Tell whether it is over; not so when too much has happened since the last look."""
        async with build.hold() as shown:
            now, task, behind = self._clock(), build.work.task, await _behind(build)
            if len(behind) > _FEW:
                return False
            outcome = None if isinstance(task, Recompute) else task.decide(shown.game, now)
            if isinstance(outcome, Refused):
                await build.finish(Ending(at=now, refused=str(outcome.reason)))
                return True
            replaces = rebuilt is None or bool(rebuilt.rows_changed or rebuilt.corrected)
            if replaces:
                await self._follow(build, shown.game, behind)
            ending = Ending(
                at=now,
                game=outcome,
                password_hash=task.password_hash if isinstance(task, Edit) else shown.password_hash,
                replaces=replaces,
                result=rebuilt,
                details={**task.details(), **_details(rebuilt)},
            )
            await build.finish(ending)
        return True

    def _rules_after(self, task: Task, game: Game) -> Rules:
        """Return the rules that the game will have; those it has when it would refuse."""
        if isinstance(task, Recompute):
            return rules_of(game)
        outcome = task.decide(game, self._clock())
        return rules_of(game if isinstance(outcome, Refused) else outcome)


def _only(build: Build) -> AccountId | None:
    task = build.work.task
    return task.account_id if isinstance(task, Recompute) else None


async def _everybody(build: Build) -> Sequence[AccountId]:
    only = _only(build)
    return await build.everybody() if only is None else [only]


async def _behind(build: Build) -> Sequence[AccountId]:
    """Find whose score on this board may not be what it should be."""
    changed, only = await build.changed(), _only(build)
    if changed is None:
        return await _everybody(build)
    return sorted(changed if only is None else set(changed) & {only})


async def _rescore(build: Build, rules: Rules, accounts: Sequence[AccountId]) -> None:
    """Who has withdrawn, or never took part, has no row."""
    for start in range(0, len(accounts), _CHUNK):
        log = await build.log(accounts[start : start + _CHUNK])
        await build.put(rules, await rescored(rules, log))


async def _compared(build: Build, game: Game) -> Rebuilt:
    labels, found = tuple(problem.label for problem in game.plan.problems), await build.compare()
    # In a thread: ten thousand rows take a second.
    changes = await asyncio.to_thread(_changes, labels, found, _only(build))
    told = changes[:MOST_CHANGES_TOLD]
    return Rebuilt(
        submissions=found.submissions,
        corrected=found.corrected,
        rows_changed=len(changes),
        changes=told,
        labels=labels,
        names={each.account_id: found.names[each.account_id] for each in told},
    )


def _changes(labels: tuple[str, ...], found: Compared, only: AccountId | None) -> tuple[RankChange, ...]:
    """`only` limits the new board to one participant; the others' rows are those that are shown."""
    others = [] if only is None else [row for row in found.shown if row.account_id != only]
    return diff(board_of(labels, found.shown), board_of(labels, [*others, *found.new]))


def _details(rebuilt: Rebuilt | None) -> dict[str, object]:
    if rebuilt is None:
        return {}
    changes = [
        {
            "account_id": str(change.account_id),
            "before": change.before.rank if change.before else None,
            "after": change.after.rank if change.after else None,
            "reason": change.reason,
        }
        for change in rebuilt.changes
    ]
    return {
        "facts_corrected": rebuilt.corrected,
        "rows_changed": rebuilt.rows_changed,
        "changes": changes,
    }
