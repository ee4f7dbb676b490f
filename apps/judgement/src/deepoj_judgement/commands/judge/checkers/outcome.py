"""What a checker says."""

from dataclasses import dataclass

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.score import Score, Share
from deepoj_judgement.commands.judge.checkers.text_blocks import Place
from deepoj_judgement.commands.judge.sandbox_port import Blob

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Checked:
    word: CheckerWord
    message: str = ""
    """For setters and judges; a contestant would learn the answer from it."""
    share: Share | None = None
    points: Score | None = None
    """Either may be set by a checker that gives points itself."""
    log: bytes = b""
    """What a checker program left, cut to size."""
    next_input: Blob | None = None
    """It is right so far, and the solution shall be run on this too."""
    written: Blob | None = None
    """What an interactor wrote for the checker after it."""


RIGHT = Checked(CheckerWord.RIGHT)


def broken(reason: str, log: bytes = b"") -> Checked:
    return Checked(CheckerWord.BROKEN, reason, log=log)


def differs(place: Place, expected: bytes | None, got: bytes | None) -> Checked:
    message = f"line {place.line}, column {place.column}: expected {_shown(expected)}, got {_shown(got)}"
    return Checked(CheckerWord.WRONG, message)


def _shown(text: bytes | None) -> str:
    if text is None:
        return "the end"
    cut = text[:_SHOWN].decode(errors="backslashreplace")
    return repr(cut) + ("…" if len(text) > _SHOWN else "")
