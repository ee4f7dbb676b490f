"""What importing a package needs from outside."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.listing import Tag
from deepoj_domain.question.revision import RevisionContent
from deepoj_packages.options import Dialect, Told


class BusyError(Exception):
    """As many packages are being read as may be at once; later there will be room."""


class Stage(StrEnum):
    RECEIVING = "receiving"
    READING = "reading"
    STORING = "storing"


@dataclass(frozen=True, slots=True)
class Progress:
    """In bytes; a total of 0 is not known."""

    stage: Stage
    done: int
    total: int


Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Upload:
    """An archive on its way to us."""

    chunks: AsyncIterable[bytes]
    size: int
    """0: not known."""


class MessageLevel(StrEnum):
    INFO = "info"
    """It changes what people see."""
    WARNING = "warning"
    """The package was read in another way than it may mean."""
    DANGER = "danger"
    """It changes verdicts."""


@dataclass(frozen=True, slots=True)
class Message:
    """What was taken but may surprise."""

    level: MessageLevel
    file: str
    """Inside the package; empty: of the package as a whole."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    content: RevisionContent
    name: str
    """Of its directory; empty when it has none."""
    tags: frozenset[Tag]
    files: Mapping[ContentHash, Path]
    """All that the content names; they lie there as long as the package is open."""
    messages: tuple[Message, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(each.text for each in self.messages)


@dataclass(frozen=True, slots=True)
class RefusedPackage:
    """One problem of several; the others are taken all the same."""

    name: str
    why: InvalidValueError


@dataclass(frozen=True, slots=True)
class PackageSet:
    format: str
    packages: tuple[Package | RefusedPackage, ...]
    """An archive with one problem has that one, never refused."""


class Packages(Protocol):
    def open(
        self, source: Upload | Path, dialect: Dialect, told: Told, tell: Tell
    ) -> AbstractAsyncContextManager[PackageSet]:
        """Read an archive or a directory; raise InvalidValueError for one that is refused, or BusyError."""
        ...


@dataclass(frozen=True, slots=True)
class Stored:
    uploaded: int
    already_there: int


class PackageFiles(Protocol):
    async def ensure(self, files: Mapping[ContentHash, Path], tell: Tell) -> Stored:
        """Store those that are not there yet."""
        ...
