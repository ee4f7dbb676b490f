"""`deepoj admin accounts`."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import click

from deepoj.client.account_wire import (
    Account,
    CreatedAccount,
    NewPassword,
    SecurityEvent,
)
from deepoj.client.pages import Page, listed
from deepoj.client.wire import Nothing
from deepoj.console import ask_secret
from deepoj.verbs.admin.account_list import import_list
from deepoj.verbs.admin.desk import (
    Desk,
    confirm,
    dry_run_option,
    limit_option,
    noun,
    reason_option,
    subcommand,
    yes_option,
)
from deepoj.verbs.admin.names import account_id, account_of

ROLES = click.Choice(["contestant", "setter", "judge", "admin"])

command = noun(
    "accounts",
    "List, make and change accounts. WHO is a name or an id.",
    "deepoj admin accounts list ada",
    "deepoj admin accounts create team-01 --display-name 'Team One'",
    "deepoj admin accounts suspend mallory --reason 'copied solutions'",
)


@subcommand(
    command,
    "list",
    "List accounts, or those that have SEARCH in a name.",
    "deepoj admin accounts list --role admin",
    "deepoj admin accounts list team- --status suspended --json",
)
@click.argument("search", required=False)
@click.option("--role", type=ROLES, help="Only with this role.")
@click.option("--status", type=click.Choice(["active", "suspended", "deleted"]), help="Only in this state.")
@limit_option
def list_accounts(desk: Desk, search: str | None, role: str | None, status: str | None, limit: int) -> None:
    params = {"search": search, "role": role, "status": status}
    found = listed(desk.api, "/api/users", Page[Account], params, limit=limit)
    desk.show(found, "name", "display_name", "email", "role", "status", "id", none="no account fits")


@subcommand(command, "show", "Show an account.", "deepoj admin accounts show ada")
@click.argument("who")
def show(desk: Desk, who: str) -> None:
    desk.facts(account_of(desk.api, who))


@subcommand(
    command,
    "create",
    "Make an account called NAME. Without --password one is made and shown this once.",
    "deepoj admin accounts create team-01 --display-name 'Team One'",
    "deepoj admin accounts create ada --role setter --email ada@example.org --password < password.txt",
)
@click.argument("name")
@click.option("--display-name", default="", help="Shown to others.")
@click.option("--email", help="Where codes are sent.")
@click.option("--role", type=ROLES, default="contestant", show_default=True)
@click.option("--password", "has_password", is_flag=True, help="Ask for it, or read it from standard input.")
def create(
    desk: Desk, *, name: str, display_name: str, email: str | None, role: str, has_password: bool
) -> None:
    password = ask_secret("password of the account") if has_password else None
    body = {"name": name, "display_name": display_name, "email": email, "role": role, "password": password}
    made = desk.api.post("/api/users", CreatedAccount, body)
    told = f", password {made.password}" if made.password else ""
    desk.done(f"made {made.user.name} ({made.user.role}){told}", made)


@subcommand(
    command,
    "import",
    "Make accounts from FILE, or standard input for -: CSV with a line of column names (name, display_name, "
    "email, password, role; only name is needed), 1,000 lines at most. Sent again, it makes only what is "
    "missing.\n\n"
    "Passwords that are made are shown this once: in the answer, or with --sheet in a new file that only you "
    "can read.",
    "deepoj admin accounts import teams.csv --dry-run",
    "deepoj admin accounts import teams.csv --sheet passwords.csv",
    "deepoj admin accounts import teams.csv --contest 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --sheet p.csv",
)
@click.argument("file", type=click.File(encoding="utf-8-sig"))
@click.option("--contest", type=click.UUID, help="Sign all of them up for it; its admins may do so too.")
@click.option("--sheet", type=click.Path(path_type=Path), metavar="FILE", help="Write names and passwords.")
@dry_run_option
def import_accounts(desk: Desk, *, file: IO[str], contest: object, sheet: Path | None, dry_run: bool) -> None:
    import_list(desk, file.read(), contest=contest, sheet=sheet, dry_run=dry_run)


@subcommand(
    command,
    "edit",
    "Change the profile of WHO; what is not named stays.",
    "deepoj admin accounts edit ada --display-name 'Ada L.' --bio ''",
)
@click.argument("who")
@click.option("--display-name")
@click.option("--bio")
@click.option("--avatar", help="An https:// address of a picture.")
def edit(desk: Desk, who: str, **profile: str | None) -> None:
    body = {name: value for name, value in profile.items() if value is not None}
    _change(desk, "PATCH", who, "", body)


@subcommand(
    command,
    "password",
    "Give WHO a new password, which is shown this once. It ends all sessions and API tokens of the account.",
    "deepoj admin accounts password ada",
)
@click.argument("who")
@yes_option
def password(desk: Desk, *, who: str, yes: bool) -> None:
    account = account_of(desk.api, who)
    confirm(f"{account.name} gets a new password, and is logged out everywhere.", yes=yes)
    made = desk.api.change("POST", f"/api/users/{account.id}/password", NewPassword)
    desk.done(f"the password of {account.name} is {made.password}", made)


@subcommand(
    command, "role", "Give WHO a role. It ends their sessions.", "deepoj admin accounts role ada setter"
)
@click.argument("who")
@click.argument("role", type=ROLES)
def set_role(desk: Desk, who: str, role: str) -> None:
    _change(desk, "PUT", who, "/role", {"role": role})


@subcommand(
    command,
    "suspend",
    "Suspend WHO: they cannot log in, and their sessions end.",
    "deepoj admin accounts suspend mallory --reason 'copied solutions'",
)
@click.argument("who")
@reason_option
def suspend(desk: Desk, who: str, reason: str) -> None:
    _change(desk, "PUT", who, "/status", {"status": "suspended", "reason": reason})


@subcommand(command, "restore", "Take a suspension of WHO back.", "deepoj admin accounts restore mallory")
@click.argument("who")
@reason_option
def restore(desk: Desk, who: str, reason: str) -> None:
    _change(desk, "PUT", who, "/status", {"status": "active", "reason": reason})


def _change(desk: Desk, method: str, who: str, what: str, body: object) -> None:
    path = f"/api/users/{account_id(desk.api, who)}{what}"
    changed = desk.api.change(method, path, Account, body)
    desk.done(f"{changed.name} is {changed.status}, {changed.role}: {changed.display_name}", changed)


@subcommand(
    command,
    "delete",
    "Anonymise WHO: submissions and boards keep their rows under a name without a person.",
    "deepoj admin accounts delete mallory",
)
@click.argument("who")
@yes_option
def delete(desk: Desk, *, who: str, yes: bool) -> None:
    account = account_of(desk.api, who)
    confirm(f"{account.name} ({account.display_name}) is anonymised for ever.", yes=yes)
    desk.api.change("DELETE", f"/api/users/{account.id}", Nothing)
    desk.done(f"{account.name} is deleted")


@subcommand(
    command, "log", "Show the security events of WHO, the latest first.", "deepoj admin accounts log ada"
)
@click.argument("who")
@limit_option
def log(desk: Desk, who: str, limit: int) -> None:
    path = f"/api/users/{account_id(desk.api, who)}/audit-log"
    found = listed(desk.api, path, Page[SecurityEvent], limit=limit)
    desk.show(found, "at", "event", "detail", "origin.address", "origin.user_agent", none="nothing happened")
