"""Tests of a Polygon package: where they lie or how they are made, and their groups and points."""

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.foreign.command_words import command_words
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.line_ends import TextFiles
from deepoj_packages.foreign.numbered import NumberedFiles
from deepoj_packages.foreign.ordered_groups import in_order
from deepoj_packages.foreign.polygon_programs import PolygonPrograms, told
from deepoj_packages.foreign.xml_tree import Element
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid, unsupported
from deepoj_packages.shared.points import exact_points
from deepoj_packages.spec import SAMPLE, SECRET, Case, Group, GroupScoring, Recipe, Sample
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import decimal_of

_DATA = PurePosixPath("data")
_NOTHING = Decimal(0)
_UNNAMED = "ungrouped"
_GROUP = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_WRITTEN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_PIPES = re.compile(r"[|<>;&`]")
_POLICIES = ("complete-group", "each-test")


@dataclass(frozen=True, slots=True)
class _Test:
    number: int
    about: Element
    points: Decimal | None
    group: str
    is_sample: bool


class PolygonTests:
    def __init__(
        self, tree: Tree, draft: Draft, testset: Element, programs: PolygonPrograms, files: TextFiles
    ) -> None:
        self._tree = tree
        self._draft = draft
        self._testset = testset
        self._programs = programs
        self._files = files
        self._input = NumberedFiles(testset.first("input-path-pattern"))
        self._answer = NumberedFiles(testset.first("answer-path-pattern"))
        self._tests = [_test(*each) for each in enumerate(testset.all("tests", "test"), start=1)]
        self._unmade_inputs: list[Recipe] = []
        self._unmade_answers: list[tuple[Case, PurePosixPath]] = []
        points = [test.points for test in self._tests if test.points is not None]
        listed = [group.get("points") for group in testset.all("groups", "group")]
        self.scoring = bool(points) or any(listed)
        self._unbounded = self.scoring and not sum(points, _NOTHING) and not any(listed)

    def read(self) -> tuple[Group, ...]:
        """Add the cases to the draft, group by group; return the groups, none where there are no points."""
        if len(self._tests) > self._draft.limits.files:
            raise PackageRefusedError(
                Reason.TOO_LARGE, f"{self._testset.where} has more than {self._draft.limits.files} tests"
            )
        if not self.scoring:
            for test in sorted(self._tests, key=lambda each: not each.is_sample):
                self._add(test, SAMPLE if test.is_sample else SECRET)
            return ()
        members: dict[str, list[_Test]] = {}
        for test in self._tests:
            members.setdefault(test.group, []).append(test)
        listed = {each.get("name"): each for each in self._testset.all("groups", "group")}
        needs = {
            name: tuple(each.get("group") for each in listed[name].all("dependencies", "dependency"))
            if name in listed
            else ()
            for name in members
        }
        names = self._names(members)
        order = in_order(needs, self._testset.where)
        samples_first = sorted(order, key=lambda name: names[name] != SAMPLE)
        groups = [
            self._group(name, members[name], listed.get(name), names, needs[name]) for name in samples_first
        ]
        # The draft has a group of samples by itself.
        return tuple(group for group in groups if group.name != SAMPLE)

    def samples(self) -> list[Sample]:
        return [
            Sample(name=f"{SAMPLE}/{number}", input=case.input, output=case.answer)
            for number, case in enumerate((case for case in self._draft.cases if case.is_sample), start=1)
        ]

    def recipes(self, *, interactive: bool) -> tuple[Recipe, ...]:
        """Inputs first: an answer is made of one."""
        # One generator after the other: each is compiled once.
        self._unmade_inputs.sort(key=lambda recipe: recipe.program.name)
        if not self._unmade_answers:
            return tuple(self._unmade_inputs)
        missing = self._unmade_answers[0][1]
        if interactive:
            raise unsupported(f"{missing} is not in the package: download the full one from Polygon")
        main = self._programs.main
        if main is None:
            raise unsupported(f"{missing} is not in the package, and no main solution could make it")
        answers = (
            Recipe(file=case.answer, packed_as=packed, program=main, input=case.input)
            for case, packed in self._unmade_answers
            if case.answer is not None
        )
        return (*self._unmade_inputs, *answers)

    def _names(self, members: dict[str, list[_Test]]) -> dict[str, str]:
        """What groups are called here: the first of only samples without points is that of the samples."""
        names: dict[str, str] = {}
        for name, tests in members.items():
            shown = all(test.is_sample and not test.points for test in tests)
            if shown and SAMPLE not in names.values():
                names[name] = SAMPLE
            elif not name:
                names[name] = (
                    SECRET if len(members) - (SAMPLE in names.values()) == 1 else f"{SECRET}/{_UNNAMED}"
                )
            elif not _GROUP.fullmatch(name) or name in {".", "..", _UNNAMED}:
                raise invalid(
                    f"{tests[0].about.where}: {name[:40]!r} cannot name a group: use letters and digits"
                )
            else:
                names[name] = f"{SECRET}/{name}"
        return names

    def _group(
        self,
        name: str,
        tests: list[_Test],
        listed: Element | None,
        names: dict[str, str],
        needs: tuple[str, ...],
    ) -> Group:
        whole = listed is not None and listed.get("points-policy") == _POLICIES[0]
        if listed is not None and listed.get("points-policy") not in {"", *_POLICIES}:
            raise unsupported(
                f"{listed.where}: the points-policy {listed.get('points-policy')[:40]!r} is not known"
            )
        worth = [test.points or _NOTHING for test in tests]
        total = sum(worth, _NOTHING)
        if whole and listed is not None and listed.get("points"):
            total = _points(listed)
        for test, points in zip(tests, worth, strict=True):
            self._add(test, names[name], _NOTHING if whole else points)
        return Group(
            name=names[name],
            points=total,
            scoring=GroupScoring.PASS_FAIL if whole else GroupScoring.SUM,
            depends_on=tuple(names[need] for need in needs),
            unbounded=self._unbounded and names[name] != SAMPLE,
        )

    def _add(self, test: _Test, group: str, points: Decimal = _NOTHING) -> None:
        digits = max(2, len(str(len(self._tests))))
        name = f"{group}/{test.number:0{digits}}"
        given, answer = self._input(test.number), self._answer(test.number)
        case = Case(
            name=name,
            group=group,
            input=self._file(_DATA / f"{name}.in", given),
            answer=self._file(_DATA / f"{name}.ans", answer),
            points=points,
            is_sample=test.is_sample,
            full_feedback=test.is_sample,
            input_validator_args=told(self._testset.get("name"), test.group),
            description=test.about.get("description"),
        )
        self._draft.cases.append(case)
        if not self._tree.has(given):
            self._unmade_inputs.append(self._recipe(test, case.input, given))
        if not self._tree.has(answer):
            self._unmade_answers.append((case, answer))

    def _file(self, to: PurePosixPath, file: PurePosixPath) -> PurePosixPath:
        return self._files.take(to, self._tree.path(file)) if self._tree.has(file) else to

    def _recipe(self, test: _Test, file: PurePosixPath, packed: PurePosixPath) -> Recipe:
        about, command = test.about, test.about.get("cmd")
        if not command:
            raise unsupported(
                f"{about.where}: {packed} is not in the package, and nothing says how it is made: "
                "download the full package from Polygon"
            )
        written = about.get("from-file")
        if written and not _WRITTEN.fullmatch(written):
            raise invalid(f"{about.where}: from-file is {written[:40]!r}, and the name of a file is expected")
        words = _words(command, about)
        program = self._programs.generator(words[0])
        if program is None:
            raise invalid(f"{about.where}: the generator {words[0][:40]!r} is not in the package")
        return Recipe(file=file, packed_as=packed, program=program, arguments=words[1:], writes=written)


def _words(command: str, about: Element) -> tuple[str, ...]:
    words = command_words(command)
    if not words or any(_PIPES.fullmatch(word) for word in words):
        raise unsupported(
            f"{about.where}: {command[:80]!r} is more than a generator with arguments: "
            "download the full package from Polygon"
        )
    return words


def _test(number: int, about: Element) -> _Test:
    points = _points(about) if about.get("points") else None
    return _Test(number, about, points, about.get("group"), about.get("sample") == "true")


def _points(about: Element) -> Decimal:
    what = f"{about.where}: points"
    return exact_points(decimal_of(about.get("points"), what), what)
