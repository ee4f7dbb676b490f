"""What the directory of an example submission, or a tag in it, says about its verdict."""

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.shared.programs import UnusableProgramError
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Expectation, Outcome, Program, Submission

_AC, _WA, _TLE, _RTE = Outcome.AC, Outcome.WA, Outcome.TLE, Outcome.RTE
SUBMISSIONS = PurePosixPath("submissions")
SECRET_DATA = PurePosixPath("data", "secret")
COMPILE_ERROR = "compile_error"
"""Our own: the format has no directory for what must not compile."""

DIRECTORIES: Mapping[str, Expectation] = {
    "accepted": Expectation(permitted=frozenset({_AC})),
    "rejected": Expectation(required=frozenset({_RTE, _TLE, _WA})),
    "wrong_answer": Expectation(permitted=frozenset({_AC, _WA}), required=frozenset({_WA})),
    "time_limit_exceeded": Expectation(permitted=frozenset({_AC, _TLE}), required=frozenset({_TLE})),
    "run_time_error": Expectation(permitted=frozenset({_AC, _RTE}), required=frozenset({_RTE})),
    "brute_force": Expectation(
        permitted=frozenset({_AC, _RTE, _TLE}), required=frozenset({_RTE, _TLE}), bounds_time_limit=False
    ),
    COMPILE_ERROR: Expectation(final=frozenset({Outcome.CE}), bounds_time_limit=False),
}
# DOMjudge ignores the tag where the directory already says it all.
_DECIDED = frozenset(
    {"accepted", "wrong_answer", "time_limit_exceeded", "run_time_error", "partially_accepted"}
)
_TAG = re.compile(r"@EXPECTED_RESULTS@:\s*([A-Za-z_ ,-]+)")
_SCORE = re.compile(r"@EXPECTED_SCORE@:[ \t]*(\d{1,9}(?:\.\d{1,6})?)")
_GRADES = re.compile(r"@EXPECTED_GRADES@:?[ \t]*([A-Z]+(?:[ \t]+[A-Z]+)*)")
_GRADED = {"AC": _AC, "WA": _WA, "TLE": _TLE, "RTE": _RTE, "MLE": _RTE, "OLE": _RTE}
_TAGGED = {
    "CORRECT": Outcome.AC,
    "ACCEPTED": Outcome.AC,
    "WRONG-ANSWER": Outcome.WA,
    "NO-OUTPUT": Outcome.WA,
    "TIMELIMIT": Outcome.TLE,
    "TIME-LIMIT-EXCEEDED": Outcome.TLE,
    "RUN-ERROR": Outcome.RTE,
    "RUN-TIME-ERROR": Outcome.RTE,
    "OUTPUT-LIMIT": Outcome.OLE,
    "COMPILER-ERROR": Outcome.CE,
}


def read_each(reading: Reading, read_one: Callable[[PurePosixPath], Submission]) -> tuple[Submission, ...]:
    """One that cannot be run is warned about: the problem can be judged without it."""
    found = []
    for at in _programs(reading):
        try:
            found.append(read_one(at))
        except UnusableProgramError as refusal:
            reading.tree.use(at, *reading.tree.below(at))
            reading.warn(f"an example submission cannot be run: {refusal.sentence}")
    return tuple(found)


def _programs(reading: Reading) -> Iterator[PurePosixPath]:
    """Every submission lies in a directory of `submissions`, as a file or as a directory of files."""
    for directory in reading.tree.entries(SUBMISSIONS):
        if reading.tree.has_directory(directory):
            for at in reading.tree.entries(directory):
                if not at.name.startswith(".") and at.stem.upper() != "README":
                    yield at


def tagged(reading: Reading, directory: str, program: Program) -> Expectation | None:
    if directory in _DECIDED:
        return None
    found = _TAG.search(reading.tree.head(program.main))
    if found is None:
        return None
    words = [word.strip().upper().replace("_", "-") for word in found[1].split(",")]
    known = frozenset(_TAGGED[word] for word in words if word in _TAGGED)
    for word in words:
        if word not in _TAGGED:
            reading.warn(f"{program.main}: the expected result {word} is not known")
    return Expectation(final=known, bounds_time_limit=False) if known else None


def scored(reading: Reading, program: Program) -> tuple[Expectation, ...]:
    """What two more tags say: the whole score (DOMjudge), and a verdict for each group (testdata_tools)."""
    text = reading.tree.head(program.main)
    score, grades = _SCORE.search(text), _GRADES.search(text)
    expected = [Expectation(score=_as_written(score[1]), bounds_time_limit=False)] if score else []
    return (*expected, *(_graded(reading, program, grades[1].split()) if grades else ()))


def _as_written(text: str) -> tuple[Decimal, Decimal]:
    """A score with decimals was rounded to them."""
    value, decimals = Decimal(text), len(text.partition(".")[2])
    slack = Decimal(5).scaleb(-decimals - 1) if decimals else Decimal(0)
    return value - slack, value + slack


def _graded(reading: Reading, program: Program, grades: list[str]) -> tuple[Expectation, ...]:
    groups = [at for at in reading.tree.entries(SECRET_DATA) if reading.tree.has_directory(at)]
    unknown = [grade for grade in grades if grade not in _GRADED]
    if unknown or len(grades) != len(groups):
        why = f"the grade {unknown[0]} is not known" if unknown else f"data/secret has {len(groups)} groups"
        reading.warn(f"{program.main}: its {len(grades)} expected grades are not used: {why}")
        return ()
    return tuple(
        _grade(f"secret/{at.name}", _GRADED[grade]) for at, grade in zip(groups, grades, strict=True)
    )


def _grade(group: str, grade: Outcome) -> Expectation:
    wanted = frozenset({grade})
    if grade is _AC:
        return Expectation(cases=group, permitted=wanted, bounds_time_limit=False)
    return Expectation(cases=group, required=wanted, bounds_time_limit=False)
