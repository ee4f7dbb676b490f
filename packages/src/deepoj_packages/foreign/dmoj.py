"""DMOJ's problems: init.yml, with the test data beside it or in an archive."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from deepoj_packages.archives.unpack import unpack
from deepoj_packages.foreign.dmoj_judging import dmoj_included, dmoj_validator
from deepoj_packages.foreign.dmoj_nodes import Node
from deepoj_packages.foreign.dmoj_tests import DmojTests
from deepoj_packages.foreign.draft import Draft, short_name_of
from deepoj_packages.foreign.loose_statements import add_loose_statements, title_of, warn_about_limits
from deepoj_packages.options import MIB, ReadingOptions
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.spec import FormatVersion, ProblemLimits, ProblemSpec
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import load_section

_PROBLEM = PurePosixPath("init.yml")
_UNUSED = ("symlinks", "hints", "wall_time_factor", "output_prefix_length", "file_io")


def is_dmoj(directory: Path) -> bool:
    return (directory / _PROBLEM).is_file()


def read_dmoj(tree: Tree, into: Path, options: ReadingOptions) -> ProblemSpec:
    draft = Draft(into, FormatVersion.DMOJ, options.limits, title_of(tree, options.told))
    text = tree.text(_PROBLEM, options.limits.yaml_bytes)
    root = Node(load_section(text, str(_PROBLEM), options.limits))
    if root.own.has("custom_judge"):
        raise unsupported(
            f"{_PROBLEM}: custom_judge is Python that DMOJ runs inside its judge: rewrite it as an "
            "interactor or as a checker"
        )
    add_loose_statements(tree, draft, options.told)
    warn_about_limits(draft, options.told)
    tests = DmojTests(tree, _archive(tree, root, draft, options), draft, root)
    groups = tests.read()
    validator = dmoj_validator(tree, draft, root, tests.nodes)
    limits = ProblemLimits(output_mib=_output_mib(root))
    spec = draft.spec(
        short_name=short_name_of(draft.format, tree.name), limits=limits, groups=groups, validator=validator
    )
    if root.own.flag("unbuffered", default=False):
        draft.warn(f"{_PROBLEM}: unbuffered is not used here: programs must flush what they say")
    for key in _UNUSED:
        if root.own.has(key):
            draft.warn(f"{_PROBLEM}: {key} is not used here")
    return replace(
        spec,
        included=dmoj_included(tree, draft, root),
        recipes=tests.recipes(),
        source=tree.root,
        warnings=tuple(draft.warnings),
    )


def _archive(tree: Tree, root: Node, draft: Draft, options: ReadingOptions) -> Tree | None:
    name = root.own.text("archive")
    if not name:
        return None
    if not tree.has(PurePosixPath(name)):
        raise invalid(f"{_PROBLEM}: the archive {name[:80]!r} is not in the package")
    into = draft.root.with_name(f"{draft.root.name}.archive")
    into.parent.mkdir(parents=True, exist_ok=True)
    unpack(tree.path(PurePosixPath(name)), into, options)
    return Tree(into, options.limits)


def _output_mib(root: Node) -> int | None:
    bytes_ = root.own.whole("output_limit_length")
    return None if bytes_ is None else -(-bytes_ // MIB)
