"""The tables of docs/scaling.md, made of the same figures that the terminal shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchmarks.scale.measure import Measured
from benchmarks.scale.model import Costs, Fleet, Needs, limits, needs, throughput

HOSTS: Final = (10, 100, 1000)
POSTGRES_CORES: Final = 16
# Bytes a second of ten gigabits.
NETWORK: Final = 1.25e9
# Those of the machine of the page; a throughput of another would be another claim.
_CORES: Final = 2
_BLOCK: Final = r"(<!-- {name}: [^\n]* -->\n).*?(<!-- end -->)"


def _ms(microseconds: float) -> str:
    return f"{microseconds / 1000:.2f} ms"


def _kb(size: float) -> str:
    return f"{size / 1000:.1f} kB"


_COSTS: Final[Mapping[str, tuple[str, Callable[[float], str]]]] = {
    "rows_written": ("rows written", "{:.1f}".format),
    "wal_bytes": ("WAL", _kb),
    "transactions": ("transactions", "{:.1f}".format),
    "redis_commands": ("Redis commands", "{:.1f}".format),
    "redis_bytes": ("bytes through Redis", _kb),
    "redis_memory": ("memory left in streams", _kb),
    "postgres_us": ("CPU of PostgreSQL", _ms),
    "record_us": ("CPU of record", _ms),
    "redis_us": ("CPU of Redis", _ms),
    "worker_us": ("CPU of the workers together, without judging", _ms),
    "idle_commands": ("Redis commands a second of a worker that waits", "{:.1f}".format),
    "idle_redis_us": ("CPU of Redis for them", _ms),
}
_NEEDS: Final[Mapping[str, Callable[[Needs], str]]] = {
    "submissions a second": lambda each: f"{each.submissions:,.0f}",
    "rows written a second": lambda each: f"{each.rows_written:,.0f}",
    "WAL a second; a day": lambda each: f"{each.wal_mb:.1f} MB; {each.wal_gb_a_day:,.0f} GB",
    "cores of PostgreSQL": lambda each: f"{each.postgres_cores:.1f}",
    "processes of record": lambda each: f"{each.record_processes}",
    "Redis busy, of one thread": lambda each: f"{each.redis_busy:.0%}",
    "bytes through Redis a second": lambda each: f"{each.redis_mb:.1f} MB",
}


def written(page: str, found: Sequence[Measured]) -> str:
    """Return the page with its tables made anew."""
    for name, table in tables(found).items():
        place = re.search(_BLOCK.format(name=name), page, re.DOTALL)
        if place is None:
            raise ValueError(f"the page has no place for the table {name!r}")
        page = f"{page[: place.end(1)]}{table}{page[place.start(2) :]}"
    return page


def tables(found: Sequence[Measured]) -> dict[str, str]:
    costs, fleet = found[1].costs, Fleet(hosts=1)
    return {
        "costs": _costs(found),
        "fleet": _fleet(costs, fleet),
        "first": _first(costs, fleet),
        "check": _check(costs, found),
    }


def _costs(found: Sequence[Measured]) -> str:
    head = ("of one submission", *map(named, found), "error")
    rows = []
    for name, (words, shown) in _COSTS.items():
        values = [getattr(each.costs, name) for each in found]
        rows.append((words, *map(shown, values), error(values[1], values[2])))
    return _table(head, rows)


def _fleet(costs: Costs, fleet: Fleet) -> str:
    needed = [needs(costs, replace(fleet, hosts=hosts)) for hosts in HOSTS]
    head = ("", *(f"{hosts:,} hosts" for hosts in HOSTS))
    return _table(head, [(words, *map(shown, needed)) for words, shown in _NEEDS.items()])


def _first(costs: Costs, fleet: Fleet) -> str:
    found = limits(costs, fleet, POSTGRES_CORES, NETWORK)
    rows = [
        (each.station, f"{each.hosts:,.0f}", f"{each.hosts * fleet.rate / fleet.hosts:,.0f}")
        for each in found
    ]
    return _table(("busy for 70 %", "with hosts", "submissions a second"), rows)


def _check(costs: Costs, found: Sequence[Measured]) -> str:
    rows = []
    for each in found:
        said = throughput(costs, found[1].client_us, _CORES, each.size.workers)
        told = (f"{said:,.0f}", f"{each.throughput:,.0f}", error(said, each.throughput), f"{each.load:.1f}")
        rows.append((named(each), *told))
    return _table(("submissions a second on two cores", "expected", "found", "error", "load"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def named(found: Measured) -> str:
    plural = "" if found.size.workers == 1 else "s"
    return f"{found.size.workers} worker{plural}, {found.size.jobs:,}"


def error(said: float, found: float) -> str:
    return f"{(said - found) / found:+.0%}" if found else ""
