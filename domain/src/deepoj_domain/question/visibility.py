"""Who may see and do what with a question. The table in the tests names every case."""

from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role


class Access(StrEnum):
    READ = "read"
    """The newest revision: statement, samples, limits, assets."""
    INSPECT = "inspect"
    """Earlier revisions and the test data."""
    EDIT = "edit"


_STAFF = frozenset({Role.JUDGE, Role.ADMIN})
_SETTERS = frozenset({Role.SETTER, Role.JUDGE, Role.ADMIN})


def is_staff(actor: Actor | None) -> bool:
    """A setter is not: one setter's unpublished question is no other's business."""
    return actor is not None and actor.role in _STAFF


def may_create(actor: Actor) -> bool:
    return actor.role in _SETTERS


def may(actor: Actor | None, access: Access, *, owner: AccountId, enabled: bool) -> bool:
    owns = actor is not None and actor.account_id == owner
    match access:
        case Access.READ:
            return enabled or owns or is_staff(actor)
        case Access.INSPECT:
            return owns or is_staff(actor)
        case Access.EDIT:
            # Whoever lost the role keeps sight of their questions, but changes none.
            return actor is not None and (actor.is_admin or (owns and actor.role in _SETTERS))
