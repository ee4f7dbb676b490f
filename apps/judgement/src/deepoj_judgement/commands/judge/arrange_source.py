"""From the files of a source to what the compiler is told: names, units and where the program begins."""

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass

from deepoj_judgement.commands.judge.java_classes import classes_in, start_class
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_languages.language import Entry, Language

# A file system takes names of 255 bytes, and compilers put endings to those they are given.
_LONGEST_NAME = 200
_LONGEST_PATH = 1000
# What the sandbox refuses in an argument.
_REFUSED = re.compile(r"[;|&<>`\"'\\\x00-\x1f\x7f\ud800-\udfff]|\$[({]|(?:^|[/=:,])\.\.(?:[/=:,]|$)")


@dataclass(frozen=True, slots=True)
class Arranged:
    files: Mapping[str, bytes]
    units: tuple[str, ...]
    """What the compiler is given by name; the rest is found by inclusion or import."""
    main: str


def arrange(language: Language, files: Mapping[str, bytes], entry: str = "") -> Arranged | CompileFailed:
    """`entry` is the file its author begins in. Names that cannot be used are a fault of the source."""
    units = [name for name in sorted(files) if name.endswith(language.suffixes)]
    if not units:
        return CompileFailed(f"no file ends in {' or '.join(language.suffixes)}\n".encode())
    files = {**files, **{name: _plain(files[name]) for name in units}}
    if language.entry is Entry.JAVA_CLASS:
        arranged = _java(files, units, entry)
    elif len(files) == 1:
        # Nobody refers to it by name, and a name may hold what no argument of a program may.
        main = language.source_name
        arranged = Arranged({main: files[units[0]]}, (main,), main)
    else:
        main = next((name for name in (entry, language.source_name) if name in units), units[0])
        arranged = Arranged(files, tuple(units), main)
    wrong = (reason for name in (*arranged.units, arranged.main) if (reason := unfit(name)))
    return next((CompileFailed(f"{reason}\n".encode()) for reason in wrong), arranged)


def unfit(name: str) -> str:
    """Say why no file, class or argument can be called so here; empty when it can."""
    shown = ascii(name[:40])[1:-1] + ("..." if len(name) > len(name[:40]) else "")
    if _REFUSED.search(name):
        return f"the name {shown} has a character that is not allowed here"
    longest = max(len(part.encode()) for part in name.split("/"))
    if longest > _LONGEST_NAME or len(name.encode()) > _LONGEST_PATH:
        return f"the name {shown} is too long: {_LONGEST_NAME} bytes are allowed"
    return ""


def _plain(source: bytes) -> bytes:
    """What editors leave in a text, and some compilers refuse, is no part of the program."""
    return source.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n")


def _java(files: Mapping[str, bytes], units: list[str], entry: str) -> Arranged:
    main = start_class([files[name] for name in units], files.get(entry, b""))
    if len(files) > 1:
        return Arranged(files, tuple(units), main)
    # A text on its own has no name of its author's: it gets the one its public class asks for.
    (source,) = files.values()
    public = (each.file_name for each in classes_in(source) if each.is_public)
    name = next(public, units[0])
    return Arranged({name: source}, (name,), main)
