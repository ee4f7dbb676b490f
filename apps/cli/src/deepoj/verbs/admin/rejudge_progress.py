"""Wait for a rejudge, and show how far it is while somebody looks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from deepoj.client.api import Api
from deepoj.client.judging_wire import RejudgeState
from deepoj.console import err

_PACE: Final = 1.0


def follow_rejudge(api: Api, rejudge: str, until: Callable[[RejudgeState], bool]) -> RejudgeState:
    """Whoever breaks this off stops nothing: the rejudge goes on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = err()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("judging", total=None)
        while True:
            now = api.get(f"/api/admin/rejudges/{rejudge}", RejudgeState, {"size": "1"})
            if until(now):
                return now
            done = now.applied + now.dropped if now.state == "applying" else now.judged + now.failed
            progress.update(task, description=now.state, completed=done, total=now.selected)
            time.sleep(_PACE)
