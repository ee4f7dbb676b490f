"""Programs of a package: one file, or a directory of files with one language between them."""

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from deepoj_languages.scripts import BUILD, RUN, SCRIPTS
from deepoj_packages.grammars.interpreter import LANGUAGES as GRAMMARS
from deepoj_packages.languages import is_header, language_of, main_of
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Program

_SCRIPTS = (BUILD, RUN)
_SHELL = "bash"
_PYTHON_2 = re.compile(r"^#!.*python2")
# Both end in .pl. A clause begins its line with a name in small letters, or is a command to the system.
_PROLOG = re.compile(rb"^(?:[a-z]\w*(?:\([^()\n]*\))?[ \t]*:-|:-[ \t]*[a-z])", re.MULTILINE)
_PERL = re.compile(rb"^#!.*perl|^[ \t]*(?:use|my|our|sub|package)[ \t]+[\w$@%(]", re.MULTILINE)
_LOOKED_AT = 64 * 1024


class UnusableProgramError(PackageRefusedError):
    """A program we cannot build; whoever can do without it catches this."""

    def __init__(self, sentence: str) -> None:
        super().__init__(Reason.UNSUPPORTED, sentence)


def read_program(reading: Reading, at: PurePosixPath, language: str = "", entrypoint: str = "") -> Program:
    files = (at,) if reading.tree.has(at) else reading.tree.below(at)
    reading.tree.use(*files)
    program = program_of(at, files, language, entrypoint)
    _refuse_python_2(reading, program.main)
    _refuse_prolog(reading, program.main)
    _refuse_without_interpreter(reading, program)
    return program


def script_in(directory: PurePosixPath, files: Collection[PurePosixPath]) -> PurePosixPath | None:
    """Return the script a program begins with that says itself how it is built and run."""
    return next((directory / name for name in _SCRIPTS if directory / name in files), None)


def program_of(
    at: PurePosixPath, files: tuple[PurePosixPath, ...], language: str = "", entrypoint: str = ""
) -> Program:
    """Say what a program is from the names of its files; `language` is for those that do not tell."""
    script = script_in(at, files)
    if script is not None:
        return Program(at.name, at, SCRIPTS.slug, script, files)
    found = language or _only_language(at, files)
    if found == "python2":
        raise UnusableProgramError(f"{at} is written in Python 2")
    if found == _SHELL:
        return Program(at.name, at, SCRIPTS.slug, main_of(files, found, at.name, entrypoint), files)
    return Program(at.name, at, found, main_of(files, found, at.name, entrypoint), files)


def _only_language(at: PurePosixPath, files: tuple[PurePosixPath, ...]) -> str:
    found = sorted({code for file in files if (code := language_of(file))})
    if not found:
        raise UnusableProgramError(f"{at} holds no source file of a known language")
    if found == ["c", "cpp"]:
        return "cpp"
    if len(found) > 1:
        raise UnusableProgramError(f"{at} mixes the languages {', '.join(found)}")
    return found[0]


def _refuse_python_2(reading: Reading, main: PurePosixPath) -> None:
    if main.suffix != ".py":
        return
    with reading.tree.path(main).open("rb") as file:
        first = file.readline(200).decode(errors="replace")
    if _PYTHON_2.match(first):
        raise UnusableProgramError(f"{main} is written in Python 2")


def _refuse_prolog(reading: Reading, main: PurePosixPath) -> None:
    if main.suffix != ".pl":
        return
    with reading.tree.path(main).open("rb") as file:
        text = file.read(_LOOKED_AT)
    if _PROLOG.search(text) and not _PERL.search(text):
        raise UnusableProgramError(f"{main} is written in Prolog, which Deep-OJ does not judge")


def _refuse_without_interpreter(reading: Reading, program: Program) -> None:
    """A shell script of one file is started as it is."""
    if program.language != SCRIPTS.slug or program.main.name in _SCRIPTS:
        return
    with reading.tree.path(program.main).open("rb") as file:
        first = file.readline(200)
    if not first.startswith(b"#!/") or first.endswith(b"\r\n"):
        raise UnusableProgramError(
            f"{program.main} does not begin with a line such as #!/bin/bash, ended by a plain line feed, "
            "so nobody can start it"
        )


def read_data_validators(reading: Reading, directory: PurePosixPath) -> tuple[Program, ...]:
    """What cannot be run is warned about: the data may still be right."""
    programs = []
    for at in reading.tree.entries(directory):
        if at.name.startswith(".") or is_header(at) or at.stem.upper() == "README":
            continue
        try:
            programs.append(read_program(reading, at, GRAMMARS.get(at.suffix, "")))
        except UnusableProgramError as refusal:
            reading.tree.use(at, *reading.tree.below(at))
            reading.warn(f"a validator cannot be run: {refusal.sentence}")
    return tuple(programs)
