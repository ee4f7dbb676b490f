"""What a result came from: enough to judge the same again, and to say what was different then."""

from dataclasses import dataclass

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeHost:
    worker: str
    version: str
    """Of Deep-OJ."""
    architecture: str
    processor: str
    cores: int
    """How many it judges with."""
    kernel: str
    layers: tuple[str, ...]
    """Of the isolation of its boxes, then what is missing."""
    speed_percent: int = 100
    """How long it takes for what the reference does in 100; its times are told in the reference's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    revision: RevisionRef
    spec: ContentHash
    """Of everything a revision says about judging, the hashes of its data included."""
    data: ContentHash
    source: ContentHash
    language: LanguageSlug
    toolchain: str
    """What it says its version is, and a mark of its row in the table of languages."""
    checker_toolchains: tuple[str, ...]
    compile: tuple[tuple[str, ...], ...]
    """`{main}` stands for where the program begins."""
    run: tuple[str, ...]
    environment: tuple[str, ...]
    limits: Limits
    """Of a case that has none of its own."""
    host: JudgeHost
    from_cache: bool = False
    """The judge cache knew the result, so this host did not run it."""
