"""Taking part: signing up, withdrawing, and whether a submission to the game is welcome."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.events import ParticipationChange, ParticipationChanged
from deepoj_domain.game.game import Game
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.sign_up import Access
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused


class ParticipantKind(StrEnum):
    OFFICIAL = "official"
    UNOFFICIAL = "unofficial"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    game_id: GameId
    account_id: AccountId
    kind: ParticipantKind
    signed_up_at: datetime
    withdrawn: bool = False

    def __post_init__(self) -> None:
        require_utc(self.signed_up_at)


ParticipantOutcome = Changed[Participant] | Refused[GameRefusal]


def sign_up(
    game: Game,
    account_id: AccountId,
    known: Participant | None,
    *,
    shown: Access,
    kind: ParticipantKind = ParticipantKind.OFFICIAL,
    now: datetime,
) -> ParticipantOutcome:
    """`shown` is what the caller verified: nothing (OPEN), the game's password, or an invitation."""
    if refusal := _why_no_sign_up(game, known, shown, now):
        return Refused(refusal)
    participant = Participant(game_id=game.id, account_id=account_id, kind=kind, signed_up_at=now)
    return _told(participant, ParticipationChange.SIGNED_UP, now)


def withdraw(game: Game, known: Participant | None, now: datetime) -> ParticipantOutcome:
    if known is None or known.withdrawn:
        return Refused(GameRefusal.NOT_A_PARTICIPANT)
    match game.phase_at(now):
        case Phase.ENDED:
            return Refused(GameRefusal.ALREADY_ENDED)
        case Phase.RUNNING | Phase.FROZEN if not game.plan.sign_up.late_withdrawal:
            return Refused(GameRefusal.WITHDRAWAL_CLOSED)
        case Phase.BEFORE | Phase.RUNNING | Phase.FROZEN:
            return _told(replace(known, withdrawn=True), ParticipationChange.WITHDREW, now)


def why_no_submission(
    game: Game, known: Participant | None, question_id: QuestionId, now: datetime
) -> GameRefusal | None:
    """None when this account may submit to this question of the game now."""
    if game.deleted:
        return GameRefusal.DELETED
    if known is None or known.withdrawn:
        return GameRefusal.NOT_A_PARTICIPANT
    if question_id not in game.plan.questions():
        return GameRefusal.NOT_A_PROBLEM_OF_THE_GAME
    match game.phase_at(now):
        case Phase.BEFORE:
            return GameRefusal.NOT_STARTED
        case Phase.RUNNING | Phase.FROZEN:
            return None
        case Phase.ENDED:
            return GameRefusal.ALREADY_ENDED


def _why_no_sign_up(
    game: Game, known: Participant | None, shown: Access, now: datetime
) -> GameRefusal | None:
    if game.deleted:
        return GameRefusal.DELETED
    if known is not None and not known.withdrawn:
        return GameRefusal.ALREADY_SIGNED_UP
    rules = game.plan.sign_up
    phase = game.phase_at(now)
    if phase is Phase.ENDED:
        return GameRefusal.ALREADY_ENDED
    if phase is not Phase.BEFORE and not rules.late_sign_up:
        return GameRefusal.SIGN_UP_CLOSED
    if rules.access is not Access.OPEN and shown is not rules.access:
        return GameRefusal.ACCESS_DENIED
    return None


def _told(participant: Participant, change: ParticipationChange, now: datetime) -> Changed[Participant]:
    told = ParticipationChanged(
        occurred_at=now, game_id=participant.game_id, account_id=participant.account_id, change=change
    )
    return Changed(participant, (told,))
