"""Programs of a CMS task: a checker or a manager, graders and stubs, generators and solutions."""

from dataclasses import replace
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.languages import is_header, language_of
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.expectations import DIRECTORIES
from deepoj_packages.shared.programs import UnusableProgramError, program_of
from deepoj_packages.spec import (
    Communication,
    DefaultValidator,
    IncludedFiles,
    OutputValidator,
    Program,
    Submission,
    Validator,
)
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section

_SOLUTIONS = PurePosixPath("sol")
_GENERATORS = PurePosixPath("gen")
_PLACE = PurePosixPath("output_validator")
_CHECKERS = (PurePosixPath("check/checker"), PurePosixPath("cor/correttore"))
_MANAGERS = (PurePosixPath("check/manager"), PurePosixPath("cor/manager"))
_SOLUTION_STEMS = ("solution", "soluzione")
_GENERATOR_STEMS = ("generator", "generatore")
_GRADER, _STUB = "grader", "stub"
_MOST_PROCESSES = 10
_STREAMS, _NAMES = "std_io", "fifo_io"
_PASCAL_LIBRARY = "lib.pas"
# A program of this language is compiled with all of it that lies beside: it may import that.
_IMPORTS = "python3"


class CmsPrograms:
    def __init__(self, tree: Tree, draft: Draft, task: Section, name: str) -> None:
        self._tree = tree
        self._draft = draft
        self._task = task
        self._name = name
        self._generator: Program | None = None
        self.main: Program | None = None
        self.communicates = not task.flag("output_only", default=False) and self._has_manager()
        """A manager talks with the submission."""

    def add_solutions(self) -> None:
        for file in self._tree.entries(_SOLUTIONS):
            if file.stem not in _SOLUTION_STEMS or not self._tree.has(file) or language_of(file) is None:
                continue
            name = f"accepted/{file.name}"
            at = self._draft.put(PurePosixPath("submissions", name), self._tree.path(file))
            try:
                program = program_of(at, (at,))
            except UnusableProgramError as error:
                self._draft.warn(f"a solution is left out: {error.sentence}")
                continue
            self.main = self.main or program
            self._draft.submissions.append(
                Submission(name=name, program=program, expectations=(DIRECTORIES["accepted"],))
            )

    def validator(self) -> Validator:
        manager = self._of_source(_MANAGERS) if self.communicates else None
        if manager is not None:
            return OutputValidator(
                program=manager,
                interactive=True,
                scores=True,
                convention=Convention.CMS,
                communication=Communication(self._processes(), by_name=self._user_io() == _NAMES),
            )
        checker = self._of_source(_CHECKERS)
        if checker is not None:
            return OutputValidator(program=checker, scores=True, convention=Convention.CMS)
        self._draft.warn("without a checker answers are compared word by word here; CMS counts line ends too")
        self._draft.cases[:] = [
            replace(case, output_validator_args=("case_sensitive",)) for case in self._draft.cases
        ]
        return DefaultValidator()

    def included(self) -> tuple[IncludedFiles, ...]:
        """Graders and stubs, one a language, and what lies beside them."""
        beginning = _STUB if self.communicates else _GRADER
        shared = [file for file in self._tree.entries(_SOLUTIONS) if is_header(file) and self._tree.has(file)]
        found = []
        for file in self._tree.entries(_SOLUTIONS):
            language = language_of(file)
            if file.stem != beginning or language is None or not self._tree.has(file):
                continue
            libraries = [
                each for each in self._tree.entries(_SOLUTIONS) if each.name.endswith(_PASCAL_LIBRARY)
            ]
            beside = libraries if language == "pascal" else shared
            found.append(
                IncludedFiles(
                    language=language,
                    files=tuple((each.name, self._included(each)) for each in (file, *beside)),
                    main=file.name,
                    source_name=f"{self._name}{file.suffix}" if self._name else "",
                )
            )
        return tuple(found)

    def generator(self) -> Program | None:
        """What prints an input for a line of GEN."""
        if self._generator is None:
            for file in self._tree.entries(_GENERATORS):
                if file.stem in _GENERATOR_STEMS and language_of(file) and self._tree.has(file):
                    self._generator = self._built(file, PurePosixPath("generators/gen"))
                    break
        return self._generator

    def _has_manager(self) -> bool:
        return any(
            file.stem == place.name and self._tree.has(file)
            for place in _MANAGERS
            for file in self._tree.entries(place.parent)
        )

    def _of_source(self, places: tuple[PurePosixPath, ...]) -> Program | None:
        """CMS runs what was compiled elsewhere; by custom its source lies beside it."""
        for place in places:
            sources = [
                file
                for file in self._tree.entries(place.parent)
                if file.stem == place.name and language_of(file) and self._tree.has(file)
            ]
            if sources:
                return self._built(sources[0], _PLACE)
            if self._tree.has(place):
                raise unsupported(
                    f"{place} is a compiled program, which is not run here: put its source beside it"
                )
        return None

    def _built(self, source: PurePosixPath, at: PurePosixPath) -> Program:
        language = language_of(source)
        beside = [
            file
            for file in self._tree.entries(source.parent)
            if file != source
            and self._tree.has(file)
            and (is_header(file) or language == language_of(file) == _IMPORTS)
        ]
        files = tuple(self._draft.put(at / file.name, self._tree.path(file)) for file in (source, *beside))
        return replace(program_of(at, files), main=files[0])

    def _included(self, file: PurePosixPath) -> PurePosixPath:
        return self._draft.put(PurePosixPath("include", file.name), self._tree.path(file))

    def _user_io(self) -> str:
        """Unless told otherwise a stub opens its channels; without one they are the standard streams."""
        usual = _NAMES if self.included() else _STREAMS
        told = self._task.text("user_io", usual)
        if told in (_STREAMS, _NAMES):
            return told
        self._draft.warn(
            f"{self._task.where}: user_io is neither {_STREAMS} nor {_NAMES}; {usual} is used, as CMS does"
        )
        return usual

    def _processes(self) -> int:
        count = self._task.decimal("num_processes", Decimal(1))
        if count is None or count != int(count) or not 1 <= count <= _MOST_PROCESSES:
            raise invalid(
                f"{self._task.where}: num_processes must be a whole number from 1 to {_MOST_PROCESSES}"
            )
        return int(count)
