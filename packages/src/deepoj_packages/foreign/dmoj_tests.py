"""Test cases and batches of a DMOJ problem, as init.yml lists them or as the names in its archive tell."""

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.foreign.dmoj_files import DmojFiles
from deepoj_packages.foreign.dmoj_nodes import Node
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.patterns import Match, matches
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid, unsupported
from deepoj_packages.shared.points import exact_points
from deepoj_packages.spec import SECRET, Case, Group, GroupScoring, Recipe
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import decimal_of

_DATA = PurePosixPath("data")
_NOTHING = Decimal(0)
_INPUTS = r"^(?=.*?\.in|in).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$"
_OUTPUTS = r"^(?=.*?\.out|out).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$"
_LONGEST_NUMBER = 30


@dataclass(slots=True)
class _Test:
    node: Node
    given: str = ""
    answer: str = ""


@dataclass(slots=True)
class _Batch:
    """`number` is 0 for a case that stands alone."""

    number: int
    points: Decimal
    needs: tuple[str, ...] = ()
    tests: list[_Test] = field(default_factory=list)
    gates: bool = False
    """Where it fails nothing after it is judged: it is worth nothing itself."""


class DmojTests:
    def __init__(self, tree: Tree, archive: Tree | None, draft: Draft, root: Node) -> None:
        self._archive = archive
        self._draft = draft
        self._root = root
        binary = root.own.flag("binary_data", default=False)
        self._files = DmojFiles(tree, archive, draft, binary=binary)
        self._interactive = root.own.has("interactive")
        self.nodes: list[Node] = []

    def read(self) -> tuple[Group, ...]:
        """Add the cases to the draft, and return their groups."""
        batches = self._batches()
        if sum((batch.points for batch in batches), _NOTHING) == 0:
            raise invalid(f"{self._root.own.where}: no test case is worth points")
        names = {batch.number: f"{SECRET}/batch{batch.number}" for batch in batches if batch.number}
        groups: list[Group] = []
        gates: list[str] = []
        for at, batch in enumerate(batches, start=1):
            name = names[batch.number] if batch.number else self._name_of_cases(batches, at)
            earlier = {group.name for group in groups}
            needs = [names.get(_number(need), "") for need in batch.needs]
            if any(need not in earlier for need in needs):
                raise invalid(
                    f"{batch.tests[0].node.own.where}: dependencies name batches that are not earlier"
                )
            if groups and groups[-1].name == name:
                groups[-1] = self._joined(groups[-1], batch)
                continue
            groups.append(self._group(batch, name, (*gates, *needs)))
            if batch.gates:
                gates.append(name)
        self._files.warn()
        return tuple(groups)

    def recipes(self) -> tuple[Recipe, ...]:
        return tuple(self._files.recipes)

    def _name_of_cases(self, batches: list[_Batch], at: int) -> str:
        """Cases in a row share a group; one that is a gate has its own."""
        if all(not batch.number and not batch.gates for batch in batches):
            return SECRET
        if batches[at - 1].gates:
            return f"{SECRET}/gate{at}"
        while at > 1 and not batches[at - 2].number and not batches[at - 2].gates:
            at -= 1
        return f"{SECRET}/cases{at}"

    def _group(self, batch: _Batch, name: str, needs: tuple[str, ...]) -> Group:
        whole = bool(batch.number) or batch.gates
        for test in batch.tests:
            self._add(test, name, _NOTHING if whole else batch.points)
        return Group(
            name=name,
            points=batch.points,
            scoring=GroupScoring.MIN if whole else GroupScoring.SUM,
            depends_on=tuple(dict.fromkeys(needs)),
            breaks_on_reject=whole,
        )

    def _joined(self, group: Group, batch: _Batch) -> Group:
        for test in batch.tests:
            self._add(test, group.name, batch.points)
        return Group(
            name=group.name,
            points=group.points + batch.points,
            scoring=group.scoring,
            depends_on=group.depends_on,
        )

    def _batches(self) -> list[_Batch]:
        first = self._root.below("pretest_test_cases")
        listed = self._root.below("test_cases")
        if not listed:
            if first:
                raise unsupported(f"{self._root.own.where}: pretest_test_cases without a list of test_cases")
            return self._found()
        count = 0
        batches = []
        for at, node in enumerate((*first, *listed)):
            inside = node.below("batched")
            count += bool(inside)
            points = _NOTHING if at < len(first) else node.points()
            needs = node.own.texts("dependencies") if inside else ()
            tests = [_Test(each, each.text("in"), each.text("out")) for each in (inside or [node])]
            batches.append(_Batch(count if inside else 0, points, needs, tests, gates=not points))
        return batches

    def _found(self) -> list[_Batch]:
        """By two patterns over the names in the archive."""
        if self._archive is None:
            raise invalid(f"{self._root.own.where}: without an archive test_cases must be a list")
        names = [str(file) for file in self._archive.files]
        about = self._root.own.section("test_cases")
        tests: dict[str, dict[str, _Test]] = {}
        batched: set[str] = set()
        for key, usual in (("input_format", _INPUTS), ("output_format", _OUTPUTS)):
            for match in matches(about.text(key, usual), names, f"{about.where}: {key}"):
                batch, case = _position(match, about.where)
                batched |= {batch} if match.batch is not None else set()
                test = tests.setdefault(batch, {}).setdefault(case, _Test(self._root))
                if key == "input_format":
                    test.given = match.name
                else:
                    test.answer = match.name
        order = sorted(tests, key=_key)
        points = self._points_found(len(order))
        numbers = {name: at for at, name in enumerate((name for name in order if name in batched), start=1)}
        return [
            _Batch(numbers.get(name, 0), worth, tests=_in_order(tests[name]), gates=not worth)
            for name, worth in zip(order, points, strict=True)
        ]

    def _points_found(self, count: int) -> list[Decimal]:
        about = self._root.own.section("test_cases")
        where = f"{about.where}: case_points"
        given = [exact_points(decimal_of(each, where), where) for each in about.texts("case_points")]
        if given and len(given) < count:
            raise invalid(f"{where} has {len(given)} values for {count} cases and batches")
        return given[:count] if given else [self._root.points()] * count

    def _add(self, test: _Test, group: str, points: Decimal) -> None:
        number = len(self._draft.cases) + 1
        if number > self._draft.limits.files:
            raise PackageRefusedError(
                Reason.TOO_LARGE, f"{self._root.own.where} has more than {self._draft.limits.files} cases"
            )
        if test.given and any(test.node.own.has(key) for key in ("generator_args", "generator_in")):
            raise invalid(f"{test.node.own.where}: case {number} has an input and arguments for a generator")
        self.nodes.append(test.node)
        name = f"{group}/{number:03}"
        given, answer = _DATA / f"{name}.in", _DATA / f"{name}.ans"
        made = self._files.generator(test.node) if not (test.given and test.answer) else None
        case = Case(
            name=name,
            group=group,
            input=self._files.file(test.node, "in", test.given, given, made),
            answer=None
            if self._interactive and not test.answer and made is None
            else self._files.file(test.node, "out", test.answer, answer, made),
            points=points,
        )
        self._draft.cases.append(case)


def _position(match: Match, where: str) -> tuple[str, str]:
    if match.case is None:
        raise invalid(f"{where}: the pattern finds no case in {match.name[:80]!r}")
    case = _plain(match.case)
    return (case if match.batch is None else _plain(match.batch)), case


def _in_order(tests: dict[str, _Test]) -> list[_Test]:
    return [tests[case] for case in sorted(tests, key=_key)]


def _plain(text: str) -> str:
    return str(int(text)) if text.isdecimal() and len(text) <= _LONGEST_NUMBER else text


def _key(text: str) -> tuple[bool, int, str]:
    """Words first, then numbers by value."""
    is_number = text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return is_number, int(text) if is_number else 0, text


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= _LONGEST_NUMBER else 0
