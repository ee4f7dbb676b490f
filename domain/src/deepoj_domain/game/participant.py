"""Taking part: signing up, withdrawing, and whether a submission to the game is welcome."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.game import Game
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused


class ParticipantKind(StrEnum):
    OFFICIAL = "official"
    """The only kind that takes a rank or can be first to solve."""
    UNOFFICIAL = "unofficial"
    HIDDEN = "hidden"
    """Only staff see it on the board."""
    VIRTUAL = "virtual"
    """Takes part after the end, on a clock of its own."""

    @property
    def is_ranked(self) -> bool:
        return self is ParticipantKind.OFFICIAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    game_id: GameId
    account_id: AccountId
    kind: ParticipantKind
    signed_up_at: datetime
    virtual_start: datetime | None = None
    penalty_adjustment_minutes: int = 0
    """Added to the penalty by an admin; may be negative."""
    withdrawn: bool = False
    removed: bool = False
    """Withdrawn by the staff, who alone can take it back."""

    def __post_init__(self) -> None:
        require_utc(self.signed_up_at, self.virtual_start)
        if (self.kind is ParticipantKind.VIRTUAL) != (self.virtual_start is not None):
            raise BrokenInvariantError("a start of one's own is what makes a participant virtual")


ParticipantOutcome = Participant | Refused[GameRefusal]


def sign_up(
    game: Game,
    account_id: AccountId,
    known: Participant | None,
    *,
    password_matches: bool = False,
    kind: ParticipantKind = ParticipantKind.OFFICIAL,
    now: datetime,
) -> ParticipantOutcome:
    """`kind` is VIRTUAL for a run that starts now. `known` is what the service has of this account."""
    virtual = kind is ParticipantKind.VIRTUAL
    if game.deleted:
        return Refused(GameRefusal.DELETED)
    if known is not None and not known.withdrawn:
        return Refused(GameRefusal.ALREADY_SIGNED_UP)
    if known is not None and known.removed:
        return Refused(GameRefusal.REMOVED_BY_STAFF)
    if refusal := _why_not_open(game, now, virtual=virtual):
        return Refused(refusal)
    if not game.plan.sign_up.admits(account_id, password_matches=password_matches):
        return Refused(GameRefusal.ACCESS_DENIED)
    return Participant(
        game_id=game.id,
        account_id=account_id,
        kind=kind,
        signed_up_at=now,
        virtual_start=now if virtual else None,
    )


def enrol(game: Game, account_id: AccountId, known: Participant | None, now: datetime) -> ParticipantOutcome:
    """The staff signs somebody up, until the end; whom they had removed they take back by it."""
    if game.deleted:
        return Refused(GameRefusal.DELETED)
    if known is not None and not known.withdrawn:
        return Refused(GameRefusal.ALREADY_SIGNED_UP)
    if game.phase_at(now).is_over:
        return Refused(GameRefusal.ALREADY_ENDED)
    return Participant(
        game_id=game.id, account_id=account_id, kind=ParticipantKind.OFFICIAL, signed_up_at=now
    )


def _why_not_open(game: Game, now: datetime, *, virtual: bool) -> GameRefusal | None:
    rules, phase = game.plan.sign_up, game.phase_at(now)
    if virtual:
        if not rules.virtual_allowed:
            return GameRefusal.VIRTUAL_NOT_ALLOWED
        return None if phase.is_over else GameRefusal.NOT_ENDED
    if phase.is_over:
        return GameRefusal.ALREADY_ENDED
    if phase.is_live and not rules.late_sign_up:
        return GameRefusal.SIGN_UP_CLOSED
    return None


def withdraw(
    game: Game, known: Participant | None, now: datetime, *, by_staff: bool = False
) -> ParticipantOutcome:
    """A virtual run may be given up while it lasts. Whom the staff removes cannot sign up again."""
    if game.deleted:
        return Refused(GameRefusal.DELETED)
    if known is None or known.withdrawn:
        return Refused(GameRefusal.NOT_A_PARTICIPANT)
    phase = phase_for(game, known, now)
    if phase.is_over:
        return Refused(GameRefusal.ALREADY_ENDED)
    if phase.is_live and known.virtual_start is None and not game.plan.sign_up.late_withdrawal:
        return Refused(GameRefusal.WITHDRAWAL_CLOSED)
    return replace(known, withdrawn=True, removed=by_staff)


def update(
    game: Game,
    known: Participant | None,
    *,
    kind: ParticipantKind | None = None,
    penalty_adjustment_minutes: int | None = None,
    now: datetime,
) -> ParticipantOutcome:
    """What an admin may change about somebody who takes part; None leaves as it is.

    One who was removed takes part again.
    """
    if game.deleted:
        return Refused(GameRefusal.DELETED)
    if known is None or (known.withdrawn and not known.removed):
        return Refused(GameRefusal.NOT_A_PARTICIPANT)
    if game.phase_at(now) is Phase.FINALIZED:
        return Refused(GameRefusal.ALREADY_FINALIZED)
    kind = known.kind if kind is None else kind
    if penalty_adjustment_minutes is None:
        penalty_adjustment_minutes = known.penalty_adjustment_minutes
    if ParticipantKind.VIRTUAL in {kind, known.kind} and kind is not known.kind:
        return Refused(GameRefusal.VIRTUAL_STAYS_VIRTUAL)
    if penalty_adjustment_minutes and not game.plan.format.has_penalty_time:
        return Refused(GameRefusal.NO_PENALTY_TIME)
    return replace(
        known,
        kind=kind,
        penalty_adjustment_minutes=penalty_adjustment_minutes,
        withdrawn=False,
        removed=False,
    )


def phase_for(game: Game, participant: Participant, now: datetime) -> Phase:
    """The phase on this participant's own clock."""
    if participant.virtual_start is None:
        return game.phase_at(now)
    if now < participant.virtual_start:
        return Phase.BEFORE
    running = now < participant.virtual_start + game.plan.schedule.length
    return Phase.RUNNING if running else Phase.ENDED


