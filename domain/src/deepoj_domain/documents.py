"""What services hand each other whole, by its versioned name. A changed shape gets a new version."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from deepoj_domain.judgement.manifest import Manifest
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.question.checker import CHECKERS
from deepoj_domain.question.revision import Judging

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shape(Generic[T]):
    name: str
    kind: type[T]
    unions: Mapping[str, Mapping[str, type]] = field(default_factory=dict)
    """For an attribute that may be of several types their names."""
    older: tuple[str, ...] = ()
    """Names of versions that lack some fields, which then have their defaults."""


JUDGING: Final = Shape("judging.v2", Judging, {"checker": CHECKERS}, older=("judging.v1",))
MANIFEST: Final = Shape("judge_manifest.v1", Manifest)
JUDGE_RESULT: Final = Shape("judge_result.v1", JudgeResult)
