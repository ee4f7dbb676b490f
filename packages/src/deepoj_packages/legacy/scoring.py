"""From the grading tree of a legacy scoring problem to groups that stand side by side.

Only what comes to exactly the same score is taken; everything else is refused with its reason.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from deepoj_packages.legacy.groups import DataGroup, GroupSettings
from deepoj_packages.legacy.problem import Validation
from deepoj_packages.options import Dialect
from deepoj_packages.refusal import unsupported
from deepoj_packages.shared.cases import DATA
from deepoj_packages.shared.points import exact_points, plain, split_points
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Case, Group, GroupScoring

MakeCase = Callable[[DataGroup, str], tuple[Case, ...]]


@dataclass(frozen=True, slots=True)
class Scored:
    group: Group
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class ScoreReader:
    reading: Reading
    make_cases: MakeCase
    validation: Validation

    def flatten(self, node: DataGroup) -> list[Scored]:
        if not node.groups:
            return [self._leaf(node)]
        parts = [self._leaf(replace(node, groups=()))] if node.cases else []
        for child in node.groups:
            parts += self.flatten(child)
        match node.settings.mode:
            case "sum":
                return parts
            case "min":
                return [self._least(node, parts)]
            case mode:
                raise unsupported(
                    f"{node.settings.where}: the {mode} of several groups cannot be judged here"
                )

    def all_or_nothing(self, node: DataGroup, parts: list[Scored]) -> Scored:
        """One group for all: whoever fails one case has no score."""
        name = _name(node)
        total = sum((part.group.points for part in parts), Decimal(0))
        cases = tuple(
            replace(case, group=name, points=Decimal(0), reject_points=Decimal(0))
            for part in parts
            for case in part.cases
        )
        return Scored(Group(name=name, points=plain(total)), cases)

    def _least(self, node: DataGroup, parts: list[Scored]) -> Scored:
        if any(part.group.scoring is not GroupScoring.PASS_FAIL for part in parts):
            raise unsupported(
                f"{node.settings.where}: the least of groups that score partially cannot be judged here"
            )
        least = min(part.group.points for part in parts)
        folded = self.all_or_nothing(node, parts)
        return replace(folded, group=replace(folded.group, points=least))

    def _leaf(self, node: DataGroup) -> Scored:
        cases = self.make_cases(node, _name(node))
        if self.validation.scores and not self._is_worth_a_score(node):
            return self._scored_by_validator(node, cases)
        if self.reading.options.dialect is Dialect.DOMJUDGE:
            return self._domjudge(node, cases)
        return self._kattis(node, cases)

    def _is_worth_a_score(self, node: DataGroup) -> bool:
        """DOMjudge's validators may score without saying so; a group with an accept_score can do without."""
        settings = node.settings
        if self.reading.options.dialect is not Dialect.DOMJUDGE or settings.accept_score is None:
            return False
        self.reading.warn(f"{settings.where}: accept_score decides, and no score.txt is read for {node.path}")
        return True

    def _domjudge(self, node: DataGroup, cases: tuple[Case, ...]) -> Scored:
        """`accept_score` is the score of the whole group, given when every case is right."""
        settings = node.settings
        if settings.accept_score is None and node.path != DATA / "sample":
            self.reading.warn(
                f"{node.path} has no accept_score, so it is worth nothing in DOMjudge's reading"
            )
        points = exact_points(settings.accept_score or Decimal(0), f"{settings.where}: accept_score")
        return Scored(Group(name=_name(node), points=points), cases)

    def _kattis(self, node: DataGroup, cases: tuple[Case, ...]) -> Scored:
        """`accept_score` is the score of each case; the group's mode puts them together."""
        settings, name = node.settings, _name(node)
        accept = settings.accept_score if settings.accept_score is not None else Decimal(1)
        accept = exact_points(accept, f"{settings.where}: accept_score")
        reject = exact_points(settings.reject_score, f"{settings.where}: reject_score")
        self._warn_about_range(settings, accept, len(cases))
        if settings.mode == "min" and not reject:
            return Scored(Group(name=name, points=accept), cases)
        scoring, points = self._mode(settings, accept, len(cases))
        group = Group(
            name=name,
            points=plain(sum(points, Decimal(0))) if scoring is GroupScoring.SUM else accept,
            scoring=scoring,
            breaks_on_reject=settings.breaks,
        )
        own = points if scoring is GroupScoring.SUM else (Decimal(0),) * len(cases)
        scored = tuple(
            replace(case, points=each, reject_points=reject) for case, each in zip(cases, own, strict=True)
        )
        return Scored(group, scored)

    def _mode(
        self, settings: GroupSettings, accept: Decimal, count: int
    ) -> tuple[GroupScoring, tuple[Decimal, ...]]:
        match settings.mode:
            case "min":
                return GroupScoring.MIN, ()
            case "avg":
                return GroupScoring.SUM, split_points(accept, count)
            case "max" if count > 1:
                raise unsupported(f"{settings.where}: the max of several cases cannot be judged here")
            case _:
                return GroupScoring.SUM, (accept,) * count

    def _scored_by_validator(self, node: DataGroup, cases: tuple[Case, ...]) -> Scored:
        """The validator gives points itself; the range says how many there can be."""
        settings, name = node.settings, _name(node)
        if settings.mode not in {"sum", "min"}:
            raise unsupported(f"{settings.where}: the {settings.mode} of scores cannot be judged here")
        scoring = GroupScoring.MIN if settings.mode == "min" else GroupScoring.SUM
        if settings.greatest is None:
            group = Group(
                name=name,
                points=Decimal(0),
                scoring=scoring,
                unbounded=True,
                breaks_on_reject=settings.breaks,
            )
            return Scored(group, cases)
        points = exact_points(settings.greatest, f"{settings.where}: range")
        group = Group(name=name, points=points, scoring=scoring, breaks_on_reject=settings.breaks)
        if scoring is GroupScoring.MIN:
            return Scored(group, cases)
        parts = split_points(points, len(cases))
        return Scored(
            group, tuple(replace(case, points=each) for case, each in zip(cases, parts, strict=True))
        )

    def _warn_about_range(self, settings: GroupSettings, accept: Decimal, count: int) -> None:
        reachable = accept * count if settings.mode == "sum" else accept
        if settings.greatest is not None and settings.greatest < reachable:
            self.reading.warn(
                f"{settings.where}: its cases give up to {reachable}, above its range of {settings.greatest}"
            )


def _name(node: DataGroup) -> str:
    return str(node.path.relative_to(DATA)) if node.path != DATA else "data"
