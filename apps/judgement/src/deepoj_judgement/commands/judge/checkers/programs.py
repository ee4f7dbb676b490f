"""What the ending of a checker program means. Every ending that is not known is a broken checker.

testlib tells a share in percent by the message, "partially correct (50)", and by an exit code that is the
bare percentage, or that plus what the program was compiled to add. The message is needed: without it a share
of 1 % looks like a rejection.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal
from itertools import pairwise
from typing import Final

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import EVERYTHING, Score, Share
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.checker import Convention, ProgramChecker
from deepoj_judgement.commands.judge.checkers.conventions import (
    FULL_PERCENT,
    JUDGE_MESSAGE,
    LEMON_MESSAGE,
    LEMON_SCORE,
    MULTIPLIER,
    NEXT_PASS,
    SCORE,
    TEAM_MESSAGE,
    WRITTEN,
)
from deepoj_judgement.commands.judge.checkers.outcome import Checked, broken
from deepoj_judgement.commands.judge.sandbox_port import Blob, Ran, RunReport

_LOG_BYTES = 64 * 1024
_RIGHT_OR_WRONG = {0: CheckerWord.RIGHT, 1: CheckerWord.WRONG}
_ICPC = {42: CheckerWord.RIGHT, 43: CheckerWord.WRONG}
_TESTLIB = {**_RIGHT_OR_WRONG, **dict.fromkeys((2, 4, 8), CheckerWord.BADLY_PRESENTED)}
_COCI = {**_RIGHT_OR_WRONG, 2: CheckerWord.BADLY_PRESENTED}
_PARTIAL_EXIT = 7
_TESTLIB_SHARE = re.compile(r"partially correct \((\d{1,3})\)")
_TESTLIB_BASES = frozenset({0, 16, 50})
_COCI_SHARE = re.compile(r"^partial (\d{1,12})/(\d{1,12})$", re.MULTILINE)
_NUMBER = re.compile(r"\s*(?:points\s+)?(\d{1,12}(?:\.\d{0,40})?)(?=\s|$)")
_SMALL_NUMBER = re.compile(r"\s*((?:\d{1,12}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE]-\d{1,2})?)(?=\s|$)")
_MICRO = Decimal(1).scaleb(-6)


@dataclass(frozen=True, slots=True)
class _Ending:
    code: int
    said: str
    ran: Ran
    most: Score | None
    """What the case can earn, None when there is no bound."""
    counts: bool
    """Whether points count."""

    def word(self, words: Mapping[int, CheckerWord]) -> Checked | None:
        found = words.get(self.code)
        return None if found is None else Checked(found)


def read_ending(checker: ProgramChecker, ran: Ran, most: Score | None, *, scored: bool) -> Checked:
    """`most` is what the case can earn, None when there is no bound; unless `scored`, points do not count."""
    said, log = _said(ran), _log(ran)
    report = ran.report
    if not _ended_by_itself(report):
        return broken(f"the checker {_why(report)}: {said}", log)
    counts = checker.scores and scored
    try:
        checked = _READERS[checker.convention](_Ending(report.exit_code, said, ran, most, counts))
    except InvalidValueError as error:
        return broken(f"the checker gives points that make no sense ({error}): {said}", log)
    if checked is None:
        return broken(f"the checker ended with the unknown exit code {report.exit_code}: {said}", log)
    if NEXT_PASS in ran.taken and checked.word is not CheckerWord.RIGHT:
        return broken(f"the checker asks for another run, and does not accept this one: {said}", log)
    if not counts:
        checked = Checked(checked.word)
    return replace(
        checked, message=said, log=log, next_input=ran.taken.get(NEXT_PASS), written=ran.taken.get(WRITTEN)
    )


def _testlib(ending: _Ending) -> Checked | None:
    partial = _TESTLIB_SHARE.match(ending.said)
    if partial and ending.code - int(partial[1]) in _TESTLIB_BASES:
        return _partial(Decimal(partial[1]), Decimal(100))
    if ending.code == _PARTIAL_EXIT:
        points = _points(ending.said, ending.most)
        return Checked(_word(full=ending.most is None or points >= ending.most), points=points)
    return ending.word(_TESTLIB)


def _uoj(ending: _Ending) -> Checked | None:
    if ending.code != _PARTIAL_EXIT:
        return ending.word(_TESTLIB)
    found = _NUMBER.match(ending.said)
    if not found:
        raise InvalidValueError("checker_points", f"{ending.said[:40]!r} does not begin with a share")
    return _partial(Decimal(found[1]), Decimal(1))


def _icpc(ending: _Ending) -> Checked | None:
    checked = ending.word(_ICPC)
    if checked and checked.word is CheckerWord.RIGHT and ending.counts and NEXT_PASS not in ending.ran.taken:
        return _feedback_points(ending.ran.taken, ending.most)
    return checked


def _coci(ending: _Ending) -> Checked | None:
    if ending.code != _PARTIAL_EXIT:
        return ending.word(_COCI)
    found = _COCI_SHARE.search(_text(ending.ran.stderr))
    if not found:
        raise InvalidValueError("checker_points", "it names no share, as in `partial 1/2`")
    return _partial(Decimal(found[1]), Decimal(found[2]))


def _peg(ending: _Ending) -> Checked | None:
    if ending.code not in _RIGHT_OR_WRONG:
        return None
    ratios = ((part, whole) for part, whole in pairwise(_numbers(ending.ran.stdout)) if part and whole)
    part, whole = next(ratios, (None, None))
    return ending.word(_RIGHT_OR_WRONG) if part is None or whole is None else _partial(part, whole)


def _numbers(output: Blob) -> Iterator[Decimal | None]:
    for line in _text(output).splitlines():
        found = _SMALL_NUMBER.fullmatch(line.rstrip())
        yield Decimal(found[1]) if found else None


def _told(ending: _Ending, text: str, full: Decimal) -> Checked | None:
    """The program says in a number what an exit code of 0 is worth."""
    if ending.code:
        return None
    found = _SMALL_NUMBER.match(text)
    if not found:
        raise InvalidValueError("checker_points", f"{text[:40]!r} does not begin with a number")
    return _partial(Decimal(found[1]), full)


def _lemon(ending: _Ending) -> Checked | None:
    score = ending.ran.taken.get(LEMON_SCORE)
    return _told(ending, _text(score) if score else "", Decimal(FULL_PERCENT))


def _hustoj(ending: _Ending) -> Checked:
    return Checked(_word(full=ending.code == 0))


def _right_or_wrong(ending: _Ending) -> Checked | None:
    return ending.word(_RIGHT_OR_WRONG)


def _cms(ending: _Ending) -> Checked | None:
    return _told(ending, _text(ending.ran.stdout), Decimal(1))


def _syzoj(ending: _Ending) -> Checked | None:
    return _told(ending, _text(ending.ran.stdout), Decimal(FULL_PERCENT))


_READERS: Final[Mapping[Convention, Callable[[_Ending], Checked | None]]] = {
    Convention.ICPC: _icpc,
    Convention.TESTLIB: _testlib,
    Convention.HUSTOJ: _hustoj,
    Convention.QDUOJ: _right_or_wrong,
    Convention.LEMON: _lemon,
    Convention.SYZOJ: _syzoj,
    Convention.CMS: _cms,
    Convention.DMOJ: _right_or_wrong,
    Convention.COCI: _coci,
    Convention.PEG: _peg,
    Convention.UOJ: _uoj,
    Convention.SOURCE: _icpc,
}


def _partial(part: Decimal, whole: Decimal) -> Checked:
    if not 0 <= part <= whole or not whole:
        raise InvalidValueError("checker_points", f"{part} is no part of {whole}")
    share = Share(int(part / whole / _MICRO))
    return Checked(_word(full=share == EVERYTHING), share=share)


def _feedback_points(feedback: Mapping[str, Blob], most: Score | None) -> Checked:
    if SCORE in feedback and MULTIPLIER in feedback:
        raise InvalidValueError("checker_points", f"it wrote both {SCORE} and {MULTIPLIER}")
    if SCORE in feedback:
        return Checked(CheckerWord.RIGHT, points=_points(_text(feedback[SCORE]), most))
    if most is None:
        raise InvalidValueError("checker_points", f"it wrote no {SCORE}, and nothing else bounds the score")
    if MULTIPLIER in feedback:
        share = _points(_text(feedback[MULTIPLIER]), None)
        return Checked(CheckerWord.RIGHT, share=Share(share.micros))
    return Checked(CheckerWord.RIGHT)


def _word(*, full: bool) -> CheckerWord:
    return CheckerWord.RIGHT if full else CheckerWord.WRONG


def _points(text: str, most: Score | None) -> Score:
    """Read what comes first in the text; digits beyond a millionth are dropped."""
    found = _NUMBER.match(text)
    if not found:
        raise InvalidValueError("checker_points", f"{text[:40]!r} does not begin with a number of points")
    points = Score.points(Decimal(found[1]).quantize(_MICRO, ROUND_DOWN))
    if most is not None and points > most:
        raise InvalidValueError("checker_points", f"{points} points are more than the {most} of the case")
    return points


def _ended_by_itself(report: RunReport) -> bool:
    return report.verdict in {SandboxVerdict.OK, SandboxVerdict.RUNTIME_ERROR} and not report.signal


def _why(report: RunReport) -> str:
    match report.verdict:
        case SandboxVerdict.TIME_LIMIT:
            return f"ran out of time after {report.time_ms} ms"
        case SandboxVerdict.MEMORY_LIMIT:
            return f"ran out of memory at {report.memory_kib} KiB"
        case SandboxVerdict.OUTPUT_LIMIT:
            return "wrote too much"
        case SandboxVerdict.OK | SandboxVerdict.RUNTIME_ERROR | SandboxVerdict.SYSTEM_ERROR:
            return f"was killed by signal {report.signal}"


def _said(ran: Ran) -> str:
    """Return the message for judges: from the feedback directory, else what it complained about."""
    judges = ran.taken.get(JUDGE_MESSAGE) or ran.taken.get(LEMON_MESSAGE)
    message = (_text(judges) if judges else "") or _text(ran.stderr)
    if TEAM_MESSAGE in ran.taken:
        message += f"\n(to the team) {_text(ran.taken[TEAM_MESSAGE])}"
    return message.strip()


def _log(ran: Ran) -> bytes:
    return b"".join(_head(part) for part in (ran.stdout, ran.stderr, *ran.taken.values()))


def _text(blob: Blob) -> str:
    return _head(blob).decode(errors="replace")


def _head(blob: Blob) -> bytes:
    with blob.open() as stream:
        return stream.read(_LOG_BYTES)
