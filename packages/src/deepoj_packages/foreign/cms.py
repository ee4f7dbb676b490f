"""Tasks of CMS in the Italian format: task.yaml, input/, output/, and programs in check/, sol/ and gen/."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path, PurePosixPath

from deepoj_packages.foreign.cms_programs import CmsPrograms
from deepoj_packages.foreign.cms_tests import CmsTests
from deepoj_packages.foreign.draft import Draft, short_name_of
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, invalid
from deepoj_packages.spec import FileNames, FormatVersion, ProblemLimits, ProblemSpec
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section, load_section

_PROBLEM = PurePosixPath("task.yaml")
_PRINTS = (PurePosixPath("statement/statement.pdf"), PurePosixPath("testo/testo.pdf"))
_ATTACHMENTS = PurePosixPath("att")
_DEFAULT_LANGUAGE = "it"
# How a contest shows and counts submissions, which is not the problem's to say here.
_UNUSED = ("token_", "score_", "max_", "min_", "feedback_level", "public_testcases", "risultati", "n_input")


def is_cms(directory: Path) -> bool:
    return (directory / _PROBLEM).is_file()


def read_cms(tree: Tree, into: Path, options: ReadingOptions) -> ProblemSpec:
    task = load_section(tree.text(_PROBLEM, options.limits.yaml_bytes), str(_PROBLEM), options.limits)
    title = either(task, "title", "nome").strip() or either(task, "name", "nome_breve").strip()
    if not title:
        raise invalid(f"{_PROBLEM}: the task has no title")
    try:
        return _problem(tree, Draft(into, FormatVersion.CMS, options.limits, title), task)
    except PackageRefusedError as error:
        raise error.about(title) from error


def either(task: Section, key: str, old: str) -> str:
    """The formats of two generations have different words for the same thing."""
    return task.text(key) or task.text(old)


def _problem(tree: Tree, draft: Draft, task: Section) -> ProblemSpec:
    _add_statement(tree, draft, task)
    name = either(task, "name", "nome_breve")
    programs = CmsPrograms(tree, draft, task, name)
    programs.add_solutions()
    tests = CmsTests(tree, draft, task, programs)
    groups = tests.read()
    answers = task.flag("output_only", default=False)
    validator = programs.validator()
    included = () if answers else programs.included()
    spec = draft.spec(
        short_name=short_name_of(draft.format, name, draft.title),
        limits=ProblemLimits(
            time_ms=_time_ms(task), memory_mib=task.whole("memory_limit") or task.whole("memlimit")
        ),
        groups=groups,
        validator=validator,
    )
    named = FileNames(task.text("infile", "input.txt"), task.text("outfile", "output.txt"))
    for key in task.unknown():
        if not key.startswith(_UNUSED):
            draft.warn(f"{_PROBLEM}: the key {key!r} is not known and was not used")
    return replace(
        spec,
        answers_submitted=answers,
        file_names=None if answers or spec.interactive or named == FileNames() else named,
        included=included,
        attachments=tuple(
            draft.put(PurePosixPath("attachments") / file.relative_to(_ATTACHMENTS), tree.path(file))
            for file in tree.below(_ATTACHMENTS)
        ),
        recipes=tests.recipes(),
        source=tree.root,
        warnings=tuple(draft.warnings),
    )


def _add_statement(tree: Tree, draft: Draft, task: Section) -> None:
    language = task.text("primary_language", _DEFAULT_LANGUAGE)
    for file in _PRINTS:
        if tree.has(file):
            draft.keep_print(language, tree.path(file))
            return
    draft.warn("there is no problem statement")
    draft.keep_statement(language, "")


def _time_ms(task: Section) -> int | None:
    seconds = task.decimal("time_limit" if task.has("time_limit") else "timeout")
    if seconds is None:
        return None
    if seconds <= 0:
        raise invalid(f"{_PROBLEM}: time_limit must be above 0")
    return int((seconds * Decimal(1000)).to_integral_value(rounding="ROUND_CEILING"))
