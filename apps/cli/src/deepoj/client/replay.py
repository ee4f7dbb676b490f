"""A submission judged again, beside what it was judged as."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from deepoj.client.operator_wire import Replayed, ReplayedCase, ReplayedRun

_MOST_ROWS = 50


def picture(found: Replayed) -> RenderableType:
    parts: list[RenderableType] = [Text(found.sentence, "green" if found.same else "bold red")]
    if found.cases:
        parts.append(_cases(found))
    if found.differences:
        parts.append(_differences(found))
    parts.append(
        Text(f"judged by {found.worker_before or 'nobody knows whom'}, now {found.worker_after}", "dim")
    )
    return Group(*parts)


def _cases(found: Replayed) -> RenderableType:
    """Those that differ first: of many cases not all are shown."""
    table = Table("case", "then", "now", box=None, pad_edge=False, header_style="dim")
    rows = sorted(found.cases, key=lambda case: case.same)
    for case in rows[:_MOST_ROWS]:
        table.add_row(Text(case.name), _run(case.before), _run(case.after), style=_style(case))
    if len(rows) > _MOST_ROWS:
        table.add_row(f"… {len(rows) - _MOST_ROWS} more", "", "", style="dim")
    return table


def _differences(found: Replayed) -> RenderableType:
    table = Table("different", "then", "now", box=None, pad_edge=False, header_style="dim")
    for each in found.differences:
        table.add_row(
            Text(each.what), Text(each.before or "none"), Text(each.after or "none"), style="yellow"
        )
    return table


def _style(case: ReplayedCase) -> str:
    return "" if case.same else "bold red"


def _run(run: ReplayedRun | None) -> Text:
    if run is None:
        return Text("not there")
    if run.verdict is None:
        return Text("skipped")
    return Text(f"{run.verdict}  {run.time_ms} ms  {run.memory_bytes / 2**20:.1f} MiB")
