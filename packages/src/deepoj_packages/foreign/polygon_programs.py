"""Programs of a Polygon package: checker, interactor, validators and generators."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign import testlib
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.line_ends import TextFiles
from deepoj_packages.foreign.numbered import NumberedFiles
from deepoj_packages.foreign.polygon_solutions import add_solutions
from deepoj_packages.foreign.polygon_sources import PolygonSources, language_of_type
from deepoj_packages.foreign.xml_tree import Element
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.own_checkers import comparison_of
from deepoj_packages.spec import (
    DefaultValidator,
    IncludedFiles,
    InputArgs,
    InvalidInput,
    OutputExample,
    OutputValidator,
    Program,
    Validator,
)
from deepoj_packages.tree import Tree

_DATA = PurePosixPath("data")


class PolygonPrograms:
    def __init__(self, tree: Tree, draft: Draft, problem: Element, files: TextFiles) -> None:
        self._sources = PolygonSources(tree, draft)
        self._tree = tree
        self._draft = draft
        self._problem = problem
        self._assets = problem.first("assets")
        self._texts = files
        self._flags: tuple[str, ...] = ()
        self._generators: dict[str, Program] = {}
        self.main = add_solutions(draft, self._sources, problem)

    def validator(self, *, scores: bool, passes: int) -> Validator:
        checker, interactor = self._assets.first("checker"), self._assets.first("interactor")
        interactive = bool(interactor.children)
        if passes > 1 and not interactive:
            raise unsupported(f"{interactor.where}: a run-count of {passes} needs an interactor between them")
        standard = checker.get("name").removeprefix("std::").removesuffix(".cpp")
        if standard in testlib.EXACT_CHECKERS and not interactive:
            return self._compared(DefaultValidator(), testlib.EXACT_CHECKERS[standard])
        own = None if interactive else comparison_of(self._tree.path(self._sources.path(checker)))
        if own is not None:
            return self._compared(*own)
        checks = OutputValidator(
            program=self._sources.program(
                checker, PurePosixPath("checker" if interactive else "output_validator")
            ),
            scores=scores,
            convention=Convention.TESTLIB,
        )
        if not interactive:
            return checks
        return OutputValidator(
            program=self._sources.program(interactor, PurePosixPath("output_validator")),
            interactive=True,
            scores=scores,
            convention=Convention.TESTLIB,
            checker=checks,
            passes=passes,
        )

    def _compared(self, validator: Validator, flags: tuple[str, ...]) -> Validator:
        self._flags = flags
        self._draft.cases[:] = [replace(case, output_validator_args=flags) for case in self._draft.cases]
        return validator

    def input_validators(self) -> tuple[Program, ...]:
        found = []
        for number, validator in enumerate(self._assets.all("validators", "validator"), start=1):
            source = self._sources.path(validator)
            if self._sources.language(validator) != "cpp":
                self._draft.warn(f"{source} is not run: of testlib's validators only those in C++ are")
                continue
            at = PurePosixPath("input_validators", f"{number}-{source.stem}")
            headers = [self._tree.path(header) for header in self._sources.headers()]
            found.append(testlib.input_validator(self._draft, at, self._tree.path(source), headers))
        if not found:
            self._draft.warn("no input validator can be run, so nothing checks the inputs")
        return tuple(found)

    def generator(self, name: str) -> Program | None:
        """One that is an executable of the package."""
        if name not in self._generators:
            for each in self._problem.all("files", "executables", "executable"):
                source = each.first("source")
                if PurePosixPath(source.get("path")).stem == name:
                    self._generators[name] = self._sources.program(each, PurePosixPath("generators", name))
        return self._generators.get(name)

    def included(self) -> tuple[IncludedFiles, ...]:
        """Resources that are compiled with every solution."""
        found: dict[str, list[tuple[str, PurePosixPath]]] = {}
        mains: dict[str, str] = {}
        for file in self._problem.all("files", "resources", "file"):
            if not any(asset.get("name").lower() == "solution" for asset in file.all("assets", "asset")):
                continue
            path = self._sources.path(file)
            language = language_of_type(file.get("for-types"))
            kept = self._draft.put(
                PurePosixPath("include", language or "default", path.name), self._tree.path(path)
            )
            found.setdefault(language, []).append((path.name, kept))
            if file.get("main") == "true":
                mains[language] = path.name
        return tuple(
            IncludedFiles(language=language, files=tuple(files), main=mains.get(language, ""))
            for language, files in found.items()
        )

    def output_examples(self) -> tuple[OutputExample, ...]:
        testset = self._assets.first("checker", "testset")
        return tuple(self._output_example(testset, *each) for each in _examples(testset))

    def _output_example(self, testset: Element, number: int, test: Element) -> OutputExample:
        valid = test.get("verdict").lower() == "ok"
        name = f"{'valid' if valid else 'invalid'}_output/{number:02}"
        given, output, answer = (
            self._example(testset, kind, number, _DATA / f"{name}.{ending}")
            for kind, ending in (("input", "in"), ("output", "out"), ("answer", "ans"))
        )
        return OutputExample(
            name=name,
            input=given,
            answer=answer,
            output=output,
            valid=valid,
            output_validator_args=self._flags,
        )

    def invalid_inputs(self) -> tuple[InvalidInput, ...]:
        return tuple(
            InvalidInput(
                name=f"invalid_input/{at}-{number:02}",
                input=self._example(testset, "input", number, _DATA / f"invalid_input/{at}-{number:02}.in"),
                input_validator_args=told(test.get("testset"), test.get("group")),
            )
            for at, testset in enumerate(self._assets.all("validators", "validator", "testset"), start=1)
            for number, test in _examples(testset)
            if test.get("verdict").lower() == "invalid"
        )

    def _example(self, testset: Element, kind: str, number: int, to: PurePosixPath) -> PurePosixPath:
        file = NumberedFiles(testset.first(f"{kind}-path-pattern"))(number)
        if not self._tree.has(file):
            raise invalid(f"{testset.where}: {file} is not in the package")
        return self._texts.take(to, self._tree.path(file))


def told(testset: str, group: str) -> InputArgs:
    """What validators are told about a test."""
    of_group = ("--group", group) if group else ()
    return InputArgs(("--testset", testset or "tests", *of_group))


def _examples(testset: Element) -> Iterator[tuple[int, Element]]:
    return enumerate(testset.all("tests", "test"), start=1)
