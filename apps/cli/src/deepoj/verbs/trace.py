"""`deepoj trace`."""

from __future__ import annotations

import click
import msgspec

from deepoj.client.operator_wire import Explanation, TracedDetail
from deepoj.client.trace import picture, steps_of
from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option


@click.command(
    name="trace",
    help=help_text(
        "Tell the story of SUBMISSION: when it was submitted, who tried to judge it and what came of each "
        "try, how long each step took, and why it is where it is.\n\n"
        "Owners see their own; workers and toolchains are told to staff only.",
        examples=(
            "deepoj trace 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
            "deepoj trace 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11 --json",
        ),
        exits={
            Exit.OK: "it is told",
            Exit.UNREACHABLE: "the server cannot be reached",
            Exit.NOT_SIGNED_IN: "log in first",
            Exit.REFUSED: "there is no such submission, or not for you",
        },
    ),
)
@click.argument("submission", type=click.UUID)
@server_option
@json_option
def command(*, submission: object, server: str | None, as_json: bool) -> None:
    path = f"/api/submissions/{submission}"
    with connected(server) as api:
        detail = api.get(path, TracedDetail)
        why = api.get(f"{path}/explain", Explanation)
    if not as_json:
        out().print(picture(detail, why))
        return
    steps = steps_of(detail, why)
    print_json(
        {
            **msgspec.to_builtins(detail),
            "explanation": msgspec.to_builtins(why),
            "steps": [step.as_json(steps[0].at) for step in steps],
        }
    )
