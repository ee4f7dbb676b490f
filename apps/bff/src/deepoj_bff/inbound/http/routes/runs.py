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
from deepoj_bff.inbound.http.errors import turned_away
from deepoj_bff.inbound.http.wire.program import NewRun
from deepoj_bff.queries.services import Call
from deepoj_bff.queries.views.run import Ran, RanAnswer

# Compiling, waiting for a slot, and ten seconds of running.
RUN: Final = Call("judgement", "Run", RanAnswer, timedelta(seconds=60))


@post(
    "/",
    opt=access(Access.SIGNED_IN, Scope.SUBMIT),
    tags=["submissions"],
    status_code=HTTP_200_OK,
    summary="Run a program once, without a record and without a verdict",
)
async def run(
    data: JSONBody[NewRun], caller: FromCaller, services: FromServices, admit_run: FromAdmitRun
) -> Ran:
    actor = signed_in(caller)
    if refused := await admit_run.begin(actor.account_id):
        raise turned_away(refused)
    try:
        ran = await services.call(
            RUN,
            actor=actor,
            language=data.language,
            source=data.source,
            input=data.input.encode(),
            time_limit=data.time_limit,
            memory_limit_bytes=data.memory_limit_bytes,
        )
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
    )
