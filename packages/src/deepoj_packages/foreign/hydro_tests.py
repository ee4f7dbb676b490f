"""Cases and subtasks of a Hydro problem: as config.yaml lists them, or as the names of the files tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.foreign.draft import Draft, numeric_key
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.points import exact_points
from deepoj_packages.spec import FULL_SCORE, SECRET, Group, GroupScoring
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section, decimal_of

TESTS = PurePosixPath("testdata")
_TYPES = (GroupScoring.MIN, GroupScoring.MAX, GroupScoring.SUM)
_AMOUNT = re.compile(r"\s*([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([a-z]*)\s*", re.IGNORECASE)
# A bare number is in milliseconds, or in megabytes.
_TIMES = {"": Decimal(1), "ms": Decimal(1), "s": Decimal(1000)}
_SIZES = {"": Decimal(1), "k": Decimal(1) / 1024, "m": Decimal(1), "g": Decimal(1024)}
_LIMITS = (("time", _TIMES), ("memory", _SIZES))
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_SUBTASK = re.compile(r"(\d{1,6})[-_]\d+$")
_NUMBERED_TEXT = re.compile(r"(.*)input(\d+)\.txt")
_NUMBERED_ENDING = re.compile(r"(.*)\.in(\d+)")


@dataclass(frozen=True, slots=True)
class _Test:
    given: PurePosixPath
    answer: PurePosixPath
    score: Decimal | None = None
    time_ms: int | None = None
    memory_mib: int | None = None


@dataclass(frozen=True, slots=True)
class _Subtask:
    id: str
    scoring: GroupScoring
    score: Decimal | None
    needs: tuple[str, ...]
    tests: tuple[_Test, ...]


class HydroTests:
    def __init__(self, tree: Tree, draft: Draft, config: Section) -> None:
        self._tree = tree
        self._draft = draft
        self._config = config
        self.time_ms = _amount(config, "time", _TIMES)
        self.memory_mib = _amount(config, "memory", _SIZES)

    def read(self) -> tuple[Group, ...]:
        """Add the cases to the draft, and return their groups."""
        subtasks = self._subtasks()
        shared = _filled([subtask.score for subtask in subtasks], FULL_SCORE)
        names = [SECRET if len(subtasks) == 1 else f"{SECRET}/{subtask.id}" for subtask in subtasks]
        known = {subtask.id: name for subtask, name in zip(subtasks, names, strict=True)}
        if len(known) != len(subtasks):
            raise invalid(f"{self._config.where}: two subtasks have the same id")
        groups: list[Group] = []
        for subtask, name, points in zip(subtasks, names, shared, strict=True):
            earlier = {group.name for group in groups}
            late = [need for need in subtask.needs if known.get(need) not in earlier]
            if late:
                where = f"{self._config.where}: subtask {subtask.id}"
                raise unsupported(f"{where} needs {late[0][:40]}, which is none before it")
            groups.append(self._add(subtask, name, points, tuple(known[need] for need in subtask.needs)))
        return tuple(groups)

    def _add(self, subtask: _Subtask, name: str, points: Decimal, needs: tuple[str, ...]) -> Group:
        is_sum = subtask.scoring is GroupScoring.SUM
        scores = [test.score for test in subtask.tests]
        if not is_sum and any(score not in {None, points} for score in scores):
            raise unsupported(f"{self._config.where}: the cases of subtask {subtask.id} differ in points")
        own = _filled(scores, points) if is_sum else [Decimal(0)] * len(scores)
        digits = len(str(len(own)))
        for number, (test, worth) in enumerate(zip(subtask.tests, own, strict=True), start=1):
            given, answer = self._tree.path(test.given), self._tree.path(test.answer)
            self._draft.add_case(f"{name}/{number:0{digits}}", name, given, answer, worth)
            limited = replace(self._draft.cases[-1], time_ms=test.time_ms, memory_mib=test.memory_mib)
            self._draft.cases[-1] = limited
        whole = sum(own, Decimal(0)) if is_sum else points
        return Group(name=name, points=whole, scoring=subtask.scoring, depends_on=needs)

    def _subtasks(self) -> list[_Subtask]:
        listed = self._sections(self._config, "subtasks")
        if listed:
            return [self._subtask(each, number) for number, each in enumerate(listed, start=1)]
        tests = self._listed(self._config)
        if tests:
            return [_Subtask("1", GroupScoring.SUM, FULL_SCORE, (), tests)]
        return self._found()

    def _subtask(self, section: Section, number: int) -> _Subtask:
        tests = self._listed(section)
        if not tests:
            raise invalid(f"{section.where}: subtask {number} has no cases")
        name = section.text("id", str(number))
        if not _ID.fullmatch(name):
            raise invalid(f"{section.where}: {name[:40]!r} is no id of a subtask")
        scoring = GroupScoring(section.choice("type", _TYPES, GroupScoring.MIN))
        return _Subtask(name, scoring, _score(section), section.texts("if"), tests)

    def _listed(self, section: Section) -> tuple[_Test, ...]:
        found = []
        for each in self._sections(section, "cases"):
            files = self._file(each, "input"), self._file(each, "output")
            limits = (self._own(key, units, each, section) for key, units in _LIMITS)
            found.append(_Test(*files, _score(each), *limits))
        return tuple(found)

    def _own(self, key: str, units: dict[str, Decimal], case: Section, around: Section) -> int | None:
        """Return the limit of a case, else that of its subtask; None where it is the problem's."""
        whole = _amount(self._config, key, units)
        own = _amount(case, key, units) or _amount(around, key, units)
        return None if own == whole else own

    def _found(self) -> list[_Subtask]:
        """No cases are listed: inputs and answers belong together by their names."""
        tests: dict[str, list[_Test]] = {}
        inputs = [file for file in self._tree.below(TESTS) if self._tree.has(file)]
        for file in sorted(inputs, key=lambda each: numeric_key(each.name)):
            answer = self._answer_of(file)
            if answer is not None:
                subtask = _SUBTASK.search(file.stem)
                tests.setdefault(subtask[1] if subtask else "", []).append(_Test(file, answer))
        if not tests:
            raise invalid(f"{TESTS} holds no inputs with answers, and {self._config.where} lists none")
        if "" in tests:
            whole = tuple(test for each in tests.values() for test in each)
            return [_Subtask("1", GroupScoring.SUM, FULL_SCORE, (), whole)]
        return [_Subtask(name, GroupScoring.MIN, None, (), tuple(each)) for name, each in tests.items()]

    def _answer_of(self, file: PurePosixPath) -> PurePosixPath | None:
        """None for a file that is no input."""
        names: list[str] = []
        if file.suffix == ".in":
            names = [file.stem + ending for ending in (".out", ".ans")]
        elif found := _NUMBERED_TEXT.fullmatch(file.name):
            names = [f"{found[1]}output{found[2]}.txt"]
        elif found := _NUMBERED_ENDING.fullmatch(file.name):
            names = [f"{found[1]}.{ending}{found[2]}" for ending in ("ou", "out", "ans")]
        places = [file.parent, TESTS / "output"] if file.parent == TESTS / "input" else [file.parent]
        there = (place / name for place in places for name in names if self._tree.has(place / name))
        answer = next(there, None)
        if names and answer is None:
            raise invalid(f"{file} has no answer: {names[0]} is missing")
        return answer

    def _file(self, section: Section, key: str) -> PurePosixPath:
        name = section.text(key)
        if not name or not self._tree.has(TESTS / name):
            raise invalid(f"{section.where}: {key} names {name[:80]!r}, which is not in {TESTS}/")
        return TESTS / name

    def _sections(self, section: Section, key: str) -> Sequence[Section]:
        entries = section.entries(key) if section.is_list(key) else ()
        found = [each for each in entries if isinstance(each, Section)]
        if len(found) != len(entries) or (section.has(key) and not section.is_list(key)):
            raise invalid(f"{section.where}: {key} must be a list of maps")
        return found


