"""One game in the transaction that holds its counter."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Tally
from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.ids import AccountId, ClarificationId, QuestionId, SubmissionId
from deepoj_game.commands.ports import Entrant, NewId, Ruling, Situation
from deepoj_game.outbound.messages import Messages
from deepoj_game.outbound.postgres import board_writing, clarification_rows
from deepoj_game.outbound.postgres.game_rows import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.outbound.postgres.game_writing import update_game
from deepoj_game.outbound.postgres.locking import Locked
from deepoj_game.outbound.postgres.rescoring import affected, rescore
from deepoj_game.outbound.postgres.situations import Loaded, load
from deepoj_kit.inbox import Inbox
from deepoj_kit.outbox import OutboxRow

CONSUMER: Final = "board"
_ENTRANT: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p WHERE p.game_id = %s AND p.account_id = %s
"""  # noqa: S608 — constants
_PUT_ENTRANT: Final = """
INSERT INTO game.participants
    (game_id, account_id, display_name, kind, signed_up_at, virtual_start, penalty_adjustment, withdrawn)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (game_id, account_id) DO UPDATE SET
    display_name = excluded.display_name, kind = excluded.kind, signed_up_at = excluded.signed_up_at,
    virtual_start = excluded.virtual_start, penalty_adjustment = excluded.penalty_adjustment,
    withdrawn = excluded.withdrawn
"""
_ORIGIN: Final = """
SELECT origin_id FROM game.facts
WHERE board_id = %(board)s AND (submission_id = %(id)s OR origin_id = %(id)s) LIMIT 1
"""
_AUDIT: Final = """
INSERT INTO game.audit (id, game_id, actor_id, at, action, reason, details)
VALUES (%s, %s, %s, %s, %s, %s, %s)
"""


class PostgresOpenGame:
    def __init__(self, locked: Locked, inbox: Inbox, messages: Messages, new_id: NewId) -> None:
        self.sent: list[OutboxRow] = []
        self._locked = locked
        self._connection = locked.connection
        self._inbox = inbox
        self._messages = messages
        self._new_id = new_id
        self._loaded: Loaded | None = None

    @property
    def game(self) -> Game:
        return self._locked.game

    @property
    def version(self) -> int:
        return self._locked.version

    @property
    def password_hash(self) -> str | None:
        return self._locked.loaded.password_hash

    async def entrant(self, account_id: AccountId) -> Entrant | None:
        cursor = await self._connection.execute(_ENTRANT.encode(), (self.game.id, account_id))
        row = await cursor.fetchone()
        if row is None:
            return None
        found = ParticipantRow(*row)
        return Entrant(participant_of(found), found.display_name)

    async def save(self, after: Game, events: Sequence[DomainEvent], *, password_hash: str | None) -> None:
        locked, before = self._locked, self.game
        await update_game(self._connection, before, after, password_hash, locked.at)
        locked.version += 1
        old, new = locked.rules, rules_of(after)
        if old != new or _shows_otherwise(before, after):
            touched = await affected(self._connection, locked.board_id, after.id, old, new)
            await rescore(self._connection, locked.board_id, after.id, new, touched)
            locked.board_changed()
        await self._tell(events)

    async def put_entrant(self, entrant: Entrant, events: Sequence[DomainEvent]) -> None:
        locked, who = self._locked, entrant.participant
        known = await self.entrant(who.account_id)
        await self._connection.execute(
            _PUT_ENTRANT,
            (
                who.game_id, who.account_id, entrant.display_name, who.kind.value, who.signed_up_at,
                who.virtual_start, who.penalty_adjustment_minutes, who.withdrawn,
            ),
        )  # fmt: skip
        await rescore(self._connection, locked.board_id, who.game_id, locked.rules, [who.account_id])
        # A row that leaves a board, or a rank that others move up to, is more than a change of one row.
        if known is None or (known.participant.kind, False) == (who.kind, who.withdrawn):
            locked.row_changed(who.account_id)
        else:
            locked.board_changed()
        await self._tell(events)

    async def clarification(self, clarification_id: ClarificationId) -> Clarification | None:
        return await clarification_rows.find_clarification(self._connection, clarification_id)

    async def put_clarification(self, after: Clarification, events: Sequence[DomainEvent]) -> None:
        await clarification_rows.put_clarification(self._connection, after)
        self._locked.clarification_changed(after.id)
        await self._tell(events)

    async def undecided(self) -> int:
        return await board_writing.undecided(self._locked)

    async def origin_of(self, submission_id: SubmissionId) -> SubmissionId | None:
        parameters = {"board": self._locked.board_id, "id": submission_id}
        row = await (await self._connection.execute(_ORIGIN, parameters)).fetchone()
        return None if row is None else SubmissionId(row[0])

    async def record(self, ruling: Ruling) -> None:
        details = msgspec.json.encode(ruling.details or {}).decode()
        values = (self._new_id(), self.game.id, ruling.by, self._locked.at, ruling.action, ruling.reason)
        await self._connection.execute(_AUDIT, (*values, details))

    async def situation(
        self, message_ids: Sequence[str], cells: Collection[tuple[AccountId, QuestionId]]
    ) -> Situation:
        unseen = await self._inbox.first_times(self._connection, CONSUMER, message_ids)
        self._loaded = loaded = await load(self._locked, cells)
        return Situation(frozenset(unseen), loaded.participants, loaded.facts, loaded.sides)

    async def add_facts(self, facts: Sequence[Fact], scored: Sequence[tuple[Participant, Tally]]) -> None:
        await board_writing.add_facts(self._locked, facts, scored, self._loaded)

    async def _tell(self, events: Sequence[DomainEvent]) -> None:
        self.sent += await self._messages.add(self._connection, events)


def _shows_otherwise(before: Game, after: Game) -> bool:
    """Unfreezing changes no score, but what people see."""
    return before.plan.schedule != after.plan.schedule
