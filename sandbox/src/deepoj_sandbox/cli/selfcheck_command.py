"""`selfcheck`: which isolation layers hold on this machine, found out by running something in a box."""

import argparse
import json

from deepoj_sandbox.cli.common import Commands, add_host_options, open_workshop, say
from deepoj_sandbox.codec import Json
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.layers import probe

_EXAMPLE = """example:
  python -m deepoj_sandbox selfcheck --json

Exit status: 0 every layer is active, 1 degraded but fit for untrusted code, 2 not fit: the runner refuses."""
_EXIT_DEGRADED = 1
_EXIT_UNFIT = 2


def register(commands: "Commands[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "selfcheck",
        help="print the isolation layers that are active",
        description="Make a box, run a probe in it, and print the isolation layers that are active.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_host_options(parser)
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    report: Json
    try:
        with open_workshop(arguments) as workshop:
            layers = probe(workshop)
    except SandboxError as error:
        report = {"sufficient": False, "failed_step": error.step, "errno": error.code, "detail": str(error)}
        code = _EXIT_UNFIT
    else:
        report = layers.report()
        code = _EXIT_UNFIT if not layers.sufficient else _EXIT_DEGRADED if layers.degraded else 0
    if arguments.json:
        say(json.dumps(report))
    else:
        for name, value in report.items():
            say(f"{name:20} {', '.join(map(str, value)) if isinstance(value, list) else value}")
    return code
