"""What the server refused, as a sentence and an exit code."""

from __future__ import annotations

from typing import Final

import httpx
import msgspec

from deepoj.client.wire import Problem
from deepoj.errors import Exit, Failure

_CODES: Final = {401: Exit.NOT_SIGNED_IN, 429: Exit.LATER, 503: Exit.LATER, 504: Exit.LATER}
_BROKEN: Final = 500


def problem_of(answer: httpx.Response) -> Problem:
    try:
        found = msgspec.json.decode(answer.content, type=Problem)
    except msgspec.DecodeError:
        return Problem(title=answer.reason_phrase, status=answer.status_code)
    return msgspec.structs.replace(found, status=answer.status_code)


def failure_of(problem: Problem, *, logging_in: bool = False) -> Failure:
    said = problem.detail or problem.title or f"status {problem.status}"
    fields = "".join(f"; {each.field}: {each.message}" for each in problem.errors)
    reason = f" ({problem.reason})" if problem.reason else ""
    code = _CODES.get(problem.status, Exit.FAILED if problem.status == _BROKEN else Exit.REFUSED)
    advice = {
        Exit.NOT_SIGNED_IN: "" if logging_in else ": log in with deepoj login",
        Exit.LATER: ": try again later",
        Exit.FAILED: f": report it with the request id {problem.request_id}" if problem.request_id else "",
    }.get(code, "")
    return Failure(f"the server refused: {said}{fields}{reason}{advice}", code, problem.reason)


def unreachable(
    server: str, error: Exception, advice: str = "start one with deepoj up, or name another with --server"
) -> Failure:
    why = str(error) or type(error).__name__
    return Failure(f"{server} cannot be reached ({why}): {advice}", Exit.UNREACHABLE)
