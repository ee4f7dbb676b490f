"""Plans as JSON, as they are read, kept in files and sent back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Final

import msgspec

from deepoj.client.wire import Wire
from deepoj.errors import Exit, Failure

Document = dict[str, Any]
"""JSON that is passed on as it is: what it may hold is the server's to say."""

_PLAN: Final = (
    "title", "description", "format", "options", "schedule", "problems", "entry", "invited_ids", "admin_ids",
    "judge_ids",
)  # fmt: skip
_OF_A_PROBLEM: Final = ("problem_id", "label", "points", "colour")
_TOLD: Final = "has_password"


class ContestAnswer(Wire, frozen=True):
    contest: Document


def document(file: IO[str]) -> Document:
    try:
        return msgspec.json.decode(file.read(), type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Failure(f"{file.name} is not an object in JSON: {error}", Exit.USAGE) from error


def draft_of(contest: Mapping[str, Any]) -> Document:
    """Return what of a contest is its plan."""
    plan = {name: contest[name] for name in _PLAN}
    plan["problems"] = [{name: each[name] for name in _OF_A_PROBLEM} for each in contest["problems"]]
    plan["entry"] = {name: value for name, value in contest["entry"].items() if name != _TOLD}
    return plan


def changed(plan: Document, given: Document) -> Document:
    """Return the plan with what is given; of schedule, entry and options each field by itself."""
    merged = dict(plan)
    for name, value in given.items():
        inner = merged.get(name)
        merged[name] = {**inner, **value} if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged
