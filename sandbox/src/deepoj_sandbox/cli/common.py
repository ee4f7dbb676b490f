"""Options every command has, and opening a workshop from them."""

import argparse
import sys
from pathlib import Path
from typing import TextIO

from deepoj_sandbox.cgroups.port import CgroupKind
from deepoj_sandbox.host.workshop import Workshop

Commands = argparse._SubParsersAction  # noqa: SLF001 -- argparse has no public name for what it returns


def say(line: str, stream: TextIO | None = None) -> None:
    stream = stream or sys.stdout
    stream.write(line + "\n")
    stream.flush()


def add_host_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--state", type=Path, help="directory for locks and mount points (default: below /run, or the user's)"
    )
    parser.add_argument(
        "--toolchain",
        action="append",
        default=[],
        metavar="DIRECTORY[=INSIDE]",
        help="host directory to show read-only in every box, under its own name or INSIDE (repeatable)",
    )
    parser.add_argument(
        "--cgroup",
        choices=[kind.value for kind in CgroupKind],
        help="use this cgroup version (default: the best that works)",
    )


def open_workshop(arguments: argparse.Namespace) -> Workshop:
    wanted = CgroupKind(arguments.cgroup) if arguments.cgroup else None
    return Workshop(arguments.state, tuple(arguments.toolchain), wanted)