def why_no_submission(
    game: Game, known: Participant | None, question_id: QuestionId, now: datetime
) -> GameRefusal | None:
    """None when this account may submit to this question of the game now.

    Which questions a game has is told last: only to those who take part, and not before its start.
    """
    if game.deleted:
        return GameRefusal.DELETED
    if known is None or known.withdrawn:
        return GameRefusal.NOT_A_PARTICIPANT
    phase = phase_for(game, known, now)
    if phase is Phase.BEFORE:
        return GameRefusal.NOT_STARTED
    if phase.is_over:
        return GameRefusal.ALREADY_ENDED
    return why_no_score(game, known, question_id)


def why_no_score(game: Game, known: Participant | None, question_id: QuestionId) -> GameRefusal | None:
    """None when a judged submission of this account to this question belongs into the game's log.

    Whoever withdrew keeps what they submitted before, without a row: they may come back.
    """
    if game.deleted:
        return GameRefusal.DELETED
    if known is None:
        return GameRefusal.NOT_A_PARTICIPANT
    if question_id not in game.plan.questions():
        return GameRefusal.NOT_A_PROBLEM_OF_THE_GAME
    return None


def why_no_fact(game: Game, known: Participant | None, question_id: QuestionId) -> GameRefusal | None:
    """None when what became known of such a submission is added to the log.

    A final result closes the log: whatever comes later, and whenever it was found out, changes nothing but
    the runs of virtual participants, which come after the end.
    """
    if refusal := why_no_score(game, known, question_id):
        return refusal
    final = game.plan.schedule.finalized_at is not None
    if final and known is not None and known.kind is not ParticipantKind.VIRTUAL:
        return GameRefusal.ALREADY_FINALIZED
    return None
