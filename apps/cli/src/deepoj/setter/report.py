"""All that is known of one package that is verified, whether it was verified to the end or not."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from rich.console import Console
from rich.markup import escape

from deepoj.errors import Failure
from deepoj.setter.display import show_findings, show_submission
from deepoj.setter.events import (
    Cost,
    Event,
    Finding,
    Finished,
    Judged,
    Mutant,
    Note,
    Opened,
    Strength,
    TimeLimit,
)
from deepoj.setter.summary import show_cost, show_strength, show_time_limit


@dataclass(slots=True)
class Report:
    source: str
    strict: bool = False
    """Warnings count as errors."""
    opened: Opened | None = None
    findings: list[Finding] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    time_limit: TimeLimit | None = None
    strength: Strength | None = None
    mutants: list[Mutant] = field(default_factory=list)
    cost: Cost | None = None
    finished: Finished | None = None
    failure: Failure | None = None

    @property
    def ok(self) -> bool:
        warned = self.strict and self.count("warning") > 0
        return self.finished is not None and self.finished.ok and not warned

    def add(self, event: Event) -> None:
        match event:
            case Opened():
                self.opened = event
            case Finding():
                self.findings.append(event)
            case Note():
                self.notes.append(event)
            case Judged():
                self.judged.append(event)
            case TimeLimit():
                self.time_limit = event
            case Strength():
                self.strength = event
            case Mutant():
                self.mutants.append(event)
            case Cost():
                self.cost = event
            case Finished():
                self.finished = event
            case _:
                return

    def count(self, severity: str) -> int:
        return sum(each.severity == severity for each in self.findings)

    def as_json(self) -> dict[str, object]:
        return {
            "source": self.source,
            "ok": self.ok,
            "finished": self.finished is not None,
            "error": None if self.failure is None else str(self.failure),
            "package": msgspec.to_builtins(self.opened),
            "findings": msgspec.to_builtins(self.findings),
            "notes": msgspec.to_builtins(self.notes),
            "submissions": msgspec.to_builtins(self.judged),
            "time_limit": msgspec.to_builtins(self.time_limit),
            "strength": msgspec.to_builtins(self.strength),
            "mutants": msgspec.to_builtins(self.mutants),
            "cost": msgspec.to_builtins(self.cost),
        }

    def show(self, console: Console, event: Event) -> None:
        """What is worth a line as soon as it is known."""
        match event:
            case Opened():
                cases = f"{event.cases} cases"
                console.print(f"[bold]{escape(event.title)}[/] ({escape(event.format)}, {cases})")
            case Finding():
                show_findings(console, [event])
            case Note():
                console.print(f"note {escape(event.about)}: {escape(event.message)}")
            case Judged():
                show_submission(console, event, scoring=self.opened is not None and self.opened.scoring)
            case Finished():
                self.show_whole(console)
            case _:
                return

    def show_whole(self, console: Console) -> None:
        show_time_limit(console, self.time_limit, self.judged)
        show_strength(console, self.strength, self.mutants)
        show_cost(console, self.cost)
        console.print(self.sentence)

    @property
    def sentence(self) -> str:
        if self.failure is not None:
            return f"[red]{escape(str(self.failure))}[/]"
        if self.finished is None:
            whole = f" of {self.opened.submissions}" if self.opened else ""
            return f"[red]it was broken off with {len(self.judged)}{whole} submissions judged[/]"
        if self.ok:
            return "[green]everything is as it says[/]"
        wrong = self.count("error") + sum(bool(each.problems) for each in self.judged)
        counts = f"{_many(wrong, 'error')}, {_many(self.count('warning'), 'warning')}"
        return f"[red]something is wrong[/] ({counts})"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
