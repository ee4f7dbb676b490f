"""data/ of version 2025-09: sample, secret, and at most one level of groups."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.modern.settings import case_settings
from deepoj_packages.modern.static_cases import KEYS, read_static_case
from deepoj_packages.refusal import invalid
from deepoj_packages.shared.cases import DATA, CaseFiles, beside, find_cases
from deepoj_packages.shared.points import split_points
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import FULL_SCORE, SAMPLE, SECRET, Case, Group, GroupScoring, StaticCase
from deepoj_packages.yamls import Section

SETTINGS = "test_group.yaml"
_GROUP_DEPTH = 2
_AGGREGATIONS = (GroupScoring.PASS_FAIL, GroupScoring.MIN, GroupScoring.SUM)


@dataclass(frozen=True, slots=True)
class TestData:
    groups: tuple[Group, ...]
    cases: tuple[Case, ...]
    static_cases: tuple[StaticCase, ...] = ()


class _Data:
    def __init__(self, reading: Reading, *, scoring: bool, interactive: bool) -> None:
        self.reading = reading
        self.scoring = scoring
        self.interactive = interactive
        self.root = self._settings(DATA)
        self.static: list[StaticCase] = []

    def read(self) -> TestData:
        self._look_at_root()
        groups: list[Group] = []
        cases: list[Case] = []
        samples = tuple(self._cases(DATA / SAMPLE, (self._settings(DATA / SAMPLE),), SAMPLE))
        sample = Group(name=SAMPLE, points=Decimal(0))
        self._look_for_static(sample, DATA / SAMPLE)
        if samples or self.static:
            groups.append(sample)
            cases += samples
        for group, found in self._secret(has_samples=bool(groups)):
            groups.append(group)
            cases += self._with_points(group, found)
        if not cases or not any(group.name != SAMPLE for group in groups):
            raise invalid("data/secret holds no test case")
        return TestData(tuple(groups), tuple(cases), tuple(self.static))

    def _look_for_static(self, group: Group, *directories: PurePosixPath) -> None:
        for at in directories:
            found = read_static_case(self._settings(at), at, group, scoring=self.scoring)
            if found is not None:
                self.static.append(found)

    def _is_tested(self, group: Group, cases: tuple[Case, ...]) -> bool:
        return bool(cases) or any(case.group == group.name for case in self.static)

    def _with_points(self, group: Group, cases: tuple[Case, ...]) -> list[Case]:
        if group.scoring is not GroupScoring.SUM or group.unbounded or not cases:
            return list(cases)
        of_static = sum((case.points for case in self.static if case.group == group.name), Decimal(0))
        return [
            replace(case, points=points)
            for case, points in zip(cases, split_points(group.points - of_static, len(cases)), strict=True)
        ]

    def _secret(self, *, has_samples: bool) -> Iterator[tuple[Group, tuple[Case, ...]]]:
        top = DATA / SECRET
        settings = self._settings(top)
        directories = self._group_directories(top)
        if not self.scoring:
            yield self._pass_fail(settings, directories, has_samples=has_samples)
            return
        whole = _Scoring.of(settings, FULL_SCORE, GroupScoring.SUM)
        if not directories or whole.aggregation is GroupScoring.PASS_FAIL:
            cases = self._all_cases(top, settings, directories)
            group = whole.group(SECRET)
            self._look_for_static(group, top, *directories)
            if self._is_tested(group, cases):
                yield group, cases
            return
        if whole.aggregation is GroupScoring.MIN:
            yield self._folded(whole, settings, directories)
            return
        yield from self._groups(whole, settings, directories)

    def _groups(
        self, whole: "_Scoring", settings: Section, directories: list[PurePosixPath]
    ) -> Iterator[tuple[Group, tuple[Case, ...]]]:
        total = Decimal(0)
        if settings.has(KEYS[0]):
            raise invalid(f"{settings.where}: {KEYS[0]} belongs into a group, where there are groups")
        for at in directories:
            own = self._settings(at)
            scoring = _Scoring.of(own, None, GroupScoring.PASS_FAIL)
            name = str(at.relative_to(DATA))
            group = scoring.group(name, first=whole.depends_on)
            if group.unbounded and whole.points is not None:
                raise invalid(f"{own.where}: max_score is missing")
            total += group.points
            cases = tuple(self._cases(at, (own, settings), name))
            self._look_for_static(group, at)
            if not self._is_tested(group, cases):
                raise invalid(f"{at} holds no test case")
            yield group, cases
        if whole.points is not None and total > whole.points:
            raise invalid(f"the groups are worth {total} points, and secret at most {whole.points}")

    def _folded(
        self, whole: "_Scoring", settings: Section, directories: list[PurePosixPath]
    ) -> tuple[Group, tuple[Case, ...]]:
        """The least of several all-or-nothing groups is one all-or-nothing group."""
        worth = []
        for at in directories:
            own = _Scoring.of(self._settings(at), None, GroupScoring.PASS_FAIL)
            if own.aggregation is not GroupScoring.PASS_FAIL or own.points is None:
                raise invalid("the least of groups that score partially cannot be judged here")
            worth.append(own.points)
        group = replace(whole.group(SECRET), points=min(worth), scoring=GroupScoring.PASS_FAIL)
        self._look_for_static(group, DATA / SECRET, *directories)
        return group, self._all_cases(DATA / SECRET, settings, directories)

    def _pass_fail(
        self, settings: Section, directories: list[PurePosixPath], *, has_samples: bool
    ) -> tuple[Group, tuple[Case, ...]]:
        for at in (DATA / SECRET, *directories):
            for key in ("max_score", "score_aggregation", "require_pass"):
                if self._settings(at).has(key):
                    raise invalid(f"{at / SETTINGS}: {key} is only for scoring problems")
        depends = (SAMPLE,) if has_samples else ()
        group = Group(name=SECRET, points=FULL_SCORE, depends_on=depends)
        cases = self._all_cases(DATA / SECRET, settings, directories)
        self._look_for_static(group, DATA / SECRET, *directories)
        if not self._is_tested(group, cases):
            raise invalid("data/secret holds no test case")
        return group, cases

    def _all_cases(
        self, top: PurePosixPath, settings: Section, directories: list[PurePosixPath]
    ) -> tuple[Case, ...]:
        if not directories:
            return tuple(self._cases(top, (settings,), SECRET))
        return tuple(
            case for at in directories for case in self._cases(at, (self._settings(at), settings), SECRET)
        )

    def _look_at_root(self) -> None:
        """Drafts of the format, and BAPCtools, let data/ itself have settings that everything inherits."""
        if not self.reading.tree.has(DATA / SETTINGS):
            return
        self.reading.warn(
            f"{DATA / SETTINGS} is no part of 2025-09: its arguments hold for all cases; write them to "
            "data/sample and data/secret"
        )
        for key in ("max_score", "score_aggregation", "require_pass", *KEYS):
            if self.root.has(key):
                raise invalid(f"{self.root.where}: {key} belongs into data/secret/{SETTINGS}")

    def _cases(self, directory: PurePosixPath, settings: tuple[Section, ...], group: str) -> Iterator[Case]:
        for files in find_cases(
            self.reading, self.reading.tree.below(directory), interactive=self.interactive
        ):
            yield self._case(files, settings, group)

    def _case(self, files: CaseFiles, settings: tuple[Section, ...], group: str) -> Case:
        own = self.reading.yaml(beside(files.stem, ".yaml"))
        found = case_settings((own, *settings, self.root), sample=group == SAMPLE)
        self.reading.warn_unknown(own)
        return Case(
            name=files.name,
            group=group,
            input=files.input,
            answer=files.answer,
            is_sample=group == SAMPLE,
            arguments=found.arguments,
            files=files.files,
            output_validator_args=found.output_validator_args,
            input_validator_args=found.input_validator_args,
            description=found.description,
            hint=found.hint,
            illustration=files.illustration,
            full_feedback=found.full_feedback,
        )

    def _group_directories(self, top: PurePosixPath) -> list[PurePosixPath]:
        """A directory with settings of its own is a group; without any, directories only sort the cases."""
        tree = self.reading.tree
        for file in tree.below(top):
            if file.name == SETTINGS and len(file.parts) > len(top.parts) + _GROUP_DEPTH:
                raise invalid(f"{file}: a group is a directory of data/secret, and has no groups of its own")
        groups = [at for at in tree.entries(top) if tree.has(at / SETTINGS)]
        inside = {group.parts for group in groups}
        for file in tree.below(top) if groups else ():
            if file.suffix == ".in" and file.parts[: len(top.parts) + 1] not in inside:
                raise invalid(
                    f"data/secret has groups, such as {groups[0].name}, and {file} is in none of them: "
                    f"put it into a directory with a {SETTINGS}"
                )
        return groups

    def _settings(self, directory: PurePosixPath) -> Section:
        return self.reading.yaml(directory / SETTINGS)


@dataclass(frozen=True, slots=True)
class _Scoring:
    points: Decimal | None
    """None: unbounded."""
    aggregation: GroupScoring
    depends_on: tuple[str, ...]

    @classmethod
    def of(cls, section: Section, points: Decimal | None, aggregation: GroupScoring) -> "_Scoring":
        chosen = section.choice("score_aggregation", _AGGREGATIONS, aggregation)
        if section.text("max_score") == "unbounded":
            points = None
        elif section.has("max_score"):
            points = section.decimal("max_score")
        if points is not None and (points < 0 or points != int(points)):
            raise invalid(f"{section.where}: max_score must be a whole number that is not negative")
        return cls(points, GroupScoring(chosen), section.texts("require_pass"))

    def group(self, name: str, first: tuple[str, ...] = ()) -> Group:
        if self.points is None and self.aggregation is GroupScoring.PASS_FAIL:
            raise invalid(f"data/{name}/{SETTINGS}: max_score is missing")
        return Group(
            name=name,
            points=self.points or Decimal(0),
            scoring=self.aggregation,
            depends_on=tuple(dict.fromkeys((*first, *self.depends_on))),
            unbounded=self.points is None,
        )


def read_data(reading: Reading, *, scoring: bool, interactive: bool) -> TestData:
    data = _Data(reading, scoring=scoring, interactive=interactive).read()
    _check_dependencies(data.groups)
    return data


def _check_dependencies(groups: tuple[Group, ...]) -> None:
    earlier: dict[str, Group] = {}
    for group in groups:
        for name in group.depends_on:
            if name not in earlier:
                raise invalid(f"data/{group.name} requires {name}, which is no earlier group")
            if earlier[name].scoring is not GroupScoring.PASS_FAIL:
                raise invalid(f"data/{group.name} requires {name}, which is not pass-fail")
        earlier[group.name] = group
