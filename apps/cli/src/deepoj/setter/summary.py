"""What all submissions together say: about the time limit, the tests, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from deepoj.setter.events import Cost, Judged, Mutant, Strength, TimeLimit

_BAR = 40
_NAME = 40
_NAMED = 6
_KIB = 1024


def show_time_limit(console: Console, limit: TimeLimit | None, judged: Sequence[Judged]) -> None:
    """Plot each time against its own limit, which is longer for slow languages."""
    if limit is None:
        return
    now = "none" if limit.current_ms is None else f"{limit.current_ms} ms"
    console.print(
        f"time limit: {now}; suggested {limit.suggested_ms} ms, because {escape(limit.slowest)} needs "
        f"{limit.slowest_ms} ms"
    )
    room, clear = 1 / float(limit.room_factor), float(limit.clear_factor)
    ran = [each for each in judged if each.cases]
    width = min(_NAME, max((len(each.name) for each in ran), default=0))
    for each in sorted(ran, key=lambda each: each.time_ms / each.time_limit_ms):
        share = each.time_ms / each.time_limit_ms
        colour = "green" if share <= room else "yellow" if share <= 1 else "red"
        name = each.name if len(each.name) <= width else f"…{each.name[1 - width :]}"
        bar = plotted(share, (room, 1, clear))
        console.print(f"  {escape(f'{name:<{width}}')} [{colour}]{bar}[/] {each.time_ms} ms")
    if ran:
        console.print(
            f"  {'':<{width}} marks: the limit divided by {limit.room_factor}, the limit, "
            f"{limit.clear_factor} times the limit"
        )


def plotted(share: float, marks: Sequence[float]) -> str:
    """A bar as long as the share of the limit, over marks; the last mark ends the scale."""
    most = max(*marks, 1)
    at = {round(mark / most * (_BAR - 1)) for mark in marks}
    filled = round(min(share / most, 1) * (_BAR - 1))
    letters = ("█" if place < filled else "│" if place in at else "·" for place in range(_BAR))
    return "".join(letters) + ("▶" if share > most else " ")


def show_strength(console: Console, strength: Strength | None, mutants: Sequence[Mutant]) -> None:
    if strength is not None:
        for row in strength.catches:
            count = len(row.caught_by)
            only = "only " if count == 1 else f"{count} tests: "
            console.print(f"{escape(row.submission)} is caught by {only}{_names(row.caught_by)}")
        if strength.catches and strength.catching_nobody:
            console.print(
                f"tests that catch nobody: {len(strength.catching_nobody)} "
                f"({_names(strength.catching_nobody)})"
            )
    if mutants:
        left = [each for each in mutants if each.survived]
        caught = len(mutants) - len(left)
        console.print(f"mutants of {escape(mutants[0].of)}: {caught} of {len(mutants)} are caught")
        for each in left:
            console.print(f"  survives: line {each.line}, {escape(each.change)}")


def show_cost(console: Console, cost: Cost | None) -> None:
    if cost is None:
        return
    one = f"judging {escape(cost.dearest)} takes {_seconds(cost.judging_ms)} of CPU, " if cost.dearest else ""
    console.print(
        f"cost: {one}all submissions took {_seconds(cost.verifying_ms)}, verifying took "
        f"{cost.seconds} s; {cost.cases} tests of {_size(cost.data_bytes)}"
    )


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return escape(", ".join(names[:_NAMED])) + more


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.1f} s"


def _size(count: int) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < _KIB:
            return f"{count} {unit}"
        count //= _KIB
    return f"{count} GiB"
