"""`deepoj verify`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import click
import msgspec
from rich.markup import escape

from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.setter.display import show_findings, show_submissions, show_time_limit, watched
from deepoj.setter.events import Event, Finding, Finished, Judged, Opened, TimeLimit
from deepoj.setter.process import events
from deepoj.verbs.help import help_text
from deepoj.verbs.options import dialect_option, item_option, json_option


@click.command(
    name="verify",
    help=help_text(
        "Check a problem package: its inputs, its validators, and every example submission.\n\n"
        "PACKAGE is a directory, zip or tar in the ICPC/Kattis format (legacy or 2025-09), in that of QDUOJ "
        "or Hydro, or an FPS file. Input validators run on all inputs, example submissions must do what "
        "their directory says, and a time limit is suggested. Warnings do not fail it.",
        examples=("deepoj verify examples/aplusb", "deepoj verify problem.zip --json"),
        exits={
            Exit.OK: "everything is as the package says",
            Exit.FAILED: "something is not, or the package was refused",
            Exit.USAGE: "there is no such package",
            Exit.UNUSABLE: "this machine lacks the validator's language or a working sandbox",
        },
    ),
)
@click.argument("package", type=click.Path())
@dialect_option
@item_option
@json_option
def command(package: str, dialect: str, item: str, *, as_json: bool) -> None:
    report = Report()
    for event in watched(events("verify-package", ["--dialect", dialect, f"--item={item}", "--", package])):
        report.add(event)
    if as_json:
        print_json(report.as_json())
    else:
        report.show()
    sys.exit(Exit.OK if report.ok else Exit.FAILED)


@dataclass(slots=True)
class Report:
    opened: Opened | None = None
    findings: list[Finding] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    time_limit: TimeLimit | None = None
    ok: bool = False

    def add(self, event: Event) -> None:
        match event:
            case Opened():
                self.opened = event
            case Finding():
                self.findings.append(event)
            case Judged():
                self.judged.append(event)
            case TimeLimit():
                self.time_limit = event
            case Finished():
                self.ok = event.ok
            case _:
                return

    def as_json(self) -> dict[str, object]:
        return {
            "ok": self.ok,
            "package": msgspec.to_builtins(self.opened),
            "findings": msgspec.to_builtins(self.findings),
            "submissions": msgspec.to_builtins(self.judged),
            "time_limit": msgspec.to_builtins(self.time_limit),
        }

    def show(self) -> None:
        console = out()
        if self.opened is not None:
            console.print(
                f"[bold]{escape(self.opened.title)}[/] ({self.opened.format}, {self.opened.cases} cases)"
            )
        show_submissions(console, self.judged)
        show_time_limit(console, self.time_limit)
        show_findings(console, self.findings)
        console.print("[green]everything is as it says[/]" if self.ok else "[red]something is wrong[/]")
