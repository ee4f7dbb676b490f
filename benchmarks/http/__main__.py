"""The front door: every service a process, real stores, a client that costs little.

    uv run python -m benchmarks.http                      # all sections
    uv run python -m benchmarks.http cached submit --json

cached    a problem from the cache, to a route of the same server that only says hello
submit    submitting over HTTP, to the same two inserts by psycopg with equal concurrency
verdicts  from the POST, and from the end of the judgement, to the verdict in a watcher's hands
streams   what open event streams cost, a reader that does not read, and stopping with streams open

Rates of a shared machine vary. Both sides of a ratio are measured in turns in the same run, and the CPU time
of a request is shown beside its rate.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys

from benchmarks.http import cached, streams, submitting, verdicts
from benchmarks.http.stage import Stage, stage

# In this order: submit leaves a queue behind, and streams no front door.
SECTIONS = ("cached", "verdicts", "submit", "streams")


async def section(name: str, made: Stage, arguments: argparse.Namespace) -> dict[str, float]:
    match name:
        case "cached":
            return await cached.measure(made, arguments.requests)
        case "submit":
            return {
                f"{width}_{key}": value
                for width in arguments.concurrency
                for key, value in (await submitting.measure(made, arguments.submissions, width)).items()
            }
        case "verdicts":
            return await verdicts.measure(made, arguments.verdicts)
        case _:
            return await streams.measure(made, arguments.streams)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="which ones (all)")
    parser.add_argument("--requests", type=int, default=20_000, help="of a cached problem (20000)")
    parser.add_argument("--submissions", type=int, default=4000, help="of the section submit (4000)")
    parser.add_argument(
        "--concurrency",
        type=int,
        nargs="+",
        default=[16, 32, 64],
        help="people who submit at once (16 32 64)",
    )
    parser.add_argument("--verdicts", type=int, default=400, help="verdicts to wait for (400)")
    parser.add_argument("--streams", type=int, default=2000, help="event streams to open (2000)")
    parser.add_argument("--log-level", default="info", help="of the services (info, as they have it)")
    parser.add_argument("--trace-ratio", default="1.0", help="of the services (1.0, as they have it)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if unknown := set(arguments.sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    wanted = arguments.sections or SECTIONS
    arguments.sections = [name for name in SECTIONS if name in wanted]
    return arguments


def main() -> int:
    arguments = parsed()
    logging.disable(logging.INFO)
    found: dict[str, dict[str, float]] = {}
    with stage(arguments.log_level, arguments.trace_ratio) as made:
        for name in arguments.sections:
            numbers = asyncio.run(section(name, made, arguments))
            found[name] = numbers | {"machine_load": round(os.getloadavg()[0], 1)}
            if not arguments.json:
                print(
                    f"{name}: " + ", ".join(f"{key} {value}" for key, value in found[name].items()),
                    flush=True,
                )
    if arguments.json:
        print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
