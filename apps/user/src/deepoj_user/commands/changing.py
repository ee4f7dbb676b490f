"""What the changes to an account have in common."""

from __future__ import annotations

from deepoj_domain.account.account import Account, AccountOutcome, AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.ports import Transaction

Administered = Account | Refused[AccountRefusal]


async def write_and_log_out(
    transaction: Transaction, outcome: AccountOutcome, event: AuditEvent, origin: Origin, detail: str
) -> Administered:
    """Write a change that ends all sessions."""
    if isinstance(outcome, Refused):
        return outcome
    account = outcome.after
    await transaction.accounts.save(account)
    await transaction.sessions.end_all(account.id)
    await transaction.audit.add(event, account.id, origin, detail)
    return account


def unknown(actor: Actor) -> Refused[AccountRefusal]:
    return Refused(AccountRefusal.NOT_FOUND if actor.is_admin else AccountRefusal.NOT_ADMIN)
