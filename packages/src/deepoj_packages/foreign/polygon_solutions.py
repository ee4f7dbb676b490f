"""Solutions of a Polygon package, and what their tags say about their verdicts."""

from pathlib import PurePosixPath

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.polygon_sources import PolygonSources
from deepoj_packages.foreign.xml_tree import Element
from deepoj_packages.shared.expectations import DIRECTORIES
from deepoj_packages.shared.programs import UnusableProgramError
from deepoj_packages.spec import Expectation, Outcome, Program, Submission

_SLOW = frozenset({Outcome.TLE, Outcome.RTE})
# By tag, the directory of ours and what must hold. What uses too much memory ends here as a runtime error.
_TAGS = {
    "main": ("accepted", DIRECTORIES["accepted"]),
    "accepted": ("accepted", DIRECTORIES["accepted"]),
    "rejected": ("rejected", DIRECTORIES["rejected"]),
    "failed": ("rejected", DIRECTORIES["rejected"]),
    "wrong-answer": ("wrong_answer", DIRECTORIES["wrong_answer"]),
    "presentation-error": ("wrong_answer", DIRECTORIES["wrong_answer"]),
    "time-limit-exceeded": ("time_limit_exceeded", DIRECTORIES["time_limit_exceeded"]),
    "memory-limit-exceeded": ("run_time_error", DIRECTORIES["run_time_error"]),
    "time-limit-exceeded-or-accepted": (
        "mixed",
        Expectation(permitted=frozenset({Outcome.AC, Outcome.TLE}), bounds_time_limit=False),
    ),
    "time-limit-exceeded-or-memory-limit-exceeded": (
        "mixed",
        Expectation(permitted=_SLOW | {Outcome.AC}, required=_SLOW, bounds_time_limit=False),
    ),
}


def add_solutions(draft: Draft, sources: PolygonSources, problem: Element) -> Program | None:
    """Add them to the draft, and return the main one."""
    main = None
    for number, solution in enumerate(problem.all("assets", "solutions", "solution"), start=1):
        tag = solution.get("tag")
        if tag not in _TAGS:
            draft.warn(f"{solution.where}: a solution is not run, its tag is {tag[:40]!r}")
            continue
        directory, expected = _TAGS[tag]
        file = sources.path(solution).name
        taken = any(each.name == f"{directory}/{file}" for each in draft.submissions)
        name = f"{directory}/{number}-{file}" if taken else f"{directory}/{file}"
        try:
            program = sources.solution(solution, PurePosixPath("submissions", name))
        except UnusableProgramError as error:
            draft.warn(f"a solution is left out: {error.sentence}")
            continue
        main = program if tag == "main" else main
        draft.submissions.append(
            Submission(name=name, program=program, expectations=(expected,), model_solution=tag == "main")
        )
    return main
