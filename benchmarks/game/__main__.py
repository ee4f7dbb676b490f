"""What scoring costs, without a service around it: `python -m benchmarks.game` from the repository's root.

A full recompute goes through all facts of a game, participant by participant, and makes the board. One judged
event scores one cell and its row again; who was first to solve is a scan of one column of the board. Times
are CPU time of this process, so that a busy machine spoils them less; making the facts is not counted.
"""

import argparse
import json
import resource
import sys
import time
from statistics import median, quantiles

from benchmarks.game.crowd import Crowd
from deepoj_domain.game.format import Format
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.scoring.board import board_for, first_to_solve
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.rules import Rules
from deepoj_domain.game.scoring.tally import CellSides, Tally, score_cell, score_participant, score_row
from deepoj_domain.game.visibility import BoardView

_KIB_OF_A_MIB = 1024
_EVENTS = 1000
_MOST = 100_000
Report = dict[str, float]


def recompute(crowd: Crowd, game_format: Format) -> tuple[Report, list[Tally]]:
    rules = crowd.rules(game_format)
    tallies: list[Tally] = []
    submissions, spent = 0, 0.0
    for participant, facts in crowd.people():
        submissions += len({fact.origin_id for fact in facts})
        started = time.process_time()
        tallies.append(score_participant(rules, participant, facts))
        spent += time.process_time() - started
    started = time.process_time()
    board = board_for(rules, tallies, BoardView.ADMIN, is_frozen=False)
    ranking = time.process_time() - started
    report = {
        "submissions": submissions,
        "rows": len(board.rows),
        "submissions_a_second": round(submissions / (spent + ranking)),
        "ranking_ms": round(1000 * ranking, 1),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_OF_A_MIB),
    }
    return report, tallies


def one_event(crowd: Crowd, game_format: Format, tallies: list[Tally]) -> Report:
    rules = crowd.rules(game_format)
    times = []
    for (participant, facts), own, _ in zip(crowd.people(), tallies, range(_EVENTS), strict=False):
        started = time.process_time()
        apply(rules, participant, facts, own)
        times.append(1000 * (time.process_time() - started))
    started = time.process_time()
    first_to_solve((tally.full.account_id, tally.full.cells[0]) for tally in tallies)
    scan = 1000 * (time.process_time() - started)
    p99 = quantiles(times, n=100)[-1]
    return {"p50_ms": round(median(times), 3), "p99_ms": round(p99, 3), "first_to_solve_ms": round(scan, 3)}


def apply(rules: Rules, participant: Participant, facts: list[Fact], own: Tally) -> None:
    """What one fact more to the first problem makes of the row of its sender."""
    problem = rules.problems[0]
    cell = score_cell(
        rules, participant, problem, [fact for fact in facts if fact.question_id == problem.question_id]
    )
    others = map(CellSides, own.full.cells[1:], own.frozen.cells[1:])
    score_row(rules, participant, [cell, *others])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.game", description=__doc__)
    parser.add_argument("--participants", type=int, default=10_000)
    parser.add_argument("--problems", type=int, default=15)
    parser.add_argument("--submissions", type=int, default=500_000)
    parser.add_argument("--only", action="append", choices=[str(each) for each in Format])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    if not 1 <= arguments.participants <= _MOST or arguments.problems < 1 or arguments.submissions < 1:
        parser.error(f"between 1 and {_MOST} participants, and at least one problem and submission")
    crowd = Crowd(arguments.participants, arguments.problems, arguments.submissions)
    report: dict[str, Report] = {}
    for game_format in map(Format, arguments.only or Format):
        report[f"{game_format} recompute"], tallies = recompute(crowd, game_format)
        report[f"{game_format} one event"] = one_event(crowd, game_format, tallies)
    if arguments.json:
        print(json.dumps(report))
        return 0
    for name, numbers in report.items():
        print(f"{name:24}", "  ".join(f"{key} {value}" for key, value in numbers.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
