"""data/ of the legacy format: the tree of groups, judged as pass-fail or by its scores."""

from dataclasses import dataclass, replace
from decimal import Decimal

from deepoj_packages.legacy.groups import SETTINGS, DataGroup, GroupSettings, read_group
from deepoj_packages.legacy.problem import Validation
from deepoj_packages.legacy.scoring import Scored, ScoreReader, ScoreTree
from deepoj_packages.options import Dialect
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.cases import DATA, CaseFiles, beside
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import FULL_SCORE, SAMPLE, SECRET, Bundle, Case, Group
from deepoj_packages.yamls import Section


@dataclass(frozen=True, slots=True)
class TestData:
    groups: tuple[Group, ...]
    cases: tuple[Case, ...]
    runs_all: bool
    bundles: tuple[Bundle, ...] = ()


def read_data(reading: Reading, validation: Validation, *, scoring: bool) -> TestData:
    return _Data(reading, validation, scoring=scoring).read()


class _Data:
    def __init__(self, reading: Reading, validation: Validation, *, scoring: bool) -> None:
        self.reading = reading
        self.validation = validation
        self.scoring = scoring

    def read(self) -> TestData:
        root = read_group(
            self.reading, DATA, Section(str(DATA / SETTINGS)), interactive=self.validation.interactive
        )
        by_name = {group.path.name: group for group in root.groups}
        if root.cases or not set(by_name) <= {SAMPLE, SECRET}:
            raise invalid("data/ may hold the directories sample and secret only")
        secret, sample = by_name.get(SECRET), by_name.get(SAMPLE)
        if secret is None:
            raise invalid("data/secret holds no test case")
        # Where samples are ignored they are shown and not judged.
        judged_sample = None if root.settings.ignore_sample else sample
        tree = (
            self._scored(root, secret, judged_sample)
            if self.scoring
            else ScoreTree(tuple(self._passed(root, secret, judged_sample)))
        )
        return TestData(
            groups=tuple(leaf.group for leaf in tree.leaves),
            cases=tuple(case for leaf in tree.leaves for case in leaf.cases),
            runs_all=not secret.settings.breaks,
            bundles=tree.bundles,
        )

    def _passed(self, root: DataGroup, secret: DataGroup, sample: DataGroup | None) -> list[Scored]:
        for node in (root, secret, *([sample] if sample else [])):
            self._refuse_lenient(node)
        parts = []
        if sample:
            parts.append(Scored(Group(name=SAMPLE, points=Decimal(0)), self._cases(sample, SAMPLE)))
        depends = (SAMPLE,) if sample else ()
        group = Group(name=SECRET, points=FULL_SCORE, depends_on=depends)
        return [*parts, Scored(group, self._cases(secret, SECRET))]

    def _refuse_lenient(self, node: DataGroup) -> None:
        if node.settings.grader_args is not None:
            raise invalid(f"{node.settings.where}: only a scoring problem has a grader")
        if node.settings.always_accept or node.settings.any_accepted:
            raise unsupported(
                f"{node.settings.where}: a pass-fail problem that accepts wrong cases cannot be judged here"
            )
        for group in node.groups:
            self._refuse_lenient(group)

    def _scored(self, root: DataGroup, secret: DataGroup, sample: DataGroup | None) -> ScoreTree:
        reader = ScoreReader(self.reading, self._cases, self.validation)
        tree = reader.flatten(secret)
        if root.settings.grader_args is not None:
            shown = [reader.flatten(sample)] if sample else []
            return reader.graded(root, [*shown, tree])
        graded = secret.settings.grader_args is not None
        if self._fails_as_a_whole(root, secret) and len(tree.leaves) > 1 and not graded:
            self.reading.warn(
                f"{secret.settings.where}: without always_accept or accept_if_any_accepted one failed group "
                "costs the whole score in Kattis' reading, so all groups were made one"
            )
            tree = ScoreTree((reader.all_or_nothing(secret, tree.leaves, tree.points),))
        return ScoreTree.joined([self._shown(root, reader.flatten(sample), tree), tree]) if sample else tree

    def _shown(self, root: DataGroup, shown: ScoreTree, secret: ScoreTree) -> ScoreTree:
        """Samples count only where the package says that they do, and how much they are worth."""
        if not any(unit.points or unit.unbounded for unit in shown.units):
            return shown
        unbounded = any(unit.unbounded for unit in shown.units)
        total = shown.points + secret.points
        greatest = root.settings.greatest
        if unbounded or root.settings.mode != "sum" or (greatest is not None and total > greatest):
            if unbounded:
                self.reading.warn("data/sample has no greatest score, so its scores are not counted")
            return ScoreTree(tuple(_without_points(leaf) for leaf in shown.leaves))
        self.reading.warn("data/sample gives points: add ignore_sample to data/testdata.yaml to prevent it")
        return shown

    def _fails_as_a_whole(self, root: DataGroup, secret: DataGroup) -> bool:
        """DOMjudge adds up what was earned whatever the verdict."""
        if self.reading.options.dialect is Dialect.DOMJUDGE:
            return False
        return not any(
            settings.always_accept or settings.any_accepted for settings in (root.settings, secret.settings)
        )

    def _cases(self, node: DataGroup, group: str) -> tuple[Case, ...]:
        return tuple(self._case(files, settings, group) for files, settings in node.all_cases())

    def _case(self, files: CaseFiles, settings: GroupSettings, group: str) -> Case:
        sample = files.stem.parts[1] == SAMPLE
        return Case(
            name=files.name,
            group=group,
            input=files.input,
            answer=files.answer,
            is_sample=sample,
            files=files.files,
            output_validator_args=(*self.validation.flags, *settings.output_flags),
            input_validator_args=settings.input_args,
            description=self._note(files, ".desc"),
            hint=self._note(files, ".hint"),
            illustration=files.illustration,
            full_feedback=sample,
        )

    def _note(self, files: CaseFiles, ending: str) -> str:
        file = beside(files.stem, ending)
        return self.reading.tree.text(file).strip() if self.reading.tree.has(file) else ""


def _without_points(part: Scored) -> Scored:
    group = Group(name=part.group.name, points=Decimal(0))
    cases = (replace(case, points=Decimal(0), reject_points=Decimal(0)) for case in part.cases)
    return Scored(group, tuple(cases))
