"""Hydro's packages: problem.yaml, statements in Markdown, and testdata/ with its config.yaml."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from deepoj_packages.foreign.draft import Draft, short_name_of
from deepoj_packages.foreign.hydro_checker import hydro_validator
from deepoj_packages.foreign.hydro_tests import TESTS, HydroTests
from deepoj_packages.foreign.json_values import load_object
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, invalid, unsupported
from deepoj_packages.spec import FileNames, FormatVersion, IncludedFiles, ProblemLimits, ProblemSpec, Sample
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section, load_section

_PROBLEM = PurePosixPath("problem.yaml")
_CONFIGS = (TESTS / "config.yaml", TESTS / "config.yml")
_OLD_CONFIG = TESTS / "config.ini"
_STATEMENT = re.compile(r"problem(?:_([a-z]{2,3}(?:[_-][A-Za-z]{2})?))?\.md")
_SAMPLE = re.compile(r"```(input|output)([0-9]{1,3})\s*")
_FENCE = "```"
_DEFAULT_LANGUAGE = "zh"
_INCLUDE = PurePosixPath("include/default")
_REFUSED = {
    "interactor": "an interactor, which is not read from this format",
    "manager": "a manager of processes that each have the time limit",
    "num_processes": "several processes that each have the time limit",
    "multi_pass": "several passes",
    "template": "code that is put around every submission",
}
# By the number of a sample, the lines of its input and its output.
_Shown = dict[str, dict[str, list[str]]]
_UNUSED = ("langs", "time_limit_rate", "memory_limit_rate", "key", "validator", "judge_extra_files", "detail")


def is_hydro(directory: Path) -> bool:
    if not (directory / _PROBLEM).is_file() or (directory / "data").is_dir():
        return False
    return (directory / TESTS).is_dir() or any(directory.glob("problem*.md"))


def read_hydro(tree: Tree, into: Path, options: ReadingOptions) -> ProblemSpec:
    about = _yaml(tree, _PROBLEM, options)
    title = about.text("title").strip()
    if not title:
        raise invalid(f"{_PROBLEM}: the problem has no title")
    try:
        return _problem(tree, Draft(into, FormatVersion.HYDRO, options.limits, title), about, options)
    except PackageRefusedError as error:
        raise error.about(title) from error


def _problem(tree: Tree, draft: Draft, about: Section, options: ReadingOptions) -> ProblemSpec:
    config = _config(tree, options)
    _refuse_unsupported(config)
    _add_statements(tree, draft)
    tests = HydroTests(tree, draft, config)
    groups = tests.read()
    file_names, included = _file_names(config), _included(tree, draft, config)
    for key in _UNUSED:
        if config.has(key):
            draft.warn(f"{config.where}: {key} is not used here")
    for key in config.unknown():
        draft.warn(f"{config.where}: the key {key!r} is not known and was not used")
    spec = draft.spec(
        short_name=short_name_of(draft.format, about.text("pid"), draft.title),
        limits=ProblemLimits(time_ms=tests.time_ms, memory_mib=tests.memory_mib),
        groups=groups,
        validator=hydro_validator(tree, draft, config),
        keywords=about.texts("tag"),
    )
    return replace(spec, file_names=file_names, included=included)


def _file_names(config: Section) -> FileNames | None:
    name = config.text("filename")
    return FileNames(f"{name}.in", f"{name}.out") if name else None


def _included(tree: Tree, draft: Draft, config: Section) -> tuple[IncludedFiles, ...]:
    files = []
    for name in config.texts("user_extra_files"):
        source = TESTS / name
        if source.parent != TESTS or not tree.has(source):
            raise invalid(f"{config.where}: {name[:80]!r} of user_extra_files is not in {TESTS}/")
        files.append((name, draft.put(_INCLUDE / name, tree.path(source))))
    return (IncludedFiles(files=tuple(files)),) if files else ()


def _config(tree: Tree, options: ReadingOptions) -> Section:
    for file in _CONFIGS:
        if tree.has(file):
            return _yaml(tree, file, options)
    if tree.has(_OLD_CONFIG):
        raise unsupported(f"{_OLD_CONFIG} is not read: write a config.yaml instead")
    return Section(str(_CONFIGS[0]))


def _refuse_unsupported(config: Section) -> None:
    kind = config.text("type", "default")
    if kind != "default":
        raise unsupported(f"{config.where}: problems of type {kind[:40]} are not read from this format")
    for key, what in _REFUSED.items():
        if config.has(key):
            raise unsupported(f"{config.where}: {key} asks for {what}, which cannot be judged here")


def _add_statements(tree: Tree, draft: Draft) -> None:
    shown: _Shown = {}
    for file in tree.entries(PurePosixPath()):
        named = _STATEMENT.fullmatch(file.name)
        if named is None or not tree.has(file):
            continue
        for language, text in _languages(tree.text(file), named[1] or ""):
            draft.keep_statement(language, _without_samples(text, shown))
    if not draft.statements:
        draft.warn("there is no problem statement")
        draft.keep_statement(_DEFAULT_LANGUAGE, "")
    for number in sorted(shown, key=int):
        _show_sample(draft, shown[number])


def _without_samples(text: str, shown: _Shown) -> str:
    """Take blocks such as ```input1 out of a statement: samples stand beside it."""
    kept: list[str] = []
    block: list[str] | None = None
    for line in text.splitlines(keepends=True):
        named = _SAMPLE.fullmatch(line)
        if block is not None and line.strip() == _FENCE:
            block = None
        elif block is not None:
            block.append(line)
        elif named is not None:
            block = []
            shown.setdefault(named[2], {}).setdefault(named[1], block)
        else:
            kept.append(line)
    return "".join(kept)


def _languages(text: str, named: str) -> Iterator[tuple[str, str]]:
    """One file may hold all languages, as JSON."""
    if text.lstrip().startswith("{") and not named:
        texts = load_object(text, "problem.md")
        yield from ((language.replace("_", "-"), texts.text(language)) for language in texts.names())
    else:
        yield named.replace("_", "-") or _DEFAULT_LANGUAGE, text


def _show_sample(draft: Draft, parts: dict[str, list[str]]) -> None:
    """Samples are shown and not judged: the tests are what testdata/ holds."""
    name = f"sample/{len(draft.samples) + 1}"
    files = [PurePosixPath("data", f"{name}.{ending}") for ending in ("in", "ans")]
    draft.write(files[0], "".join(parts.get("input", ())))
    draft.write(files[1], "".join(parts.get("output", ())))
    draft.samples.append(Sample(name=name, input=files[0], output=files[1]))


def _yaml(tree: Tree, file: PurePosixPath, options: ReadingOptions) -> Section:
    return load_section(tree.text(file, options.limits.yaml_bytes), str(file), options.limits)
