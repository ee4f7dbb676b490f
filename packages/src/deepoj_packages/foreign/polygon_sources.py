"""Source files of a Polygon package, and what kind of program each is."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.xml_tree import Element
from deepoj_packages.languages import is_header
from deepoj_packages.refusal import invalid
from deepoj_packages.shared.programs import program_of
from deepoj_packages.spec import Program
from deepoj_packages.tree import Tree

_FILES = PurePosixPath("files")
# Their types begin with these; the rest of a type names a compiler.
_TYPES = {
    "cpp": "cpp",
    "c": "c",
    "java": "java",
    "kotlin": "kotlin",
    "pas": "pascal",
    "csharp": "csharp",
    "go": "go",
    "rust": "rust",
    "js": "javascript",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
    "haskell": "haskell",
    "scala": "scala",
    "d": "d",
}


class PolygonSources:
    def __init__(self, tree: Tree, draft: Draft) -> None:
        self._tree = tree
        self._draft = draft

    def program(self, about: Element, at: PurePosixPath) -> Program:
        """With every header of the package beside it, in the directory `at`."""
        files = tuple(
            self._draft.put(at / _name(file), self._tree.path(file))
            for file in (self.path(about), *self.headers())
        )
        return program_of(at, files, self.language(about))

    def solution(self, about: Element, at: PurePosixPath) -> Program:
        """One file."""
        at = self._draft.put(at.with_name(_name(at)), self._tree.path(self.path(about)))
        return program_of(at, (at,), self.language(about))

    def headers(self) -> Iterator[PurePosixPath]:
        return (file for file in self._tree.entries(_FILES) if is_header(file) and self._tree.has(file))

    def path(self, about: Element) -> PurePosixPath:
        """Of the source of an asset, or of a file."""
        if about.name != "file" and not about.children:
            raise invalid(f"{about.where}: the package has no {about.name}")
        holder = about if about.name == "file" else about.first("source")
        path = PurePosixPath(holder.get("path"))
        if not self._tree.has(path):
            raise invalid(f"{holder.where}: {str(path)[:80]!r} is not in the package")
        return path

    def language(self, about: Element) -> str:
        """A code of the format's table; empty: what the name of the file tells."""
        kind = about.first("source").get("type").lower()
        if kind.startswith("python"):
            return "python2" if kind.startswith(("python.2", "python.pypy2")) else "python3"
        return language_of_type(kind)


def language_of_type(kind: str) -> str:
    return _TYPES.get(kind.partition(".")[0].rstrip("0123456789"), "")


def _name(file: PurePosixPath) -> str:
    return f"{file.stem}.pas" if file.suffix.lower() == ".dpr" else file.name
