"""`agent`: serve boxes over a unix socket until told to stop."""

import argparse
import json
import os
import sys
from pathlib import Path

from deepoj_sandbox.agent.server import Server
from deepoj_sandbox.cli.common import Commands, add_host_options, open_workshop, say
from deepoj_sandbox.codec import JsonValue
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.pool import Pool
from deepoj_sandbox.host.slots import default_state_directory
from deepoj_sandbox.layers import probe

_EXIT_UNFIT = 2
_EXIT_FAILED = 3
_EXAMPLE = """example:
  python -m deepoj_sandbox agent --socket /run/deepoj-sandbox/agent.sock --boxes 2 --ready 2

Logs one JSON object a line on stderr. SIGTERM stops it; killed in any way, its boxes die with it and the
next start removes what is left. Refuses to start below namespaces + seccomp + rlimits."""


def register(commands: "Commands[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "agent",
        help="serve warm boxes over a unix socket",
        description="Serve warm boxes over a unix socket.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--socket", type=Path, help="default: agent.sock in the state directory")
    parser.add_argument("--boxes", type=int, default=os.cpu_count() or 1, help="boxes lent at the same time")
    parser.add_argument("--ready", type=int, default=2, help="boxes kept ready")
    parser.add_argument("--allow-user", type=int, metavar="UID", help="one more user who may connect")
    parser.add_argument("--require-cgroup", action="store_true", help="refuse to run degraded")
    add_host_options(parser)
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    path = arguments.socket or (arguments.state or default_state_directory()) / "agent.sock"
    try:
        with open_workshop(arguments) as workshop:
            layers = probe(workshop)
            _log("layers", **layers.report())
            if not layers.sufficient or (arguments.require_cgroup and layers.degraded):
                _log("refused", reason="isolation layers are missing")
                return _EXIT_UNFIT
            pool = Pool(workshop, arguments.ready, arguments.boxes)
            try:
                server = Server(path, pool, layers.report(), arguments.allow_user)
                server.stop_on_signals()
                _log("listening", socket=str(path))
                factory = os.pidfd_open(workshop.factory_pid)
                if not server.serve(factory):
                    _log("failed", step="watch factory", errno=0, detail="the factory died")
                    return _EXIT_FAILED
            finally:
                pool.close()
    except SandboxError as error:
        _log("failed", step=error.step, errno=error.code, detail=str(error))
        return _EXIT_UNFIT
    _log("stopped")
    return 0


def _log(event: str, **fields: JsonValue) -> None:
    say(json.dumps({"event": event, **fields}), sys.stderr)
