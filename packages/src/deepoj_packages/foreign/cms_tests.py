"""Tests of a CMS task: numbered from 0, with subtasks by gen/GEN or by score_type_parameters."""

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.foreign.cms_programs import CmsPrograms
from deepoj_packages.foreign.command_words import command_words
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.line_ends import TextFiles
from deepoj_packages.foreign.patterns import matches
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid, unsupported
from deepoj_packages.shared.points import exact_points, split_points
from deepoj_packages.spec import FULL_SCORE, SECRET, Case, Group, GroupScoring, Recipe
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section, decimal_of

_DATA = PurePosixPath("data")
_GEN = PurePosixPath("gen/GEN")
_NOTHING = Decimal(0)
_SUBTASK, _COPY = "ST:", "COPY:"
_MOST_GROUPS = 100
"""By a pattern each, which is matched by a process of its own."""
_GROUPS = {
    "GroupMin": GroupScoring.MIN,
    "GroupMul": GroupScoring.MIN,
    "GroupSum": GroupScoring.SUM,
}


@dataclass(slots=True)
class _Line:
    """One test of GEN: the arguments of a generator, or a file that is copied."""

    number: int
    arguments: str = ""
    copied: str = ""


@dataclass(slots=True)
class _Subtask:
    points: Decimal
    tests: list[int] = field(default_factory=list)