def _score(section: Section) -> Decimal | None:
    value = section.decimal("score")
    return None if value is None else exact_points(value, f"{section.where}: score")


def _filled(scores: Sequence[Decimal | None], total: Decimal) -> list[Decimal]:
    """Who names no points shares what is left of them; what does not divide goes to the later ones."""
    missing = [at for at, score in enumerate(scores) if score is None]
    left = max(Decimal(0), total - sum((score for score in scores if score is not None), Decimal(0)))
    filled = [score or Decimal(0) for score in scores]
    if missing:
        each, extra = divmod(int(left), len(missing))
        for place, at in enumerate(missing):
            filled[at] = Decimal(each + (place >= len(missing) - extra))
    return filled


def _amount(section: Section, key: str, units: dict[str, Decimal]) -> int | None:
    text = section.text(key)
    if not text:
        return None
    found = _AMOUNT.fullmatch(text)
    unit = found[2].lower() if found else "?"
    factor = units.get(unit, units.get(unit.removesuffix("ib").removesuffix("b"))) if found else None
    if found is None or factor is None:
        raise invalid(f"{section.where}: {key} is not understood: {text[:40]!r}")
    value = decimal_of(found[1], f"{section.where}: {key}") * factor
    if value <= 0:
        raise invalid(f"{section.where}: {key} must be above 0")
    return int(value.to_integral_value(rounding="ROUND_CEILING"))
