"""How fast boxes are: `python -m benchmarks.sandbox` from the root of the repository."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.sandbox import sections
from benchmarks.sandbox.programs import build
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.layers import probe

SECTIONS = {
    "compare": sections.compare,
    "boxes": sections.boxes,
    "throughput": sections.throughput,
    "overshoot": sections.overshoot,
    "leak": sections.leak,
}
_EXAMPLE = """example:
  python -m benchmarks.sandbox --runs 300
  python -m benchmarks.sandbox --only leak --runs 100000

Needs root, gcc and g++. isolate and bubblewrap take part when they are on PATH. Ratios are to a bare C
posix_spawn + wait4 of the same program, interleaved run by run; a busy machine spoils p95 first."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sandbox",
        description=__doc__,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=300, help="runs per program (default 300)")
    parser.add_argument("--only", action="append", choices=list(SECTIONS), help="repeatable; default: all")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    report: sections.Report = {}
    with tempfile.TemporaryDirectory() as scratch:
        programs = build(Path(scratch))
        try:
            with Workshop(Path(scratch) / "state") as workshop:
                layers = probe(workshop)
                for name in arguments.only or SECTIONS:
                    report |= SECTIONS[name](workshop, programs, Path(scratch) / "agent", arguments.runs)
        except SandboxError as error:
            print(f"cannot measure: {error}", file=sys.stderr)
            return 1
    if arguments.json:
        print(json.dumps({"layers": layers.report(), "report": report}))
        return 0
    print(f"layers: {layers.report()}")
    for name, numbers in report.items():
        print(f"{name:28}", "  ".join(f"{key} {value:.2f}" for key, value in numbers.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
