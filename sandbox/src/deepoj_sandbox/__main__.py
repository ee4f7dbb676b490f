"""python -m deepoj_sandbox {run,agent,selfcheck}."""

import argparse
import sys

from deepoj_sandbox.cli import agent_command, run_command, selfcheck_command


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m deepoj_sandbox",
        description="Run untrusted programs in boxes and say exactly what happened.",
        epilog="example: python -m deepoj_sandbox selfcheck",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for module in (run_command, agent_command, selfcheck_command):
        module.register(commands)
    arguments = parser.parse_args()
    return int(arguments.execute(arguments))


if __name__ == "__main__":
    sys.exit(main())
