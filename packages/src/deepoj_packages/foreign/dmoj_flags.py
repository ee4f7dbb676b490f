"""Flags of the compiler and orders of arguments, as far as a program of DMOJ can have them here."""

import re
from collections.abc import Iterator

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign.command_words import command_words
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.refusal import unsupported
from deepoj_packages.yamls import Section

_DEFINITION = re.compile(r"-D([A-Za-z_][A-Za-z0-9_]{0,99})(?:=([A-Za-z0-9_.+-]{0,100}))?")
_OF_TASTE = re.compile(r"-(?:std=|O|W|g|pipe$|march=|mtune=|static$|lm$)[A-Za-z0-9_.+=-]{0,100}")
_MOST_FLAGS = 50
_HOW = "a program is compiled as submissions in its language are"
_CONVENTIONS = {
    "default": Convention.DMOJ,
    "testlib": Convention.TESTLIB,
    "coci": Convention.COCI,
    "peg": Convention.PEG,
}
_CHECKED = ("{input_file}", "{output_file}", "{answer_file}")
_TALKED = ("{input_file}", "{answer_file}")
_IN_ORDER = {"peg": _CHECKED[::-1]}
_PLACE = re.compile(r"[{}]")


def definitions(draft: Draft, about: Section) -> bytes:
    """What flags define, as lines before a source; those that only say how it is compiled are told."""
    flags = about.texts("flags")
    if len(flags) > _MOST_FLAGS:
        raise unsupported(f"{about.where}: there are more than {_MOST_FLAGS} flags")
    return "".join(_defined(draft, about.where, flags)).encode()


def _defined(draft: Draft, where: str, flags: tuple[str, ...]) -> Iterator[str]:
    for flag in flags:
        found = _DEFINITION.fullmatch(flag)
        if found is not None:
            yield f"#define {found[1]} {'1' if found[2] is None else found[2]}\n"
        elif _OF_TASTE.fullmatch(flag):
            draft.warn(f"{where}: the flag {flag} is not used here: {_HOW}")
        else:
            raise unsupported(f"{where}: the flag {flag[:40]!r} cannot be used here: {_HOW}")


def called_as(about: Section, kind: str, *, interactive: bool) -> tuple[Convention, tuple[str, ...]]:
    """The convention of the type, and what the program is told after the files."""
    if kind not in _CONVENTIONS:
        raise unsupported(f"{about.where}: programs of type {kind[:40]!r} cannot be used here")
    convention, order = _CONVENTIONS[kind], about.text("args_format_string")
    if not order:
        return convention, ()
    usual = _TALKED if interactive and kind != "testlib" else _IN_ORDER.get(kind, _CHECKED)
    words = command_words(order) or ()
    files, more = words[: len(usual)], words[len(usual) :]
    if kind == "default" and not interactive and words[:2] == _CHECKED[:2] and words[2:3] != _CHECKED[2:]:
        convention, files, more = Convention.QDUOJ, usual, words[2:]
    if files != usual or any(_PLACE.search(word) for word in more):
        raise unsupported(
            f"{about.where}: args_format_string is {order[:80]!r}, and a program of type {kind} is given "
            f"{' '.join(usual)} first, and plain words after them"
        )
    return convention, more
