"""From the files of a source to what the compiler is told: names, units and where the program begins."""

from collections.abc import Mapping
from dataclasses import dataclass

from deepoj_judgement.commands.java import classes_in, start_class
from deepoj_judgement.commands.language import Entry, Language


@dataclass(frozen=True, slots=True)
class Arranged:
    files: Mapping[str, bytes]
    units: tuple[str, ...]
    """What the compiler is given by name; the rest is found by inclusion or import."""
    main: str


def arrange(language: Language, files: Mapping[str, bytes]) -> Arranged | None:
    """Return None when no file is one of this language."""
    units = [name for name in sorted(files) if name.endswith(language.suffixes)]
    if not units:
        return None
    if language.entry is Entry.JAVA_CLASS:
        return _java(files, units)
    main = language.source_name if language.source_name in units else units[0]
    return Arranged(files, tuple(units), main)


def _java(files: Mapping[str, bytes], units: list[str]) -> Arranged:
    main = start_class(files[name] for name in units)
    if len(files) > 1:
        return Arranged(files, tuple(units), main)
    # A text on its own has no name of its author's: it gets the one its public class asks for.
    (source,) = files.values()
    public = (each.file_name for each in classes_in(source) if each.is_public)
    name = next(public, units[0])
    return Arranged({name: source}, (name,), main)
