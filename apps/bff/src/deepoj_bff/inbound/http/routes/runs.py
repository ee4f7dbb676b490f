"""/api/runs: a program on an input of one's own."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from litestar import post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.guard import access, signed_in
from deepoj_bff.inbound.http.dependencies import FromAdmitRun, FromCaller, FromServices
from deepoj_bff.inbound.http.errors import ApiError, ErrorType, turned_away
from deepoj_bff.inbound.http.wire.program import NewRun, ShownSample
from deepoj_bff.queries.problems import GET
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.run import Ran, RanAnswer
from deepoj_domain.kernel.role import Actor

# Compiling, waiting for a slot, and ten seconds of running.
RUN: Final = Call("judgement", "Run", RanAnswer, timedelta(seconds=60))


@post(
    "/",
    opt=access(Access.SIGNED_IN, Scope.SUBMIT),
    tags=["submissions"],
    status_code=HTTP_200_OK,
    summary="Run a program once, without a record",
)
async def run(
    data: JSONBody[NewRun], caller: FromCaller, services: FromServices, admit_run: FromAdmitRun
) -> Ran:
    """On an input of one's own, or on a sample of a problem that one sees.

    Of a sample the problem's own checker says whether the output is right: there may be many that are.
    """
    actor = signed_in(caller)
    if data.sample is not None and (data.input or data.time_limit or data.memory_limit_bytes):
        detail = "a sample has its own input and the limits of its problem"
        raise ApiError(ErrorType.INVALID_REQUEST, "sample_and_input", detail)
    if refused := await admit_run.begin(actor.account_id):
        raise turned_away(refused)
    try:
        given = _own(data) if data.sample is None else await _shown(data.sample, actor, services)
        ran = await services.call(RUN, actor=actor, language=data.language, source=data.source, **given)
    finally:
        admit_run.end(actor.account_id)
    return Ran(
        verdict=ran.verdict,
        stdout=ran.stdout.decode(errors="replace"),
        stderr=ran.stderr.decode(errors="replace"),
        truncated=ran.truncated,
        time=ran.time,
        memory_bytes=ran.memory_bytes,
        exit_code=ran.exit_code,
        signal=ran.signal,
        compile_error=ran.compile_error,
        sample_verdict=ran.sample_verdict,
    )


def _own(data: NewRun) -> dict[str, object]:
    return {
        "input": data.input.encode(),
        "time_limit": data.time_limit,
        "memory_limit_bytes": data.memory_limit_bytes,
    }


async def _shown(sample: ShownSample, actor: Actor, services: Services) -> dict[str, object]:
    """Return nothing but what the caller reads in the problem."""
    asked = {"question_id": sample.question_id, "game_id": sample.game_id}
    problem = (await services.call(GET, actor=actor, **asked)).question
    if sample.number > len(problem.samples):
        detail = f"the problem has {len(problem.samples)} samples"
        raise ApiError(ErrorType.NOT_FOUND, "unknown_sample", detail)
    shown = problem.samples[sample.number - 1]
    return {
        "question_id": problem.id,
        "revision": problem.revision,
        "input": shown.input.encode(),
        "answer": shown.output.encode(),
    }
