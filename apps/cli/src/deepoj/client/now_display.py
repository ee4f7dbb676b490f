"""How the system is, on one screen."""

from __future__ import annotations

from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from deepoj.client.operator_wire import Now, Worker
from deepoj.client.words import length

_GOOD, _BAD = "bold green", "bold red"
_MOST_ROWS = 20


def picture(now: Now, at: datetime) -> RenderableType:
    parts: list[RenderableType] = [
        Text(now.sentence, _BAD if now.sentence_code else _GOOD),
        *(Text(f"  {each.cause}: {each.count}. {each.hint}", "yellow") for each in now.stuck),
        Text(_rates(now)),
        _queues(now),
        _workers(now, at),
        Text.assemble("stores ", *_stores(now)),
        *(
            Text(f"{each.name} is away: {each.why or 'it does not answer'}", _BAD)
            for each in now.processes
            if not each.ok
        ),
    ]
    if now.dead_groups:
        parts.append(_dead(now))
    return Group(*parts)


def _rates(now: Now) -> str:
    if now.rates is None:
        return "judged a minute: nobody can say"
    waits = (
        (name, ms)
        for name, ms in (("p50", now.rates.wait_p50_ms), ("p95", now.rates.wait_p95_ms))
        if ms is not None
    )
    told = ", ".join(f"{name} {length(ms / 1000)}" for name, ms in waits)
    return f"judged a minute: {now.rates.per_minute:.1f}; waited: {told or 'nothing of late'}"


def _queues(now: Now) -> RenderableType:
    if not now.queues:
        return Text("nothing waits", "dim")
    table = _table("lane", "band", "waiting", "oldest")
    for each in now.queues:
        style = "" if each.waiting else "dim"
        table.add_row(
            each.lane, each.band, str(each.waiting), length(each.oldest_wait_ms / 1000), style=style
        )
    return table


def _workers(now: Now, at: datetime) -> Table:
    table = _table("worker", "jobs", "runs")
    for each in now.workers[:_MOST_ROWS]:
        table.add_row(Text(each.name), f"{each.running}/{each.capacity}", Text(_jobs(each, at)))
        if each.drained:
            table.add_row("", "", Text(f"out of service: {each.drained}", "yellow"))
        if each.trouble:
            says = f"takes no jobs: {each.trouble}" if each.held_back else each.trouble
            table.add_row("", "", Text(says, _BAD if each.held_back else "yellow"))
    if len(now.workers) > _MOST_ROWS:
        table.add_row(f"… {len(now.workers) - _MOST_ROWS} more", "", "")
    if not now.workers:
        table.add_row(Text("none", _BAD), "", "")
    return table


def _jobs(worker: Worker, at: datetime) -> str:
    def told(submission: str, language: str, since: datetime | None) -> str:
        return f"{submission} {language}" + (
            f" {length(max(0.0, (at - since).total_seconds()))}" if since else ""
        )

    return ", ".join(told(job.submission_id, job.language, job.since) for job in worker.jobs)


def _stores(now: Now) -> list[tuple[str, str]]:
    words = {True: _GOOD, False: _BAD, None: "dim"}
    named = (("postgres", now.stores.postgres), ("redis", now.stores.redis), ("s3", now.stores.s3))
    waiting = "?" if now.stores.outbox is None else str(now.stores.outbox)
    return [*((f"{name} ", words[state]) for name, state in named), (f" outbox {waiting}", "")]


def _dead(now: Now) -> Table:
    table = _table("dead", "cause", "last error")
    for each in now.dead_groups[:_MOST_ROWS]:
        table.add_row(str(each.submissions), Text(each.reason), Text(each.last_error), style="red")
    return table


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        table.add_column(heading, no_wrap=True, overflow="ellipsis")
    return table
