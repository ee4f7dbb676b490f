"""What a reader may be told: how much it takes, and how it understands the legacy scores."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.question.limits import MOST_DATA_BYTES

MIB = 1024 * 1024


class Dialect(StrEnum):
    """Two judges read `testdata.yaml` of scoring problems differently; docs/setters.md compares them."""

    KATTIS = "kattis"
    DOMJUDGE = "domjudge"


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
class ReadingOptions:
    limits: ReadingLimits = ReadingLimits()
    dialect: Dialect = Dialect.KATTIS
    item: str = ""
    """Which problem of an archive that holds several: its short name."""
    progress: ProgressCallback = no_progress
