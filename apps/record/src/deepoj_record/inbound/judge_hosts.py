"""`invite`, `revoke` and `hosts` on the command line of the service."""

from __future__ import annotations

import argparse
import sys

import msgspec

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_record.commands.judge_hosts import HostUsersError, InviteHost, JudgeHosts, RevokeHost

INVITE = "make a credential for a judge host and show it once; an older one of this name ends"
REVOKE = "end the credential of a judge host: its calls are refused within three seconds"
HOSTS = "list the judge hosts that were invited"


def add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="letters, digits and hyphens, such as judge-1")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")


async def invite(command: InviteHost, name: str) -> int:
    try:
        credential = await command(name)
    except InvalidValueError as error:
        return _refused(str(error))
    except HostUsersError as error:
        return _refused(f"nobody is invited, for Redis made no user: {error}")
    sys.stdout.write(f"{credential}\n")
    return 0


async def revoke(command: RevokeHost, name: str) -> int:
    try:
        found = await command(name)
    except InvalidValueError as error:
        return _refused(str(error))
    except HostUsersError as error:
        return _refused(f"its calls are refused, but its user of Redis is still there: {error}")
    return 0 if found else _refused(f"there is no judge host {name}: `hosts` lists them")


async def show(hosts: JudgeHosts, *, as_json: bool) -> int:
    found = [
        {"name": each.name, "invited_at": each.invited_at, "revoked_at": each.revoked_at}
        for each in await hosts.list()
    ]
    if as_json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return 0
    for each in found:
        ended = f", revoked {each['revoked_at']}" if each["revoked_at"] else ""
        sys.stdout.write(f"{each['name']}  invited {each['invited_at']}{ended}\n")
    return 0


def _refused(why: str) -> int:
    sys.stderr.write(f"record: {why}\n")
    return 1
