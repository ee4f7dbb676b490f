"""Constants of problem.yaml, written out where version 2025-09 wants them: in a copy of the package."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from deepoj_packages.languages import language_of
from deepoj_packages.options import MIB
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid
from deepoj_packages.shared.overlay import share
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_SEQUENCE = re.compile(rb"\{\{(\w+(?:\.\w+)?)\}\}", re.ASCII)
_TEX_SEQUENCE = re.compile(rb"\\constant\{(\w+(?:\.\w+)?)\}", re.ASCII)
_PROGRAMS = frozenset(
    {
        "input_validators",
        "answer_validators",
        "output_validator",
        "output_validators",
        "static_validator",
        "include",
        "submissions",
    }
)
_STATEMENTS = {".md": _SEQUENCE, ".tex": _TEX_SEQUENCE}
_SETTINGS = "test_group.yaml"
# The longest value, and all files that values were written into.
_MOST_BYTES = 10_000
_MOST_WRITTEN = 64 * MIB

Constants = Mapping[bytes, bytes]
"""By name, and by name and variant."""


def read_constants(section: Section) -> Constants:
    given = section.section("constants")
    found: dict[str, str] = {}
    for name in given.names():
        if not _NAME.fullmatch(name):
            raise invalid(f"{given.where}: {name!r} is not how a constant is called")
        if not given.is_map(name):
            found |= {name: given.text(name), f"{name}.value": given.text(name)}
            continue
        variants = given.section(name)
        if not variants.has("value"):
            raise invalid(f"{given.where}: {name} has no value")
        found |= {f"{name}.{each}": variants.text(each) for each in variants.names()}
        found[name] = variants.text("value")
    for name, value in found.items():
        if len(value.encode()) > _MOST_BYTES:
            raise invalid(f"{given.where}: {name} is longer than {_MOST_BYTES} bytes")
    return {name.encode(): value.encode() for name, value in found.items()}


def filled(text: str, constants: Constants) -> str:
    """A short text with the values of its constants."""
    return _SEQUENCE.sub(lambda found: constants.get(found[1], found[0]), text.encode()).decode()


def write_out(reading: Reading, constants: Constants, into: Path) -> Reading:
    """Lay the package out once more in `into`: what has no constant is the same file."""
    tree, written = reading.tree, 0
    for file in tree.files:
        target = into / file
        target.parent.mkdir(parents=True, exist_ok=True)
        content = _filled(tree, file, constants)
        if content is None:
            share(tree.path(file), target)
            continue
        written += len(content)
        if written > _MOST_WRITTEN:
            raise PackageRefusedError(
                Reason.TOO_LARGE,
                f"files with constants have more than {_MOST_WRITTEN // MIB} MiB in all, up to {file}",
            )
        target.write_bytes(content)
    return Reading(Tree(into, tree.limits), reading.options, reading.warnings)


def _filled(tree: Tree, file: PurePosixPath, constants: Constants) -> bytes | None:
    """The content with the values of its constants; None when it has none."""
    pattern = _pattern(file)
    if pattern is None or tree.path(file).stat().st_size > tree.limits.text_bytes:
        return None
    content = tree.path(file).read_bytes()
    room = tree.limits.text_bytes - len(content)

    def value(found: re.Match[bytes]) -> bytes:
        nonlocal room
        known = constants.get(found[1])
        if known is None:
            return found[0]
        room -= len(known)
        # What is too large already need not be built.
        return known if room >= -_MOST_BYTES else b""

    filled = pattern.sub(value, content)
    if room < 0:
        raise PackageRefusedError(
            Reason.TOO_LARGE,
            f"{file} becomes larger than {tree.limits.text_bytes} bytes with its constants",
        )
    return filled if filled != content else None


def _pattern(file: PurePosixPath) -> re.Pattern[bytes] | None:
    top = file.parts[0]
    if top in {"statement", "problem_statement"}:
        return _STATEMENTS.get(file.suffix)
    # BAPCtools writes them out in generators too; what lies beside these is data.
    is_generator = top == "generators" and language_of(file) is not None
    if top in _PROGRAMS or is_generator or (top == "data" and file.name == _SETTINGS):
        return _SEQUENCE
    return None
