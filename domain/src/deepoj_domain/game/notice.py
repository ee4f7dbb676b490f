"""What the watchers of a board are told, and which of them.

While a board is frozen the public hears of a row when the frozen row changes, and no verdict from the freeze
on does that. Its owner and the staff see the row in full, and hear of it in numbers of their own.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum, auto

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.visibility import is_withheld
from deepoj_domain.kernel.ids import AccountId, ClarificationId


class SeenBy(Enum):
    """Who is told of a change. Each of them has numbers that tell nothing of what only the others see."""

    ALL = auto()
    OWNER = auto()
    """Whom it concerns, and the staff."""
    STAFF = auto()


class NoticeKind(StrEnum):
    ROW = "row"
    CLARIFICATION = "clarification"
    RELOAD = "reload"
    """The board is to be read again as a whole."""


@dataclass(frozen=True, slots=True)
class Notice:
    kind: NoticeKind
    seen_by: SeenBy = SeenBy.ALL
    account_id: AccountId | None = None
    """Whose row it is."""
    clarification_id: ClarificationId | None = None
    owner: AccountId | None = None
    """Whom it concerns."""


RELOAD = Notice(NoticeKind.RELOAD)


def row_notice(account_id: AccountId, seen_by: SeenBy) -> Notice:
    return Notice(NoticeKind.ROW, seen_by, account_id=account_id, owner=account_id)


def clarification_notice(before: Clarification | None, after: Clarification) -> Notice:
    """Whoever has read a public one is told when it is no longer public."""
    public = after.public or (before is not None and before.public)
    seen_by = SeenBy.ALL if public else SeenBy.OWNER
    return Notice(NoticeKind.CLARIFICATION, seen_by, clarification_id=after.id, owner=after.asked_by)


def participant_notice(game: Game, before: Participant | None, after: Participant, now: datetime) -> Notice:
    """A row that leaves a board, or a rank that others move up to, is more than a change of one row."""
    if before is None or (before.kind, False) == (after.kind, after.withdrawn):
        return row_notice(after.account_id, who_sees(game, after, now))
    sees = {who_sees(game, each, now) for each in (before, after)}
    return Notice(NoticeKind.RELOAD, SeenBy.ALL if SeenBy.ALL in sees else SeenBy.STAFF)


def who_sees(game: Game, participant: Participant, now: datetime) -> SeenBy:
    """Tell who sees the participant's row, or some side of it."""
    if is_withheld(game, participant, now):
        return SeenBy.STAFF
    return SeenBy.OWNER if participant.kind is ParticipantKind.HIDDEN else SeenBy.ALL
