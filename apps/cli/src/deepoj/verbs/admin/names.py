"""Who and what is meant: people name accounts and problems, the server wants ids."""

from __future__ import annotations

from urllib.parse import quote
from uuid import UUID

from deepoj.client.account_wire import Account
from deepoj.client.api import Api
from deepoj.client.wire import ProblemSummary


class VersionedProblem(ProblemSummary, frozen=True, kw_only=True):
    version: int


def is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def part(text: str) -> str:
    """One part of a path, whatever it holds."""
    return quote(text, safe="")


def account_of(api: Api, who: str) -> Account:
    return api.get(f"/api/users/{who if is_id(who) else f'by-name/{part(who)}'}", Account)


def account_id(api: Api, who: str) -> str:
    return who if is_id(who) else account_of(api, who).id


def problem_of(api: Api, problem: str) -> VersionedProblem:
    return api.get(f"/api/problems/{part(problem)}", VersionedProblem)


def problem_id(api: Api, problem: str) -> str:
    return problem if is_id(problem) else problem_of(api, problem).id
