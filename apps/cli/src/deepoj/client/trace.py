"""The story of a submission: what happened to it, in order, and how long each step took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from deepoj.client.operator_wire import Attempt, Explanation, TracedDetail, TracedSubmission
from deepoj.client.submission_display import headline
from deepoj.client.words import length


@dataclass(frozen=True, slots=True)
class Step:
    at: datetime
    what: str
    detail: str

    def as_json(self, first: datetime) -> dict[str, object]:
        after = round((self.at - first).total_seconds() * 1000)
        return {"at": self.at.isoformat(), "after_ms": after, "what": self.what, "detail": self.detail}


def steps_of(detail: TracedDetail, why: Explanation) -> list[Step]:
    """Return what happened, the earliest first; what has no time did not happen yet."""
    submission = detail.submission
    found = [*_submitted(submission, why), *(step for each in detail.attempts for step in _attempt(each))]
    if submission.finished_at is not None:
        words = headline(submission).plain
        found.append(Step(submission.finished_at, submission.status, words))
    return sorted(found, key=lambda step: step.at)


def _submitted(submission: TracedSubmission, why: Explanation) -> Iterator[Step]:
    if submission.submitted_at is not None:
        again = f", judged again in the place of {submission.rejudge_of}" if submission.rejudge_of else ""
        what = f"{submission.source_bytes} bytes of {submission.language}"
        where = f"{why.lane} lane, {why.band} band"
        yield Step(submission.submitted_at, "submitted", f"{what}, {where}{again}")


def _attempt(each: Attempt) -> Iterator[Step]:
    if each.started_at is not None:
        with_what = f" with {each.toolchain}" if each.toolchain else ""
        yield Step(each.started_at, f"attempt {each.attempt}", f"claimed by {each.worker}{with_what}")
    if each.ended_at is not None:
        reason = f": {each.reason}" if each.reason else ""
        yield Step(each.ended_at, f"attempt {each.attempt}", f"{each.outcome or 'ended'}{reason}")


def picture(detail: TracedDetail, why: Explanation) -> RenderableType:
    submission, steps = detail.submission, steps_of(detail, why)
    problem = f"{submission.problem_slug or submission.problem_id} revision {submission.problem_revision}"
    by = f" by {submission.user_name}" if submission.user_name else ""
    head = Text(f"submission {submission.id}, {problem}{by}")
    parts: list[RenderableType] = [head, _table(steps), Text(why.summary, "bold")]
    if not submission.is_head:
        parts.append(
            Text(f"It does not count: another of the chain of {submission.origin_id} does.", "yellow")
        )
    return Group(*parts)


def _table(steps: list[Step]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for style in ("dim", "cyan", "bold", ""):
        table.add_column(style=style, no_wrap=style != "")
    waits = [0.0, *((after.at - before.at).total_seconds() for before, after in pairwise(steps))]
    for step, wait in zip(steps, waits, strict=True):
        at = f"{step.at:%Y-%m-%d %H:%M:%S}.{step.at.microsecond // 1000:03}"
        table.add_row(Text(at), Text(f"+{length(wait)}"), Text(step.what), Text(step.detail))
    return table
