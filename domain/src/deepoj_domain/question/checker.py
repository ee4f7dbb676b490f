"""How an answer is compared. One type a kind, so that each carries its own options and no others."""

from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.language import LanguageSlug


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactChecker:
    """Byte for byte, after line ends and a byte order mark are normalised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChecker:
    ignore_trailing_space: bool = True
    collapse_spaces: bool = False
    normalise_unicode: bool = False
    """Compare in the composed form (NFC), so that two ways to write é are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChecker:
    case_sensitive: bool = True
    normalise_unicode: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatChecker:
    """Tokens; numbers may differ by either epsilon. Decimal text, because 1e-9 has no exact float."""

    absolute: str = "0"
    relative: str = "0"


class Convention(StrEnum):
    """How a program checker is called and how its exit code is read."""

    ICPC = "icpc"
    TESTLIB = "testlib"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramChecker:
    """A setter's own validator or interactor, run in the sandbox under limits of its own."""

    source: ContentHash
    language: LanguageSlug
    convention: Convention
    interactive: bool = False
    arguments: tuple[str, ...] = ()


Checker = ExactChecker | LineChecker | TokenChecker | FloatChecker | ProgramChecker
