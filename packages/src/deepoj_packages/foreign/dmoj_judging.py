"""How a DMOJ problem looks at an answer: its checkers, bridged programs, and graders."""

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path, PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign.dmoj_files import program_at
from deepoj_packages.foreign.dmoj_flags import called_as, definitions
from deepoj_packages.foreign.dmoj_nodes import Node
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.languages import language_of
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.programs import program_of
from deepoj_packages.spec import (
    DefaultValidator,
    IncludedFiles,
    LineValidator,
    OutputValidator,
    Validator,
)
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section

_PLACE = PurePosixPath("output_validator")
_SCORING = frozenset({"testlib", "coci", "peg"})
_TOLERANCES = {
    "default": "float_tolerance",
    "absolute": "float_absolute_tolerance",
    "relative": "float_relative_tolerance",
}
_MODES = {"floatsabs": "absolute", "floatsrel": "relative"}
_BY_WORDS = "is a comparison word by word here, and counts no line ends"
_BY_LINES = "is a comparison line by line here, where white space at the end of a line does not count"
_MOST_DIGITS = 30
_SUBMISSION = "submission.inc"
_AROUND = """#define SIGNATURE_GRADER
#include "{header}"
#define main main_of_submission
#include "{submission}"
"""
_COMPARING = Path(__file__).with_name("dmoj_checker.py")
_WEIGHT = re.compile(r"[0-9]{1,6}")


def dmoj_validator(tree: Tree, draft: Draft, root: Node, nodes: Iterable[Node]) -> Validator:
    if root.own.has("interactive"):
        return _program(tree, draft, root.own.section("interactive"), interactive=True)
    holders = {id(holder): holder for node in nodes if (holder := node.section("checker")).has("checker")}
    if any(holder is not root.own for holder in holders.values()):
        where = next(holder.where for holder in holders.values() if holder is not root.own)
        raise unsupported(f"{where}: a checker of some cases only cannot be used here: a problem has one")
    return _checker(tree, draft, root.own)


def dmoj_included(tree: Tree, draft: Draft, root: Node) -> tuple[IncludedFiles, ...]:
    """A grader of C or C++ that is linked with a submission; this gets its header, and may have a main."""
    if not root.own.has("signature_grader"):
        return ()
    about = root.own.section("signature_grader")
    names = [PurePosixPath(about.text(key)) for key in ("entry", "header")]
    missing = [name for name in names if not tree.has(name)]
    if missing:
        raise invalid(f"{about.where}: {str(missing[0])[:80]!r} is not in the package")
    languages = ("c", "cpp") if language_of(names[0]) == "c" else ("cpp",)
    return tuple(_linked(tree, draft, names[0], names[1], language) for language in languages)


def _linked(
    tree: Tree, draft: Draft, entry: PurePosixPath, header: PurePosixPath, language: str
) -> IncludedFiles:
    """The entry is compiled in the language of the submission, whatever its own ending."""
    place = PurePosixPath("include", language)
    main, around = f"{entry.stem}.{language}", f"around_submission.{language}"
    text = _AROUND.format(header=header.name, submission=_SUBMISSION)
    files = (
        (main, draft.put(place / main, tree.path(entry))),
        (header.name, draft.put(place / header.name, tree.path(header))),
        (around, draft.write(place / around, text)),
    )
    return IncludedFiles(language=language, files=files, main=main, source_name=_SUBMISSION)


def _checker(tree: Tree, draft: Draft, root: Section) -> Validator:
    about = root.section("checker") if root.is_map("checker") else None
    name = (about.text("name") if about is not None else root.text("checker")) or "standard"
    args = about.section("args") if about is not None else Section(f"{root.where}: checker")
    match name:
        case "standard":
            draft.warn(f"DMOJ's checker {name} {_BY_WORDS}")
            return _default(draft, ("case_sensitive",))
        case "floats" | "floatsabs" | "floatsrel":
            draft.warn(f"DMOJ's checker {name} {_BY_WORDS}")
            return _default(draft, ("case_sensitive", *_tolerance(name, args)))
        case "identical" | "rstripped":
            draft.warn(f"DMOJ's checker {name} {_BY_LINES}")
            return LineValidator()
        case "bridged":
            return _program(tree, draft, args, interactive=False)
        case "easy" | "sorted" | "unordered" | "linecount" | "linematches":
            return _compared(draft, _arguments(name, args))
        case _ if name.endswith(".py"):
            raise unsupported(
                f"{root.where}: the checker {name[:80]} is Python that DMOJ runs inside its judge: "
                "rewrite it as a program (bridged)"
            )
        case _:
            raise unsupported(
                f"{root.where}: DMOJ's checker {name[:40]!r} has no equal here: "
                "write it as a program (bridged)"
            )


def _arguments(name: str, args: Section) -> tuple[str, ...]:
    """What the program is told that compares as these checkers do."""
    match name:
        case "sorted":
            return name, args.choice("split_on", ("lines", "whitespace"), "lines")
        case "unordered":
            return "sorted", "whitespace"
        case "linematches":
            weights = args.texts("point_distribution") or ("1",)
            if not all(_WEIGHT.fullmatch(each) for each in weights) or not any(map(int, weights)):
                raise invalid(f"{args.where}: point_distribution must be whole numbers above nothing")
            return name, "all" if args.flag("filler_lines_required", default=True) else "some", *weights
        case _:
            return (name,)


def _compared(draft: Draft, arguments: tuple[str, ...]) -> Validator:
    at = draft.write(_PLACE / _COMPARING.name, _COMPARING.read_bytes())
    draft.cases[:] = [replace(case, output_validator_args=arguments) for case in draft.cases]
    return OutputValidator(
        program=program_of(at, (at,)),
        scores=arguments[0].startswith("line"),
        convention=Convention.COCI,
    )


def _default(draft: Draft, flags: tuple[str, ...]) -> Validator:
    draft.cases[:] = [replace(case, output_validator_args=flags) for case in draft.cases]
    return DefaultValidator()


def _tolerance(name: str, args: Section) -> tuple[str, str]:
    digits = args.decimal("precision", Decimal(6)) or Decimal(0)
    mode = _MODES.get(name) or args.choice("error_mode", tuple(_TOLERANCES), "default")
    if not 0 <= digits <= _MOST_DIGITS or digits != int(digits):
        raise invalid(f"{args.where}: precision must be a number of digits")
    return _TOLERANCES[mode], f"1e-{int(digits)}"


def _program(tree: Tree, draft: Draft, about: Section, *, interactive: bool) -> Validator:
    kind = about.text("type", "default")
    convention, told = called_as(about, kind, interactive=interactive)
    defined = definitions(draft, about)
    draft.cases[:] = [replace(case, output_validator_args=told) for case in draft.cases]
    return OutputValidator(
        program=program_at(tree, draft, _PLACE, about.texts("files"), about.where, defined),
        interactive=interactive,
        scores=kind in _SCORING,
        convention=convention,
    )
