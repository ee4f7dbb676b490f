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
from deepoj_packages.shared.points import divided, exact_points, plain, split_points
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
            case "avg" if not node.cases:
                return self._average(node, parts)
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

    def _average(self, node: DataGroup, parts: list[Scored]) -> list[Scored]:
        """Each group keeps its share of the points, to the millionth and so that nothing is lost in all."""
        if any(part.group.unbounded for part in parts) or self.validation.scores:
            raise unsupported(
                f"{node.settings.where}: the average of scores that a validator gives cannot be judged here"
            )
        shares = Shares(len(node.groups))
        return [shares.of(part) for part in parts]

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
            case "max":
                return GroupScoring.MAX, ()
            case _:
                return GroupScoring.SUM, (accept,) * count

    def _scored_by_validator(self, node: DataGroup, cases: tuple[Case, ...]) -> Scored:
        """The validator gives points itself; the range says how many there can be."""
        settings, name = node.settings, _name(node)
        if settings.mode == "avg":
            raise unsupported(f"{settings.where}: the avg of scores cannot be judged here")
        scoring = GroupScoring(settings.mode)
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
        if scoring is not GroupScoring.SUM:
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


class Shares:
    """Points divided by one number, one after the other: each is rounded so that their sum stays right."""

    def __init__(self, divisor: int) -> None:
        self._divisor = divisor
        self._whole = self._given = Decimal(0)

    def of(self, part: Scored) -> Scored:
        reject = [divided(case.reject_points, self._divisor) for case in part.cases]
        if part.group.scoring is not GroupScoring.SUM:
            group = replace(part.group, points=self._next(part.group.points))
            own = (Decimal(0),) * len(part.cases)
        else:
            own = tuple(self._next(case.points) for case in part.cases)
            group = replace(part.group, points=plain(sum(own, Decimal(0))))
        cases = (
            replace(case, points=points, reject_points=least)
            for case, points, least in zip(part.cases, own, reject, strict=True)
        )
        return Scored(group, tuple(cases))

    def _next(self, points: Decimal) -> Decimal:
        self._whole += points
        share = divided(self._whole, self._divisor) - self._given
        self._given += share
        return plain(share)


def _name(node: DataGroup) -> str:
    return str(node.path.relative_to(DATA)) if node.path != DATA else "data"
