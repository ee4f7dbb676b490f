"""`deepoj status`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
import msgspec

from deepoj.client.api import Api
from deepoj.client.follow import exit_code, progress_on, watch
from deepoj.client.submission_display import list_of, show
from deepoj.client.wire import SubmissionDetail, SubmissionPage, User
from deepoj.console import err, out, print_json
from deepoj.errors import Exit, Failure
from deepoj.home import is_running
from deepoj.stack.board import picture_of
from deepoj.state import Phase, read_state
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, home_of, json_option
from deepoj.verbs.remote import connected, server_option


@click.command(
    name="status",
    help=help_text(
        "Show how SUBMISSION stands, with --watch until its verdict; --mine lists your latest.\n\n"
        "Without either: the processes of the stack that runs on this machine.",
        examples=(
            "deepoj status",
            "deepoj status 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --watch",
            "deepoj status --mine",
            "deepoj status --watch     your latest submission",
        ),
        exits={
            Exit.OK: "everything is ready; of a submission: accepted, or not over yet",
            Exit.FAILED: "something is not; of a submission: another verdict",
            Exit.NOT_RUNNING: "no stack runs on this data directory",
            Exit.NOT_SIGNED_IN: "log in first",
            Exit.REFUSED: "there is no such submission",
        },
    ),
)
@click.argument("submission", required=False)
@click.option("-w", "--watch", "wait", is_flag=True, help="Wait for the verdict.")
@click.option("--mine", is_flag=True, help="List your latest submissions.")
@data_option
@server_option
@json_option
def command(
    *, submission: str | None, wait: bool, mine: bool, data: Path, server: str | None, as_json: bool
) -> None:
    if not (submission or wait or mine):
        sys.exit(_of_stack(data, as_json=as_json))
    with connected(server) as api:
        if mine:
            _list(api, as_json=as_json)
        else:
            sys.exit(_of_submission(api, submission or _latest(api), wait=wait, as_json=as_json))


def _of_stack(data: Path, *, as_json: bool) -> Exit:
    home = home_of(data)
    state = read_state(home.state) if is_running(home) else None
    if state is None:
        raise Failure(f"no stack runs on {home.root}: start one with deepoj up", Exit.NOT_RUNNING)
    if as_json:
        print_json(asdict(state))
    else:
        out().print(picture_of(state))
    ready = state.phase is Phase.READY and all(process.state == "ready" for process in state.processes)
    return Exit.OK if ready else Exit.FAILED


def _of_submission(api: Api, submission_id: str, *, wait: bool, as_json: bool) -> Exit:
    if wait:
        with progress_on(err()) as progress:
            found = watch(api, submission_id, progress)
    else:
        found = api.get(f"/api/submissions/{submission_id}", SubmissionDetail).submission
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        show(out(), found)
    return exit_code(found) if found.is_over else Exit.OK


def _mine(api: Api, size: str) -> SubmissionPage:
    me = api.get("/api/users/me", User)
    return api.get("/api/submissions", SubmissionPage, {"user_id": me.id, "size": size})


def _latest(api: Api) -> str:
    found = _mine(api, "1").items
    if not found:
        raise Failure("you have submitted nothing yet: deepoj submit", Exit.REFUSED)
    return found[0].id


def _list(api: Api, *, as_json: bool) -> None:
    found = _mine(api, "20").items
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        out().print(list_of(found) if found else "you have submitted nothing yet")
