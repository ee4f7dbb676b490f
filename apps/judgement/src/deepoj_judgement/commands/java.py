"""Which classes a Java source declares: the compiler wants files named after them, the runtime one to start.

Not a parser: it skips comments and strings and counts braces, in one pass over the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

# Each alternative also takes what is never closed, so no text is looked at twice.
_NOISE = re.compile(
    r"//[^\n]*"
    r"|/\*.*?(?:\*/|\Z)"
    r'|"""(?:\\.|.)*?(?:"""|\Z)'
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'(?:\\.|[^'\\\n])*'?",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_]\w*|[{}();]")
_PACKAGE = re.compile(r"\s*package\s+([\w.]+)\s*;")
_DECLARING = frozenset({"class", "interface", "enum", "record"})


@dataclass(frozen=True, slots=True)
class JavaClass:
    name: str
    """With its package."""
    is_public: bool = False
    has_main: bool = False

    @property
    def file_name(self) -> str:
        return self.name.rpartition(".")[2] + ".java"


def classes_in(source: bytes) -> list[JavaClass]:
    """Return the outermost classes in their order."""
    text = _NOISE.sub(" ", source.decode(errors="replace"))
    package = _PACKAGE.match(text)
    prefix = f"{package[1]}." if package else ""
    return [replace(found, name=prefix + found.name) for found in _declared(text)]


def _declared(text: str) -> Iterator[JavaClass]:
    depth = 0
    found: JavaClass | None = None
    is_public = False
    before: tuple[str, str] = ("", "")
    for word in _WORD.findall(text):
        if depth == 0 and before[1] in _DECLARING and word.isidentifier():
            found = JavaClass(word, is_public)
        if depth == 1 and found and (*before, word) == ("void", "main", "("):
            found = replace(found, has_main=True)
        is_public = word == "public" or (is_public and word not in {"}", ";"})
        depth += {"{": 1, "}": -1}.get(word, 0)
        if word == "}" and depth == 0 and found:
            yield found
            found = None
        before = (before[1], word)


def start_class(files: Iterator[bytes]) -> str:
    """Return the class to start: Main if it can be started, else the first that can."""
    able = [each.name for source in files for each in classes_in(source) if each.has_main]
    return "Main" if "Main" in able or not able else able[0]
