"""A package with the test data that generators.yaml describes: what is no text there gets a recipe."""

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from deepoj_packages.generated.rules import Fill, Rule, read_rules
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.cases import DATA, beside
from deepoj_packages.shared.expectations import SUBMISSIONS
from deepoj_packages.shared.overlay import share
from deepoj_packages.shared.programs import program_of, read_program
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import SECRET, Program, Recipe
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section

GENERATORS = PurePosixPath("generators")
RULES = GENERATORS / "generators.yaml"
# A sample may have only what is shown of it.
_SHOWN = frozenset({".in.statement", ".interaction"})
_WITHOUT_ANSWERS = frozenset({"invalid_input", "invalid_inputs"})


def describes_data(reading: Reading) -> bool:
    """Data that is there was generated already."""
    return reading.tree.has(RULES) and not any(
        file.suffix == ".in" for file in reading.tree.below(DATA / SECRET)
    )


def lay_out(reading: Reading, problem: Section, fill: Fill, into: Path) -> tuple[Reading, tuple[Recipe, ...]]:
    section = reading.yaml(RULES)
    rules = read_rules(section, reading.tree.limits.files, fill)
    words = (*problem.texts("type"), *problem.text("validation").split())
    layout = _Layout(reading, section.section("generators"), into, set(" ".join(words).split()))
    for file in reading.tree.files:
        share(reading.tree.path(file), layout.target(file))
    for settings, text in rules.settings:
        layout.write(settings, text)
    for rule in rules.cases:
        layout.add(rule)
    made = (*sorted(layout.inputs, key=lambda recipe: str(recipe.program.at)), *layout.answers)
    return Reading(Tree(into, reading.tree.limits), reading.options, reading.warnings), made


@dataclass(slots=True)
class _Layout:
    reading: Reading
    generators: Section
    into: Path
    types: set[str]
    inputs: list[Recipe] = field(default_factory=list)
    answers: list[Recipe] = field(default_factory=list)
    _programs: dict[str, Program] = field(default_factory=dict)

    def target(self, file: PurePosixPath) -> Path:
        path = self.into / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, file: PurePosixPath, text: str) -> None:
        """What the package has itself stays as it is."""
        target = self.target(file)
        if not target.exists():
            target.write_text(text, encoding="utf-8", newline="")

    def add(self, rule: Rule) -> None:
        for ending, text in rule.texts:
            self.write(beside(rule.at, ending), text)
        if rule.copied:
            self._copy(rule)
        given, answer = beside(rule.at, ".in"), beside(rule.at, ".ans")
        if not self.target(given).exists():
            if not rule.command and any(ending in _SHOWN for ending, _ in rule.texts):
                return
            self._generate(rule, given)
        if (
            self.target(answer).exists()
            or rule.at.parts[1] in _WITHOUT_ANSWERS
            or "interactive" in self.types
        ):
            return
        if "multi-pass" not in self.types:
            solution = self._solution(rule)
            self.answers.append(Recipe(file=answer, packed_as=answer, program=solution, input=given))
        self.write(answer, "")

    def _copy(self, rule: Rule) -> None:
        source = GENERATORS / rule.copied
        found = [
            file
            for file in self.reading.tree.entries(source.parent)
            if file.name.startswith(f"{source.name}.") and self.reading.tree.has(file)
        ]
        if not found:
            raise invalid(f"{RULES}: {rule.at} is a copy of {source}, which is not there")
        for file in found:
            target = self.target(beside(rule.at, file.name.removeprefix(source.name)))
            if not target.exists():
                share(self.reading.tree.path(file), target)

    def _generate(self, rule: Rule, given: PurePosixPath) -> None:
        if not rule.command:
            raise invalid(f"{RULES}: nothing says what the input of {rule.at} is")
        program = self._program(rule.command[0])
        recipe = Recipe(file=given, packed_as=given, program=program, arguments=rule.command[1:])
        self.inputs.append(recipe)
        self.write(given, "")

    def _program(self, name: str) -> Program:
        if name not in self._programs:
            self._programs[name] = self._read_program(name)
        return self._programs[name]

    def _read_program(self, name: str) -> Program:
        tree = self.reading.tree
        if self.generators.has(name):
            files = tuple(GENERATORS / file for file in self.generators.texts(name))
            if missing := [file for file in files if not tree.has(file)]:
                raise invalid(f"{RULES}: the generator {name} needs {missing[0]}, which is not there")
            return program_of(GENERATORS, files, entrypoint=files[0].stem)
        at = GENERATORS / name
        if not tree.has(at) and not tree.has_directory(at):
            raise invalid(f"{RULES}: there is no generator {name[:80]!r}")
        return read_program(self.reading, at)

    def _solution(self, rule: Rule) -> Program:
        name = rule.solution.lstrip("/") or self._first_accepted()
        if name not in self._programs:
            at = PurePosixPath(name)
            if not self.reading.tree.has(at) and not self.reading.tree.has_directory(at):
                raise invalid(f"{RULES}: the solution {name[:80]!r} is not there")
            self._programs[name] = read_program(self.reading, at)
        return self._programs[name]

    def _first_accepted(self) -> str:
        found = self.reading.tree.entries(SUBMISSIONS / "accepted")
        if not found:
            raise unsupported(
                f"{RULES}: answers need a solution, and there is none in {SUBMISSIONS}/accepted"
            )
        return str(found[0])
