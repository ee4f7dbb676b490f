"""Programs of a UOJ problem: chk, interactor, val, std and implementer, each in a file of that name."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign import testlib
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.uoj_conf import PROBLEM, Conf
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.expectations import DIRECTORIES
from deepoj_packages.shared.programs import program_of
from deepoj_packages.spec import (
    DefaultValidator,
    IncludedFiles,
    LineValidator,
    OutputValidator,
    Program,
    Submission,
    Validator,
)
from deepoj_packages.tree import Tree

_PLACE = PurePosixPath("output_validator")
_REQUIRED = PurePosixPath("require")
_CHECKER, _INTERACTOR, _VALIDATOR, _STANDARD = map(
    PurePosixPath, ("chk.cpp", "interactor.cpp", "val.cpp", "std.cpp")
)
_STANDARDS = ("98", "03", "11", "14", "17", "20")
_IMPLEMENTERS = {"cpp": "implementer.cpp", "c": "implementer.c", "pascal": "implementer.pas"}
_ONE_NUMBER = ("case_sensitive", "float_absolute_tolerance", "1.5e-6")
_CHECKERS = {
    **testlib.STANDARD_CHECKERS,
    "rcmp": _ONE_NUMBER,
    "acmp": _ONE_NUMBER,
    "lcmp": ("case_sensitive",),
}
_BY_LINES = ("fcmp", "bcmp")


class UojPrograms:
    def __init__(self, tree: Tree, draft: Draft, conf: Conf) -> None:
        self._tree = tree
        self._draft = draft
        self._conf = conf

    def _source(self, name: PurePosixPath) -> PurePosixPath:
        """The file of that name, which may also tell the standard of C++ it is written in: chk11.cpp."""
        names = (name, *(name.with_name(f"{name.stem}{year}{name.suffix}") for year in _STANDARDS))
        return next((each for each in names if self._tree.has(each)), name)

    def add_solution(self) -> None:
        source = self._source(_STANDARD)
        if self._tree.has(source):
            at = self._draft.put(PurePosixPath("submissions/accepted/std.cpp"), self._tree.path(source))
            self._draft.submissions.append(
                Submission(
                    name="accepted/std.cpp",
                    program=program_of(at, (at,)),
                    expectations=(DIRECTORIES["accepted"],),
                    model_solution=True,
                )
            )

    def validator(self) -> Validator:
        if self._conf.flag("interaction_mode"):
            return self._program(self._source(_INTERACTOR), interactive=True)
        name = self._conf.text("use_builtin_checker")
        if not name:
            return self._program(self._source(_CHECKER), interactive=False)
        if name in _BY_LINES:
            self._draft.warn(
                f"{PROBLEM}: {name} is a comparison by lines here: white space at their ends is free"
            )
            return LineValidator()
        if name not in _CHECKERS:
            raise unsupported(
                f"{self._conf.where('use_builtin_checker')} is {name[:40]!r}, which has no equal here: "
                f"put the checker into {_CHECKER}, with {testlib.HEADER}"
            )
        if name == "lcmp":
            self._draft.warn(f"{PROBLEM}: lcmp is a comparison word by word here, and counts no line ends")
        self._draft.cases[:] = [
            replace(case, output_validator_args=_CHECKERS[name]) for case in self._draft.cases
        ]
        return DefaultValidator()

    def input_validators(self) -> tuple[Program, ...]:
        source = self._source(_VALIDATOR)
        if not self._tree.has(source):
            return ()
        headers = self._headers()
        if not self._has_testlib():
            self._draft.warn(
                f"{source} was not run: it needs {testlib.HEADER}, which the package does not bring"
            )
            return ()
        at = PurePosixPath("input_validators/val")
        return (testlib.input_validator(self._draft, at, self._tree.path(source), headers),)

    def included(self) -> tuple[IncludedFiles, ...]:
        """What is compiled with a submission: an implementer, where the program begins, and what it needs."""
        required = tuple(
            (
                str(file.relative_to(_REQUIRED)),
                self._draft.put(PurePosixPath("include") / file, self._tree.path(file)),
            )
            for file in self._tree.below(_REQUIRED)
        )
        if not self._conf.flag("with_implementer"):
            return (IncludedFiles(files=required),) if required else ()
        beside = tuple(each for each in required if each[0] not in _IMPLEMENTERS.values())
        found = [
            IncludedFiles(language=language, files=((name, self._taken(file)), *beside), main=name)
            for language, name in _IMPLEMENTERS.items()
            if (file := self._implementer(name))
        ]
        if not found:
            raise invalid(
                f"{self._conf.where('with_implementer')} is on, and implementer.cpp is not in the package"
            )
        return tuple(found)

    def _implementer(self, name: str) -> PurePosixPath | None:
        places = (_REQUIRED / name, PurePosixPath(name))
        return next((file for file in places if self._tree.has(file)), None)

    def _taken(self, file: PurePosixPath) -> PurePosixPath:
        return self._draft.put(PurePosixPath("include", file), self._tree.path(file))

    def _program(self, source: PurePosixPath, *, interactive: bool) -> Validator:
        if not self._tree.has(source):
            raise invalid(f"{PROBLEM} asks for {source}, which is not in the package")
        text = self._tree.head(source)
        if testlib.HEADER in text and not self._has_testlib():
            raise unsupported(
                f"{source} needs {testlib.HEADER}, and the package does not bring it: put it beside it, or "
                "at the top of the archive"
            )
        scores = "quitp" in text
        files = tuple(
            self._draft.put(_PLACE / file.name, file) for file in (self._tree.path(source), *self._headers())
        )
        return OutputValidator(
            program=program_of(_PLACE, files),
            interactive=interactive,
            scores=scores,
            convention=Convention.UOJ if scores or interactive else Convention.TESTLIB,
        )

    def _headers(self) -> tuple[Path, ...]:
        return testlib.headers(self._tree, PurePosixPath())

    def _has_testlib(self) -> bool:
        return any(file.name == testlib.HEADER for file in self._headers())
