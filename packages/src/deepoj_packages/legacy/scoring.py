"""From the grading tree of a legacy scoring problem to groups that stand side by side.

Only what comes to exactly the same score is taken; everything else is refused with its reason.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from deepoj_packages.legacy.groups import DataGroup, GroupSettings
from deepoj_packages.legacy.problem import Validation
from deepoj_packages.options import Dialect
from deepoj_packages.refusal import unsupported
from deepoj_packages.shared.cases import DATA
from deepoj_packages.shared.points import divided, exact_points, plain, split_points
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Bundle, Case, Group, GroupScoring

MakeCase = Callable[[DataGroup, str], tuple[Case, ...]]
_GATHER: Final[Mapping[GroupScoring, Callable[[Sequence[Decimal]], Decimal]]] = {
    GroupScoring.MIN: min,
    GroupScoring.MAX: max,
}


@dataclass(frozen=True, slots=True)
class Scored:
    group: Group
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class ScoreTree:
    """Groups in the order they are judged in, and what is made of their scores."""

    leaves: tuple[Scored, ...]
    bundles: tuple[Bundle, ...] = ()

    @property
    def units(self) -> tuple[Group | Bundle, ...]:
        """What is in no bundle: their scores are added up."""
        bundled = {part for bundle in self.bundles for part in bundle.parts}
        every: tuple[Group | Bundle, ...] = (*(leaf.group for leaf in self.leaves), *self.bundles)
        return tuple(each for each in every if each.name not in bundled)

    @property
    def points(self) -> Decimal:
        return sum((unit.points for unit in self.units), Decimal(0))

    @classmethod
    def joined(cls, trees: Sequence["ScoreTree"]) -> "ScoreTree":
        leaves = (leaf for tree in trees for leaf in tree.leaves)
        return cls(tuple(leaves), tuple(bundle for tree in trees for bundle in tree.bundles))


@dataclass(frozen=True, slots=True)
class ScoreReader:
    reading: Reading
    make_cases: MakeCase
    validation: Validation

    def flatten(self, node: DataGroup) -> ScoreTree:
        if not node.groups:
            return ScoreTree((self._leaf(node),))
        settings = node.settings
        if settings.grader_args is not None:
            return self.graded(node, [self.flatten(child) for child in node.groups])
        own = [ScoreTree((self._leaf(replace(node, groups=())),))] if node.cases else []
        trees = [*own, *map(self.flatten, node.groups)]
        whole = ScoreTree.joined(trees)
        match settings.mode:
            case "sum":
                return whole
            case "min" if not whole.bundles and all(
                leaf.group.scoring is GroupScoring.PASS_FAIL for leaf in whole.leaves
            ):
                return ScoreTree((self._least(node, whole.leaves),))
            case "min" | "max" as mode:
                return self._gathered(node, trees, GroupScoring(mode))
            case "avg" if not node.cases and not whole.bundles:
                return ScoreTree(tuple(self._average(node, whole.leaves)))
            case mode:
                raise unsupported(f"{settings.where}: the {mode} of several groups cannot be judged here")

    def graded(self, node: DataGroup, trees: Sequence[ScoreTree]) -> ScoreTree:
        """Let the grader of the package make one score of several."""
        settings = node.settings
        if node.cases:
            raise unsupported(f"{settings.where}: a grader of cases beside groups cannot be asked here")
        for child in node.groups:
            self._refuse_lenient(child)
        return self._bundled(node, trees, GroupScoring.GRADED)

    def _refuse_lenient(self, node: DataGroup) -> None:
        if node.settings.always_accept or node.settings.any_accepted:
            raise unsupported(
                f"{node.settings.where}: a grader cannot be told of groups that are accepted with wrong cases"
            )
        for child in node.groups:
            self._refuse_lenient(child)

    def _gathered(self, node: DataGroup, trees: Sequence[ScoreTree], scoring: GroupScoring) -> ScoreTree:
        return self._bundled(node, [self._as_one(tree) for tree in trees], scoring)

    def _as_one(self, tree: ScoreTree) -> ScoreTree:
        """A sum inside: its groups are one score for what is around them."""
        units = tree.units
        if len(units) == 1:
            return tree
        together = Bundle(
            name=f"{units[0].name} and {len(units) - 1} more",
            parts=tuple(unit.name for unit in units),
            scoring=GroupScoring.SUM,
            points=plain(tree.points),
            unbounded=any(unit.unbounded for unit in units),
        )
        return ScoreTree(tree.leaves, (*tree.bundles, together))

    def _bundled(self, node: DataGroup, trees: Sequence[ScoreTree], scoring: GroupScoring) -> ScoreTree:
        whole = ScoreTree.joined([self._as_one(tree) for tree in trees])
        settings, units = node.settings, whole.units
        points = [unit.points for unit in units]
        is_graded = scoring is GroupScoring.GRADED
        most = settings.greatest or Decimal(0) if is_graded else _GATHER[scoring](points)
        name = _name(node)
        bundle = Bundle(
            name=name if name not in {leaf.group.name for leaf in whole.leaves} else f"{name} as a whole",
            parts=tuple(unit.name for unit in units),
            scoring=scoring,
            points=exact_points(most, f"{settings.where}: range"),
            unbounded=settings.greatest is None if is_graded else any(unit.unbounded for unit in units),
            breaks_on_reject=settings.breaks,
            grader_args=settings.grader_args or (),
        )
        return ScoreTree(whole.leaves, (*whole.bundles, bundle))

    def all_or_nothing(self, node: DataGroup, parts: Sequence[Scored], total: Decimal) -> Scored:
        """One group for all: whoever fails one case has no score."""
        name = _name(node)
        cases = tuple(
            replace(case, group=name, points=Decimal(0), reject_points=Decimal(0))
            for part in parts
            for case in part.cases
        )
        return Scored(Group(name=name, points=plain(total)), cases)

    def _least(self, node: DataGroup, parts: Sequence[Scored]) -> Scored:
        return self.all_or_nothing(node, parts, min(part.group.points for part in parts))

    def _average(self, node: DataGroup, parts: Sequence[Scored]) -> list[Scored]:
        """Each group keeps its share of the points, to the millionth and so that nothing is lost in all."""
        if any(part.group.unbounded for part in parts) or self.validation.scores:
            raise unsupported(
                f"{node.settings.where}: the average of scores that a validator gives cannot be judged here"
            )
        shares = Shares(len(node.groups))
        return [shares.of(part) for part in parts]

    def _leaf(self, node: DataGroup) -> Scored:
        cases = self.make_cases(node, _name(node))
        if node.settings.grader_args is not None:
            return self._graded_leaf(node, cases, node.settings.grader_args)
        if self.validation.scores and not self._is_worth_a_score(node):
            return self._scored_by_validator(node, cases)
        if self.reading.options.dialect is Dialect.DOMJUDGE:
            return self._domjudge(node, cases)
        return self._kattis(node, cases)

    def _graded_leaf(self, node: DataGroup, cases: tuple[Case, ...], args: tuple[str, ...]) -> Scored:
        """The grader is told what each case earned: its points, or those that a validator gave."""
        settings = node.settings
        accept = settings.accept_score if settings.accept_score is not None else Decimal(1)
        accept = exact_points(accept, f"{settings.where}: accept_score")
        reject = exact_points(settings.reject_score, f"{settings.where}: reject_score")
        group = Group(
            name=_name(node),
            points=exact_points(settings.greatest or Decimal(0), f"{settings.where}: range"),
            scoring=GroupScoring.GRADED,
            breaks_on_reject=settings.breaks,
            unbounded=settings.greatest is None or self.validation.scores,
            grader_args=args,
        )
        return Scored(group, tuple(replace(case, points=accept, reject_points=reject) for case in cases))

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