class CmsTests:
    def __init__(self, tree: Tree, draft: Draft, task: Section, programs: CmsPrograms) -> None:
        self._tree = tree
        self._draft = draft
        self._task = task
        self._programs = programs
        self._files = TextFiles(draft)
        self._lines: list[_Line] = []
        self._unmade_inputs: list[Recipe] = []
        self._unmade_answers: list[tuple[PurePosixPath, PurePosixPath, PurePosixPath]] = []

    def read(self) -> tuple[Group, ...]:
        """Add the cases to the draft, and return their groups."""
        subtasks = self._generated() if self._tree.has(_GEN) else []
        count = len(self._lines) or self._counted()
        if count > self._draft.limits.files:
            raise PackageRefusedError(
                Reason.TOO_LARGE, f"{self._task.where} has more than {self._draft.limits.files} tests"
            )
        scoring = GroupScoring.MIN
        if self._task.has("score_type"):
            scoring, subtasks = self._by_type(count)
        if not subtasks:
            total = self._task.decimal("total_value", FULL_SCORE) or FULL_SCORE
            whole = _Subtask(exact_points(total, f"{self._task.where}: total_value"), list(range(count)))
            return (self._group(SECRET, whole, GroupScoring.SUM),)
        groups = tuple(
            self._group(f"{SECRET}/{number}", each, scoring) for number, each in enumerate(subtasks, start=1)
        )
        self._files.warn()
        return groups

    def recipes(self) -> tuple[Recipe, ...]:
        if not self._unmade_answers:
            return tuple(self._unmade_inputs)
        main = self._programs.main
        if main is None:
            missing = self._unmade_answers[0][1]
            raise unsupported(f"{missing} is not in the package, and no sol/solution.* could make it")
        answers = (
            Recipe(file=file, packed_as=packed, program=main, input=given)
            for file, packed, given in self._unmade_answers
        )
        return (*self._unmade_inputs, *answers)

    def _generated(self) -> list[_Subtask]:
        subtasks: list[_Subtask] = []
        for number, line in enumerate(self._tree.text(_GEN).splitlines(), start=1):
            test, _, comment = (part.strip() for part in line.partition("#"))
            where = f"{_GEN} (line {number})"
            if comment.startswith(_SUBTASK):
                points = decimal_of(
                    comment.removeprefix(_SUBTASK).strip(), f"{where}: the points of a subtask"
                )
                if not subtasks and self._lines:
                    raise invalid(f"{where}: there are tests before the first subtask")
                subtasks.append(_Subtask(exact_points(points, where)))
            elif comment.startswith(_COPY) or test:
                copied = comment.removeprefix(_COPY).strip() if comment.startswith(_COPY) else ""
                self._lines.append(_Line(number, test, copied))
                if subtasks:
                    subtasks[-1].tests.append(len(self._lines) - 1)
        empty = [each for each in subtasks if not each.tests]
        if empty:
            raise invalid(f"{_GEN}: a subtask of {empty[0].points} points has no tests")
        return subtasks

    def _counted(self) -> int:
        count = 0
        while self._tree.has(_input(count)):
            count += 1
        if not count:
            raise invalid(f"{_input(0)} is not in the package, and no {_GEN} says how it is made")
        return count

    def _by_type(self, count: int) -> tuple[GroupScoring, list[_Subtask]]:
        kind = self._task.text("score_type")
        if kind == "Sum":
            return GroupScoring.SUM, []
        if kind not in _GROUPS:
            raise unsupported(f"{self._task.where}: the score_type {kind[:40]!r} has no equal here")
        where = f"{self._task.where}: score_type_parameters"
        subtasks, done = [], 0
        names = [f"{number:03}" for number in range(count)]
        parameters = self._parameters(where)
        if len(parameters) > _MOST_GROUPS:
            raise PackageRefusedError(Reason.TOO_LARGE, f"{where} has more than {_MOST_GROUPS} groups")
        for points, tests in parameters:
            subtask = _Subtask(exact_points(decimal_of(points, where), where))
            if tests.isdecimal() and len(tests) < len(str(count)) + 1:
                subtask.tests = list(range(done, min(count, done + int(tests))))
                done += int(tests)
            else:
                subtask.tests = [int(match.name) for match in matches(tests, names, where)]
            if not subtask.tests:
                raise invalid(f"{where}: {tests[:40]!r} names no tests")
            subtasks.append(subtask)
        used = {test for subtask in subtasks for test in subtask.tests}
        unused = [name for name in names if int(name) not in used]
        if unused:
            self._draft.warn(
                f"{where}: test {unused[0]} is in no group and left out ({len(unused)} such tests)"
            )
        return _GROUPS[kind], subtasks

    def _parameters(self, where: str) -> list[tuple[str, str]]:
        """Points, and how many tests or a pattern for their numbers."""
        rows = self._task.rows("score_type_parameters")
        if any(len(row) < 2 for row in rows):  # noqa: PLR2004 — points and tests
            raise invalid(f"{where} must be a list of pairs: points, and how many tests or a pattern")
        return [(row[0], row[1]) for row in rows]

    def _group(self, name: str, subtask: _Subtask, scoring: GroupScoring) -> Group:
        is_sum = scoring is GroupScoring.SUM
        count = len(subtask.tests)
        shares = split_points(subtask.points, count) if is_sum else (_NOTHING,) * count
        for number, points in zip(subtask.tests, shares, strict=True):
            self._add(name, number, points)
        return Group(name=name, points=subtask.points, scoring=scoring)

    def _add(self, group: str, number: int, points: Decimal) -> None:
        name = f"{group}/{number:03}"
        given = self._given(number, _DATA / f"{name}.in")
        answer = self._answer(number, _DATA / f"{name}.ans", given)
        self._draft.cases.append(Case(name=name, group=group, input=given, answer=answer, points=points))

    def _answer(self, number: int, to: PurePosixPath, given: PurePosixPath) -> PurePosixPath | None:
        packed = PurePosixPath("output", f"output{number}.txt")
        if self._tree.has(packed):
            return self._files.take(to, self._tree.path(packed))
        if self._programs.communicates:
            # No manager asks for it, and without one no solution could make it.
            return None
        self._unmade_answers.append((to, packed, given))
        return to

    def _given(self, number: int, to: PurePosixPath) -> PurePosixPath:
        packed = _input(number)
        if self._tree.has(packed):
            return self._files.take(to, self._tree.path(packed))
        if number >= len(self._lines):
            raise invalid(f"{packed} is not in the package")
        line = self._lines[number]
        where = f"{_GEN} (line {line.number})"
        if line.copied:
            if not self._tree.has(PurePosixPath(line.copied)):
                raise invalid(f"{where}: {line.copied[:80]!r} is not in the package")
            return self._files.take(to, self._tree.path(PurePosixPath(line.copied)))
        generator = self._programs.generator()
        if generator is None:
            raise unsupported(
                f"{where}: {packed} is not in the package, and gen/ has no generator to make it"
            )
        words = _words(line.arguments, where)
        self._unmade_inputs.append(Recipe(file=to, packed_as=packed, program=generator, arguments=words))
        return to


def _input(number: int) -> PurePosixPath:
    return PurePosixPath("input", f"input{number}.txt")


def _words(text: str, where: str) -> tuple[str, ...]:
    words = command_words(text)
    if words is None:
        raise invalid(f"{where}: {text[:80]!r} are no arguments of a program")
    return words
