"""submissions/ of the legacy format: the directory says what is expected, or a tag in the source."""

from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.shared.expectations import DIRECTORIES, SUBMISSIONS, read_each, scored, tagged
from deepoj_packages.shared.programs import read_program
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Expectation, Outcome, Submission

_SMALLEST = Decimal("0.000001")
_ALL = frozenset({Outcome.AC, Outcome.WA, Outcome.TLE, Outcome.RTE})
_LEGACY = {
    **DIRECTORIES,
    "time_limit_exceeded": Expectation(permitted=_ALL - {Outcome.RTE}, required=frozenset({Outcome.TLE})),
    "run_time_error": Expectation(permitted=_ALL, required=frozenset({Outcome.RTE}), bounds_time_limit=False),
}


def read_submissions(reading: Reading, full_score: Decimal) -> tuple[Submission, ...]:
    return read_each(reading, lambda at: _submission(reading, at, full_score))


def _submission(reading: Reading, at: PurePosixPath, full_score: Decimal) -> Submission:
    directory = at.parts[1]
    program = read_program(reading, at)
    expected = tagged(reading, directory, program) or _LEGACY.get(directory)
    if directory == "partially_accepted":
        expected = Expectation(score=(Decimal(0), full_score - _SMALLEST), bounds_time_limit=False)
    name = str(at.relative_to(SUBMISSIONS))
    expectations = (*((expected,) if expected else ()), *scored(reading, program))
    if not expectations:
        reading.warn(f"submissions/{name}: nothing says which verdict is expected")
    return Submission(name=name, program=program, expectations=expectations)
