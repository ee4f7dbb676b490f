"""Programs of a package: one file, or a directory of files with one language between them."""

import re
from pathlib import PurePosixPath

from deepoj_packages.languages import is_header, language_of, main_of
from deepoj_packages.refusal import PackageRefusedError, invalid, unsupported
from deepoj_packages.shared.reading import Reading
from deepoj_packages.spec import Program

_SCRIPTS = frozenset({"build", "run"})
_PYTHON_2 = re.compile(r"^#!.*python2")
# Without a language of their own beside the sources.
_SPECIFICATIONS = frozenset({".viva", ".ctd"})


def read_program(reading: Reading, at: PurePosixPath, language: str = "", entrypoint: str = "") -> Program:
    files = (at,) if reading.tree.has(at) else reading.tree.below(at)
    reading.tree.use(*files)
    if any(file.name in _SCRIPTS and file.parent == at for file in files):
        raise unsupported(f"{at} is built by a script of its own, which Deep-OJ does not run")
    found = language or _only_language(at, files)
    sources = [file for file in files if language_of(file) == found]
    if not sources and not language:
        raise invalid(f"{at} holds no source file of a known language")
    main = main_of(files, found, at.name, entrypoint) if sources else files[0]
    _refuse_python_2(reading, main)
    if language == "python2" or found == "python2":
        raise unsupported(f"{at} is written in Python 2")
    return Program(at.name, at, found, main, files)


def _only_language(at: PurePosixPath, files: tuple[PurePosixPath, ...]) -> str:
    found = sorted({code for file in files if (code := language_of(file))})
    if not found:
        raise invalid(f"{at} holds no source file of a known language")
    if found == ["c", "cpp"]:
        return "cpp"
    if len(found) > 1:
        raise invalid(f"{at} mixes the languages {', '.join(found)}")
    return found[0]


def _refuse_python_2(reading: Reading, main: PurePosixPath) -> None:
    if main.suffix != ".py":
        return
    with reading.tree.path(main).open("rb") as file:
        first = file.readline(200).decode(errors="replace")
    if _PYTHON_2.match(first):
        raise unsupported(f"{main} is written in Python 2")


def read_input_validators(reading: Reading, directory: PurePosixPath) -> tuple[Program, ...]:
    """What cannot be run is warned about: the data may still be right."""
    programs = []
    for at in reading.tree.entries(directory):
        if at.name.startswith(".") or is_header(at) or at.stem.upper() == "README":
            continue
        if at.suffix in _SPECIFICATIONS:
            reading.tree.use(at)
            reading.warn(f"{at} is not a program and was not run: only programs validate inputs here")
            continue
        try:
            programs.append(read_program(reading, at))
        except PackageRefusedError as refusal:
            reading.tree.use_below(at)
            reading.warn(f"an input validator cannot be run: {refusal.sentence}")
    return tuple(programs)
