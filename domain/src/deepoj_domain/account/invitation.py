"""A code by which an admin lets a number of people in."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import BrokenInvariantError, InvalidValueError
from deepoj_domain.kernel.ids import InvitationId

MOST_INVITATIONS = 1000
MOST_USES = 10_000
_NOTE_LENGTH = 200


class InvitationRefusal(StrEnum):
    REFUSED = "invitation_refused"
    """Unknown, expired or used up."""
    NOT_FOUND = "invitation_not_found"
    TOO_MANY = "too_many_invitations"
    ID_TAKEN = "invitation_id_taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    id: InvitationId
    code: str = field(repr=False)
    uses_left: int
    created_at: datetime
    expires_at: datetime | None = None
    note: str = ""

    def __post_init__(self) -> None:
        require_utc(self.created_at, self.expires_at)
        if self.uses_left < 0:
            raise BrokenInvariantError("an invitation is used at most as often as it says")

    def used(self, now: datetime) -> "Invitation | None":
        """Return it with one use less; None when it is not good any more."""
        if self.uses_left == 0 or (self.expires_at is not None and now >= self.expires_at):
            return None
        return replace(self, uses_left=self.uses_left - 1)


def invite(
    invitation_id: InvitationId, code: str, uses: int, expires_at: datetime | None, note: str, now: datetime
) -> Invitation:
    if not 1 <= uses <= MOST_USES:
        raise InvalidValueError("uses_malformed", f"an invitation is good for 1 to {MOST_USES} accounts")
    if expires_at is not None and expires_at <= now:
        raise InvalidValueError("expires_at_malformed", "an invitation expires in the future")
    if len(note) > _NOTE_LENGTH or not note.isprintable():
        raise InvalidValueError("note_malformed", f"a note is one line of at most {_NOTE_LENGTH} characters")
    return Invitation(
        id=invitation_id, code=code, uses_left=uses, created_at=now, expires_at=expires_at, note=note
    )
