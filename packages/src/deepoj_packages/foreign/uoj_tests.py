"""Tests and subtasks of a UOJ problem."""

from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.line_ends import TextFiles
from deepoj_packages.foreign.uoj_conf import PROBLEM, Conf
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.points import exact_points, split_points
from deepoj_packages.spec import FULL_SCORE, SAMPLE, SECRET, Case, Group, GroupScoring, Sample
from deepoj_packages.tree import Tree

_DATA = PurePosixPath("data")
_NOTHING = Decimal(0)
_EXTRA = f"{SECRET}/extra"
_MANY = "many"


class UojTests:
    def __init__(self, tree: Tree, draft: Draft, conf: Conf) -> None:
        self._tree = tree
        self._draft = draft
        self._conf = conf
        self._files = TextFiles(draft)
        most = draft.limits.files
        self._count = conf.count("n_tests", most, 10)
        self._extras = conf.count("n_ex_tests", most)
        self._shown = conf.count("n_sample_tests", most)
        self._subtasks = conf.count("n_subtasks", most)
        if self._shown > self._extras:
            raise invalid(
                f"{conf.where('n_sample_tests')} is above n_ex_tests, of which samples are the first"
            )

    def read(self) -> tuple[Group, ...]:
        """Add the cases to the draft, samples first, and return the groups."""
        for number in range(1, self._shown + 1):
            case = self._add(SAMPLE, number, "ex_")
            self._draft.samples.append(Sample(name=case.name, input=case.input, output=case.answer))
        groups = self._grouped() if self._subtasks else [self._single()]
        if self._extras > self._shown:
            for number in range(self._shown + 1, self._extras + 1):
                self._add(_EXTRA, number, "ex_")
            groups.append(
                Group(name=_EXTRA, points=_NOTHING, depends_on=tuple(group.name for group in groups))
            )
            self._draft.warn(
                f"{PROBLEM}: who fails an extra test loses 3 points there; here no points, but the verdict"
            )
        self._files.warn()
        return tuple(groups)

    def _single(self) -> Group:
        """Every test its points; what is left of 100 goes to the last ones, for all of them are worth 100."""
        given = [self._points(f"point_score_{number}") for number in range(1, self._count + 1)]
        each, left = divmod(int(FULL_SCORE), self._count) if self._count else (0, 0)
        if any(points is not None for points in given):
            left = 0
        total = _NOTHING
        for number, points in enumerate(given, start=1):
            worth = points if points is not None else Decimal(each + (number > self._count - left))
            self._add(SECRET, number, "", worth)
            total += worth
        return Group(name=SECRET, points=total, scoring=GroupScoring.SUM)

    def _grouped(self) -> list[Group]:
        groups: list[Group] = []
        done = 0
        for number in range(1, self._subtasks + 1):
            end = self._conf.count(f"subtask_end_{number}", self._count)
            if end <= done:
                raise invalid(
                    f"{self._conf.where(f'subtask_end_{number}')} leaves subtask {number} without tests"
                )
            groups.append(self._subtask(number, range(done + 1, end + 1)))
            done = end
        if done < self._count:
            raise invalid(f"{PROBLEM}: test {done + 1} is in no subtask")
        return groups

    def _subtask(self, number: int, tests: range) -> Group:
        scoring = self._scoring(f"subtask_type_{number}")
        points = self._points(f"subtask_score_{number}")
        total = points if points is not None else Decimal(int(FULL_SCORE) // self._subtasks)
        shares = split_points(total, len(tests)) if scoring is GroupScoring.SUM else (_NOTHING,) * len(tests)
        for test, worth in zip(tests, shares, strict=True):
            self._add(f"{SECRET}/{number}", test, "", worth)
        needs = tuple(f"{SECRET}/{need}" for need in self._dependencies(number))
        return Group(
            name=f"{SECRET}/{number}",
            points=total,
            scoring=scoring,
            depends_on=needs,
            lowered_by_dependencies=scoring is GroupScoring.MIN and bool(needs),
        )

    def _scoring(self, key: str) -> GroupScoring:
        match self._conf.text(key, "packed"):
            case "packed":
                return GroupScoring.PASS_FAIL
            case "min":
                return GroupScoring.MIN
            case "sum":
                return GroupScoring.SUM
            case other:
                raise unsupported(f"{self._conf.where(key)} is {other[:40]!r}; packed, min and sum are known")

    def _dependencies(self, number: int) -> list[int]:
        key = f"subtask_dependence_{number}"
        if self._conf.text(key) != _MANY:
            keys = [key] if self._conf.text(key) else []
        else:
            keys = []
            while self._conf.text(f"{key}_{len(keys) + 1}"):
                keys.append(f"{key}_{len(keys) + 1}")
        found = [(each, self._conf.count(each, self._subtasks)) for each in keys]
        for each, need in found:
            if not 0 < need < number:
                raise unsupported(f"{self._conf.where(each)} must name an earlier subtask")
        return [need for _, need in found]

    def _points(self, key: str) -> Decimal | None:
        value = self._conf.decimal(key)
        return None if value is None else exact_points(value, self._conf.where(key))

    def _add(self, group: str, number: int, before: str, points: Decimal = _NOTHING) -> Case:
        name = f"{group}/{number:03}"
        case = Case(
            name=name,
            group=group,
            input=self._file("input", number, before, _DATA / f"{name}.in"),
            answer=self._file("output", number, before, _DATA / f"{name}.ans"),
            points=points,
            is_sample=group == SAMPLE,
            full_feedback=group == SAMPLE,
            time_ms=self._conf.milliseconds(f"time_limit_{number}") if not before else None,
            memory_mib=self._conf.whole(f"memory_limit_{number}") if not before else None,
        )
        self._draft.cases.append(case)
        return case

    def _file(self, kind: str, number: int, before: str, to: PurePosixPath) -> PurePosixPath:
        stem = self._conf.text(f"{kind}_pre", kind)
        file = PurePosixPath(f"{before}{stem}{number}.{self._conf.text(f'{kind}_suf', 'txt')}")
        if not self._tree.has(file):
            raise invalid(f"{str(file)[:80]} is not in the package, and {PROBLEM} counts it")
        return self._files.take(to, self._tree.path(file))
