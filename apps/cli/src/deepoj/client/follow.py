"""Follow one submission to its verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import msgspec
from rich.console import Console
from rich.status import Status

from deepoj.client.api import Api
from deepoj.client.events import follow
from deepoj.client.submission_display import ACCEPTED, headline
from deepoj.client.wire import Submission, SubmissionDetail
from deepoj.errors import Exit


class Progress(Protocol):
    def __call__(self, submission: Submission) -> None: ...


def watch(api: Api, submission_id: str, progress: Progress) -> Submission:
    """Return the final state; what the stream did not say at its end is asked for."""
    path = f"/api/submissions/{submission_id}"
    for event in follow(api, f"{path}/events"):
        if event.name == "submission":
            seen = msgspec.json.decode(event.data, type=SubmissionDetail).submission
            progress(seen)
            if seen.is_over:
                return seen
    return api.get(path, SubmissionDetail).submission


def exit_code(submission: Submission) -> Exit:
    accepted = submission.result is not None and submission.result.verdict == ACCEPTED
    return Exit.OK if accepted else Exit.FAILED


@contextmanager
def progress_on(console: Console) -> Iterator[Progress]:
    """A line that changes on a terminal, a line for each change anywhere else."""
    if not console.is_terminal:
        yield lambda submission: console.print(f"{submission.status}", markup=False)
        return
    with Status("submitted", console=console) as status:
        yield lambda submission: status.update(headline(submission))
