"""A grammar with its interpreter: a program like any other validator's."""

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

import deepoj_packages

LANGUAGES = {".ctd": "checktestdata", ".viva": "viva"}
"""By the ending of a grammar."""
WRITTEN_IN = "python3"
_GRAMMAR = "grammar"
_MAIN = "from deepoj_packages.grammars.validate import main\n\nmain({language!r}, {grammar!r})\n"


def is_grammar(language: str) -> bool:
    return language in LANGUAGES.values()


def with_interpreter(language: str, grammar: bytes) -> Mapping[str, bytes]:
    """The files of a program in Python, by their names."""
    package = deepoj_packages.__name__
    found = {
        "main.py": _MAIN.format(language=language, grammar=_GRAMMAR).encode(),
        _GRAMMAR: grammar,
        f"{package}/__init__.py": b"",
    }
    _add(found, f"{package}/grammars", files(deepoj_packages) / "grammars")
    return found


def _add(found: dict[str, bytes], name: str, directory: Traversable) -> None:
    for entry in directory.iterdir():
        inside = f"{name}/{entry.name}"
        if entry.is_dir() and not entry.name.startswith("__"):
            _add(found, inside, entry)
        elif entry.name.endswith(".py"):
            found[inside] = entry.read_bytes()
