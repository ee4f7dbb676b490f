"""`deepoj replay`."""

from __future__ import annotations

import sys
from urllib.parse import quote

import click
import msgspec

from deepoj.client.operator_wire import Replayed
from deepoj.client.replay import picture
from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option

# As long as the server waits for a judgement, and a little more.
_LONGEST_SECONDS = 11 * 60


@click.command(
    name="replay",
    help=help_text(
        "Judge SUBMISSION again with the revision, language and source it was judged with, and say what is "
        "the same: verdict by verdict, time, memory, and whether toolchain, flags, limits, host, kernel or "
        "isolation are other ones.\n\n"
        "The submission, its score and every board stay what they are, and nothing is kept. It runs on "
        "a judge of the server, or on the one that is named, after all submissions. For judges and admins; "
        "to change a verdict there are "
        "rejudges.",
        examples=(
            "deepoj replay 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
            "deepoj replay 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --worker judge-2",
            "deepoj replay 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --json",
        ),
        exits={
            Exit.OK: "every verdict is the one of then",
            Exit.FAILED: "one is not",
            Exit.UNREACHABLE: "the server cannot be reached",
            Exit.NOT_SIGNED_IN: "log in first",
            Exit.REFUSED: "there is no such submission, it has no result, or you are no judge",
            Exit.LATER: "the judge is busy with submissions",
        },
    ),
)
@click.argument("submission", type=click.UUID)
@click.option("--worker", metavar="NAME", help="Who is to judge, as deepoj top names it; else any.")
@server_option
@json_option
def command(*, submission: object, worker: str | None, server: str | None, as_json: bool) -> None:
    with connected(server) as api:
        path = f"/api/submissions/{submission}/replay{f'?worker={quote(worker)}' if worker else ''}"
        found = api.post(path, Replayed, {}, repeatable=True, seconds=_LONGEST_SECONDS)
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        out().print(picture(found))
    sys.exit(Exit.OK if found.same else Exit.FAILED)
