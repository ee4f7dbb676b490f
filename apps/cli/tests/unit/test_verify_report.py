"""What `deepoj verify` shows and prints of what it is told."""

from __future__ import annotations

import io

import pytest
from click.testing import CliRunner

from deepoj.cli import cli
from deepoj.console import QuietConsole
from deepoj.setter.events import (
    Case,
    Catch,
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
from deepoj.setter.report import Report
from deepoj.setter.summary import plotted

OPENED = Opened(
    "p", "[red]P", "2025-09", scoring=False, interactive=False, cases=9, submissions=2, time_limit_ms=100
)
LIMIT = TimeLimit(100, 100, 40, "accepted/a.py", 100, "2", "1.5")
CRASH = Case("secret/1", "RE", 1, 1, "", 1, 0, "Traceback \x1b[31m[bold]\n")


def judged(name: str, time_ms: int, *problems: str) -> Judged:
    return Judged(
        name=name, language="python3", verdict="RE", score="0", full_score="1", time_ms=time_ms,
        time_limit_ms=100, memory_kib=1024, cases=[CRASH], groups=[], message="", expected="AC",
        problems=list(problems),
    )  # fmt: skip


def shown(report: Report, *events: Event) -> str:
    target = io.StringIO()
    console = QuietConsole(file=target, highlight=False, emoji=False, width=200)
    for event in events:
        report.add(event)
        report.show(console, event)
    return target.getvalue()


def test_what_is_not_as_expected_is_shown_with_the_words_of_the_crash() -> None:
    said = shown(Report("p"), OPENED, judged("accepted/a.py", 40, "it is RE"), judged("accepted/b.py", 1))
    assert "[red]P (2025-09, 9 cases)" in said
    assert "wrong accepted/a.py (python3): RE, 40 of 100 ms, 1.0 MiB, expected AC" in said
    assert "accepted/a.py: it is RE" in said
    assert said.count("standard error of secret/1:") == 1
    assert "\x1b" not in said
    assert "[31m[bold]" in said


def test_times_are_plotted_against_the_limit_and_its_margins() -> None:
    assert plotted(0, (0.5, 1, 1.5)) == "·" * 13 + "│" + "·" * 12 + "│" + "·" * 12 + "│ "
    assert plotted(1, (0.5, 1, 1.5)).startswith("█" * 26 + "│")
    assert plotted(9, (0.5, 1, 1.5)).endswith("│▶")
    assert {len(plotted(share / 10, (0.2, 1, 5))) for share in range(60)} == {41}
    said = shown(Report("p"), judged("slow.py", 120), judged("a" * 60, 3), LIMIT, Finished(ok=True))
    rows = [line for line in said.splitlines() if "█" in line or "·" in line]
    assert [line.split()[-2:] for line in rows] == [["3", "ms"], ["120", "ms"]]
    assert rows[0].index("█") == rows[1].index("█"), "bars begin below each other"


def test_the_whole_says_what_is_caught_and_what_it_costs() -> None:
    tests = [f"secret/{number}" for number in range(9)]
    strength = Strength([Catch("wrong/a.py", tests), Catch("wrong/b.py", tests[:1])], tests[1:])
    mutants = [Mutant("a.py", 3, "< became <=: x", "AC", survived=True, caught_by="")]
    mutants.append(Mutant("a.py", 4, "1 became 2: y", "WA", survived=False, caught_by="secret/1"))
    cost = Cost("a.py", 1234, 20_000, 12.5, 9, 3 * 1024 * 1024)
    said = shown(Report("p"), strength, *mutants, cost, Finished(ok=True))
    assert "wrong/a.py is caught by 9 tests: secret/0, " in said
    assert "secret/5 and 3 more" in said
    assert "wrong/b.py is caught by only secret/0" in said
    assert "tests that catch nobody: 8 (" in said
    assert "mutants of a.py: 1 of 2 are caught" in said
    assert "survives: line 3, < became <=: x" in said
    assert "judging a.py takes 1.2 s of CPU, all submissions took 20.0 s, verifying took 12.5 s" in said
    assert "; 9 tests of 3 MiB" in said
    assert said.endswith("everything is as it says\n")


@pytest.mark.parametrize("strict", [False, True])
def test_warnings_may_count_as_errors_and_notes_never_do(strict: bool) -> None:  # noqa: FBT001 — a switch
    report = Report("p", strict=strict)
    said = shown(report, Note("x", "[so]"), Finished(ok=True))
    assert "note x: [so]" in said
    assert report.ok
    shown(report, Finding("warning", "x", "y"))
    assert report.ok is not strict
    assert report.as_json()["ok"] is not strict
    assert "0 errors, 1 warning" in report.sentence or not strict


def test_what_was_broken_off_is_neither_right_nor_lost() -> None:
    report = Report("p")
    for event in (OPENED, judged("accepted/a.py", 1)):
        report.add(event)
    document = report.as_json()
    assert (document["ok"], document["finished"]) == (False, False)
    assert document["submissions"] != []
    assert "broken off with 1 of 2 submissions judged" in report.sentence


@pytest.mark.parametrize("limit", ["nan", "inf", "0", "-1", "601", "1e-9", "x"])
def test_a_time_limit_that_cannot_be_meant_is_refused(limit: str) -> None:
    refused = CliRunner().invoke(cli, ["verify", "nowhere", "--time-limit", limit])
    assert (refused.exit_code, "--time-limit" in refused.stderr) == (2, True), refused.output
