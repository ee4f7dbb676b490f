"""From rows to games and participants."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from deepoj_domain.game.format import FormatOptions, GameFormat
from deepoj_domain.game.game import Game, GamePlan
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Interval, Schedule
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score

# One statement is one snapshot: the game and what belongs to it fit together. For use with `GAME_TABLES`.
GAME_COLUMNS: Final = """
g.id, c.version, g.title, g.description, g.owner_id, g.format, g.options::text, g.starts_at, g.ends_at,
g.freezes_at, g.removed_intervals::text, g.unfrozen_at, g.finalized_at, g.private, g.password_hash,
g.sign_up_during, g.cancel_during, g.virtual_allowed, g.deleted_at,
(SELECT json_agg(json_build_array(p.label, p.question_id, p.points_micros, p.colour) ORDER BY p.ordinal)::text
 FROM game.problems p WHERE p.game_id = g.id),
(SELECT json_agg(json_build_array(s.account_id, s.role))::text FROM game.staff s WHERE s.game_id = g.id),
(SELECT json_agg(i.account_id)::text FROM game.invitations i WHERE i.game_id = g.id),
(SELECT json_agg(i.origin_id)::text FROM game.ignored i WHERE i.game_id = g.id)
"""
GAME_TABLES: Final = "game.games g JOIN game.counters c ON c.game_id = g.id"
PARTICIPANT_COLUMNS: Final = """
p.game_id, p.account_id, p.display_name, p.kind, p.signed_up_at, p.virtual_start, p.penalty_adjustment,
p.withdrawn
"""

_OPTIONS = msgspec.json.Decoder(FormatOptions)
_REMOVED = msgspec.json.Decoder(tuple[Interval, ...])
_PROBLEMS = msgspec.json.Decoder(list[tuple[str, UUID, int, str]])
_STAFF = msgspec.json.Decoder(list[tuple[UUID, str]])
_IDS = msgspec.json.Decoder(list[UUID])


class GameRow(NamedTuple):
    """The columns in the order of `GAME_COLUMNS`."""

    id: UUID
    version: int
    title: str
    description: str
    owner_id: UUID
    format: str
    options: str
    starts_at: datetime
    ends_at: datetime
    freezes_at: datetime | None
    removed_intervals: str
    unfrozen_at: datetime | None
    finalized_at: datetime | None
    private: bool
    password_hash: str | None
    sign_up_during: bool
    cancel_during: bool
    virtual_allowed: bool
    deleted_at: datetime | None
    problems: str | None
    staff: str | None
    invited: str | None
    ignored: str | None


class ParticipantRow(NamedTuple):
    """The columns in the order of `PARTICIPANT_COLUMNS`."""

    game_id: UUID
    account_id: UUID
    display_name: str
    kind: str
    signed_up_at: datetime
    virtual_start: datetime | None
    penalty_adjustment: int
    withdrawn: bool


def utc(moment: datetime) -> datetime:
    """PostgreSQL answers in the time zone of the session."""
    return moment.astimezone(UTC)


def utc_or_none(moment: datetime | None) -> datetime | None:
    return None if moment is None else utc(moment)


def game_of(row: GameRow) -> Game:
    problems = [] if row.problems is None else _PROBLEMS.decode(row.problems)
    staff = [] if row.staff is None else _STAFF.decode(row.staff)
    plan = GamePlan(
        title=row.title,
        description=row.description,
        format=GameFormat(row.format),
        options=_OPTIONS.decode(row.options),
        schedule=_schedule(row),
        problems=tuple(
            GameProblem(label, QuestionId(question), Score(micros), colour)
            for label, question, micros, colour in problems
        ),
        sign_up=SignUpRules(
            private=row.private,
            has_password=row.password_hash is not None,
            invited=frozenset(AccountId(each) for each in _ids(row.invited)),
            late_sign_up=row.sign_up_during,
            late_withdrawal=row.cancel_during,
            virtual_allowed=row.virtual_allowed,
        ),
        admins=frozenset(AccountId(each) for each, role in staff if role == "admin"),
        judges=frozenset(AccountId(each) for each, role in staff if role == "judge"),
    )
    return Game(
        id=GameId(row.id),
        owner=AccountId(row.owner_id),
        plan=plan,
        ignored=frozenset(SubmissionId(each) for each in _ids(row.ignored)),
        deleted=row.deleted_at is not None,
    )


def participant_of(row: ParticipantRow) -> Participant:
    return Participant(
        game_id=GameId(row.game_id),
        account_id=AccountId(row.account_id),
        kind=ParticipantKind(row.kind),
        signed_up_at=utc(row.signed_up_at),
        virtual_start=utc_or_none(row.virtual_start),
        penalty_adjustment_minutes=row.penalty_adjustment,
        withdrawn=row.withdrawn,
    )


def _schedule(row: GameRow) -> Schedule:
    return Schedule(
        start=utc(row.starts_at),
        end=utc(row.ends_at),
        freeze=utc_or_none(row.freezes_at),
        removed=_REMOVED.decode(row.removed_intervals),
        unfrozen_at=utc_or_none(row.unfrozen_at),
        finalized_at=utc_or_none(row.finalized_at),
    )


def _ids(text: str | None) -> list[UUID]:
    return [] if text is None else _IDS.decode(text)
