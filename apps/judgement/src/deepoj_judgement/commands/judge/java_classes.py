"""Which classes a Java source declares: the compiler wants files named after them, the runtime one to start.

Not a parser: it skips comments and strings and counts braces, in one pass over the text.
"""

import re
from collections.abc import Iterator, Sequence
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
_WORD = re.compile(r"(?:[^\W\d]|\$)[\w$]*|[{}();]")
_PACKAGE = re.compile(r"\s*package\s+([\w.$]+)\s*;")
_MARKS = frozenset("{}();")
_DECLARING = frozenset({"class", "interface", "enum", "record"})


@dataclass(frozen=True, slots=True)
class JavaClass:
    name: str
    is_public: bool = False
    has_main: bool = False
    package: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.package}.{self.name}" if self.package else self.name

    @property
    def file_name(self) -> str:
        return self.name + ".java"


def classes_in(source: bytes) -> list[JavaClass]:
    """Return the outermost classes in their order."""
    text = _NOISE.sub(" ", source.decode(errors="replace"))
    package = _PACKAGE.match(text)
    return list(_declared(text, package[1] if package else ""))


def _declared(text: str, package: str) -> Iterator[JavaClass]:
    depth = 0
    found: JavaClass | None = None
    is_public = False
    before: tuple[str, str] = ("", "")
    for word in _WORD.findall(text):
        if depth == 0 and before[1] in _DECLARING and word not in _MARKS:
            found = JavaClass(word, is_public, package=package)
        if depth == 1 and found and (*before, word) == ("void", "main", "("):
            found = replace(found, has_main=True)
        is_public = word == "public" or (is_public and word not in {"}", ";"})
        depth += {"{": 1, "}": -1}.get(word, 0)
        if word == "}" and depth == 0 and found:
            yield found
            found = None
        before = (before[1], word)


def start_class(files: Sequence[bytes], entry: bytes) -> str:
    """Return the class to start: of those that can be, one of `entry`, else Main, else the first."""
    able = _startable(entry) or [each for source in files for each in _startable(source)]
    if not able or any(each.name == "Main" and not each.package for each in able):
        return "Main"
    return able[0].full_name


def _startable(source: bytes) -> list[JavaClass]:
    return [each for each in classes_in(source) if each.has_main]
