"""What readers and writers may be told: how much to take, how to read legacy scores, what to write."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.question.limits import MOST_DATA_BYTES

MIB = 1024 * 1024


class Dialect(StrEnum):
    """Two judges read `testdata.yaml` of scoring problems differently; docs/setters.md compares them."""

    KATTIS = "kattis"
    DOMJUDGE = "domjudge"


class ExportFormat(StrEnum):
    V2025_09 = "2025-09"
    LEGACY = "legacy"
    POLYGON = "polygon"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    files: int = 20_000
    total_bytes: int = 4096 * MIB
    file_bytes: int = MOST_DATA_BYTES
    """What a run takes as its input: a larger case could be stored and never judged."""
    ratio: int = 200
    """Unpacked size over archive size; counts only above `ratio_floor_bytes`, as small text packs well."""
    ratio_floor_bytes: int = 64 * MIB
    depth: int = 12
    path_bytes: int = 1000
    yaml_bytes: int = 256 * 1024
    yaml_nodes: int = 20_000
    """After every alias is written out."""
    yaml_depth: int = 20
    problems: int = 1000
    """In one archive."""
    text_bytes: int = 4 * MIB
    """A statement or the source of a program."""


@dataclass(frozen=True, slots=True)
class Progress:
    step: str
    done: int
    total: int
    """In bytes; 0 while unknown."""


ProgressCallback = Callable[[Progress], None]


def no_progress(progress: Progress) -> None:
    del progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What whoever brings a package says where the package does not."""

    title: str = ""
    time_ms: int | None = None
    memory_mib: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    limits: ReadingLimits = ReadingLimits()
    dialect: Dialect = Dialect.KATTIS
    item: str = ""
    """Which problem of an archive that holds several: its short name."""
    told: Told = Told()
    follow_links: bool = False
    """Take what links of a directory lead to outside of it, and do without what they lead nowhere for."""
    progress: ProgressCallback = no_progress
