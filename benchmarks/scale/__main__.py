"""What 10, 100 and 1,000 judge hosts need of PostgreSQL and Redis, from what a submission costs here.

    uv run python -m benchmarks.scale                         # four minutes
    uv run python -m benchmarks.scale --json > costs.json
    uv run python -m benchmarks.scale --costs costs.json      # the model alone
    uv run python -m benchmarks.scale --costs costs.json --page docs/scaling.md   # and the tables of the page

Runs 200 submissions through one worker, 2,000 through four and 1,000 through two, each in a system of its
own, around a runner that judges nothing. Counts (transactions, rows, bytes, commands) hold on any machine;
CPU times on one like this. The model takes the second size, and is right as far as the others cost the
same: what grew with the number of workers would show. A throughput is only worth reading on a machine that
does nothing else: the load is printed beside it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
import uvloop

from benchmarks.scale.measure import Measured, Size, measure, stage
from benchmarks.scale.model import Costs, Fleet, Needs, limits, needs, throughput
from benchmarks.scale.page import HOSTS, NETWORK, POSTGRES_CORES, error, named, written
from deepoj_kit.embedded.service_environ import service_tuning

# The model is made from the second, and checked by the others.
SIZES: Final = (Size(1, 200), Size(4, 2000), Size(2, 1000))


def measured() -> list[Measured]:
    found = []
    for size in SIZES:
        with stage() as bench:
            found.append(uvloop.run(measure(bench, bench.redis_url, size)))
    return found


def show(found: Sequence[Measured], fleet: Fleet) -> None:
    costs = found[1].costs
    _show_costs(found)
    print("\nRedis commands of one submission: " + ", ".join(_commands(found[1])))
    _show_throughput(costs, found)
    print(f"\n{fleet.cores} cores a host, a submission holds one for {fleet.seconds:g} s:")
    needed = [needs(costs, replace(fleet, hosts=hosts)) for hosts in HOSTS]
    for name in Needs.__struct_fields__:
        print(f"{name:24}" + "".join(f"{getattr(each, name):>14.5g}" for each in needed))
    print("one server each is busy for 70 % with:")
    for limit in limits(costs, fleet, POSTGRES_CORES, NETWORK):
        rate = limit.hosts * fleet.rate / fleet.hosts
        print(f"{limit.station:32}{limit.hosts:8.0f} hosts{rate:10.0f} /s")


def _show_costs(found: Sequence[Measured]) -> None:
    print(f"{'of one submission':20}" + "".join(f"{named(each):>17}" for each in found) + "   error")
    for name in Costs.__struct_fields__:
        values = [getattr(each.costs, name) for each in found]
        row = "".join(f"{value:17.1f}" for value in values)
        print(f"{name:20}{row}{error(values[1], values[2]):>8}")


def _show_throughput(costs: Costs, found: Sequence[Measured]) -> None:
    cores = os.cpu_count() or 1
    print(f"\nthroughput on {cores} cores        said      found   error    load")
    client_us = found[1].client_us
    for each in found:
        workers = each.size.workers
        said = throughput(costs, client_us, cores, workers)
        rates = f"{said:8.0f} /s{each.throughput:8.0f} /s"
        print(f"{named(each):24}{rates}{error(said, each.throughput):>8}{each.load:8.1f}")


def _commands(found: Measured) -> list[str]:
    often = sorted(found.commands.items(), key=lambda item: -item[1])
    return [f"{name} {count:g}" for name, count in often]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cores", type=int, default=8, help="of a judge host [8]")
    parser.add_argument("--seconds", type=float, default=2.0, help="a submission holds a core [2]")
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON")
    parser.add_argument("--costs", type=Path, help="measure nothing: use what --json printed")
    parser.add_argument("--page", type=Path, help="write the tables of this page anew")
    arguments = parser.parse_args()
    if arguments.costs:
        found = msgspec.json.decode(arguments.costs.read_bytes(), type=list[Measured])
    else:
        found = measured()
    if arguments.page:
        arguments.page.write_text(written(arguments.page.read_text(), found))
    if arguments.json:
        print(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        show(found, Fleet(hosts=1, cores=arguments.cores, seconds=arguments.seconds))


if __name__ == "__main__":
    # It stands for the front door and for question, so it runs as they do.
    tuned = dict(os.environ) | service_tuning()
    if tuned != dict(os.environ):
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks.scale", *sys.argv[1:]], tuned)  # noqa: S606 — ourselves
    main()
