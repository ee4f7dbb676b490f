"""A program: what its author wrote, and what becomes of it in boxes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.sandbox_port import Blob


@dataclass(frozen=True, slots=True)
class SourceTree:
    """Several named files, as a package may have them; people send one text."""

    files: Mapping[str, bytes]
    entry: str = ""
    """The file it begins in; empty: the one its language looks for."""

    @property
    def hash(self) -> ContentHash:
        digests = (f"{sha256(content).hexdigest()} {name}\n" for name, content in sorted(self.files.items()))
        return hash_of("".join((*digests, self.entry)).encode())


Source = SourceCode | SourceTree


def entry_of(source: Source) -> str:
    return source.entry if isinstance(source, SourceTree) else ""


def files_of(source: Source, source_name: str) -> Mapping[str, bytes]:
    return source.files if isinstance(source, SourceTree) else {source_name: source.text.encode()}


@dataclass(frozen=True, slots=True)
class Program:
    """What goes into a box to be run. `main` is the file or class it begins with, where that matters."""

    files: Mapping[str, Blob | bytes]
    main: str = ""
    log: bytes = b""
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """What it finds in the directory where it starts."""
    source: Mapping[str, bytes] = field(default_factory=dict)
    """What it was made of, under the names the compiler knew."""


@dataclass(frozen=True, slots=True)
class CompileFailed:
    log: bytes
