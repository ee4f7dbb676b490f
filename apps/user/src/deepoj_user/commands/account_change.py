"""What the changes to an account have in common."""

from __future__ import annotations

from deepoj_domain.account.account import Account, AccountOutcome, AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.ids import AccountId
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
    await transaction.accounts.save(outcome)
    await transaction.sessions.end_all(account.id)
    await transaction.audit.add(event, account.id, origin, detail)
    return account


async def both(
    transaction: Transaction, claimed: Actor, account_id: AccountId
) -> tuple[Actor, Account] | Refused[AccountRefusal]:
    """Return who acts, with the role they have now, and the account: a token may be older than a demotion.

    Both are kept until the end, so an admin who changes somebody else's account is one still when that is
    done. They are got in the order of their ids: two who change each other wait, and do not block each other.
    """
    found = {each: await transaction.accounts.get(each) for each in sorted({claimed.account_id, account_id})}
    actor, account = _acting(found[claimed.account_id]), found[account_id]
    if isinstance(actor, Refused):
        return actor
    if account is None:
        return Refused(AccountRefusal.NOT_FOUND if actor.is_admin else AccountRefusal.NOT_ADMIN)
    return actor, account


async def as_of_now(transaction: Transaction, claimed: Actor) -> Actor | Refused[AccountRefusal]:
    """Return who acts, with the role they have now."""
    return _acting(await transaction.accounts.get(claimed.account_id))


async def admin_as_of_now(transaction: Transaction, claimed: Actor) -> Actor | Refused[AccountRefusal]:
    actor = await as_of_now(transaction, claimed)
    if isinstance(actor, Refused) or actor.is_admin:
        return actor
    return Refused(AccountRefusal.NOT_ADMIN)


def _acting(someone: Account | None) -> Actor | Refused[AccountRefusal]:
    if someone is None:
        return Refused(AccountRefusal.NOT_ADMIN)
    if refusal := someone.why_no_log_in():
        return Refused(refusal)
    return Actor(someone.id, someone.role)
