"""What the ending of a checker program means. Every ending that is not known is a broken checker.

ICPC: 42 accepts and 43 rejects; files in the feedback directory say more. testlib: 0 accepts, 1 rejects, 2, 4
and 8 are presentation errors, 7 gives the points its message begins with. A share in percent is told by the
message, "partially correct (50)", and by an exit code that is the bare percentage, or that plus what the
program was compiled to add. The message is needed: without it a share of 1 % looks like a rejection.
"""

import re
from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import EVERYTHING, Score, Share
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.checker import Convention, ProgramChecker
from deepoj_judgement.commands.judge.checkers.outcome import Checked, broken
from deepoj_judgement.commands.judge.sandbox_port import Blob, Ran, RunReport

JUDGE_MESSAGE, TEAM_MESSAGE = "judgemessage.txt", "teammessage.txt"
SCORE, MULTIPLIER = "score.txt", "score_multiplier.txt"
FEEDBACK = {Convention.ICPC: (JUDGE_MESSAGE, TEAM_MESSAGE, SCORE, MULTIPLIER), Convention.TESTLIB: ()}
"""The files a program of each convention may leave."""
_LOG_BYTES = 64 * 1024
_WORDS = {
    Convention.ICPC: {42: CheckerWord.RIGHT, 43: CheckerWord.WRONG},
    Convention.TESTLIB: {
        0: CheckerWord.RIGHT,
        1: CheckerWord.WRONG,
        2: CheckerWord.BADLY_PRESENTED,
        4: CheckerWord.BADLY_PRESENTED,
        8: CheckerWord.BADLY_PRESENTED,
    },
}
_TESTLIB_POINTS = 7
_TESTLIB_SHARE = re.compile(r"partially correct \((\d{1,3})\)")
_TESTLIB_BASES = frozenset({0, 16, 50})
_NUMBER = re.compile(r"\s*(?:points\s+)?(\d{1,12}(?:\.\d{0,40})?)(?=\s|$)")
_MICRO = Decimal(1).scaleb(-6)


def read_ending(checker: ProgramChecker, ran: Ran, most: Score | None, *, scored: bool) -> Checked:
    """`most` is what the case can earn, None when there is no bound; unless `scored`, points do not count."""
    said, log = _said(ran), _log(ran)
    report = ran.report
    if not _ended_by_itself(report):
        return broken(f"the checker {_why(report)}: {said}", log)
    counts = checker.scores and scored
    try:
        checked = (
            _testlib(report.exit_code, said, most)
            if checker.convention is Convention.TESTLIB
            else _icpc(report.exit_code, ran.taken if counts else None, most)
        )
    except InvalidValueError as error:
        return broken(f"the checker gives points that make no sense ({error}): {said}", log)
    if checked is None:
        return broken(f"the checker ended with the unknown exit code {report.exit_code}: {said}", log)
    if not counts:
        return Checked(checked.word, said, log=log)
    return Checked(checked.word, said, checked.share, checked.points, log)


def _testlib(exit_code: int, said: str, most: Score | None) -> Checked | None:
    partial = _TESTLIB_SHARE.match(said)
    if partial and exit_code - int(partial[1]) in _TESTLIB_BASES:
        share = Share(int(partial[1]) * 10_000)
        return Checked(_word(full=share == EVERYTHING), share=share)
    if exit_code == _TESTLIB_POINTS:
        points = _points(said, most)
        return Checked(_word(full=most is None or points >= most), points=points)
    word = _WORDS[Convention.TESTLIB].get(exit_code)
    return None if word is None else Checked(word)


def _icpc(exit_code: int, feedback: Mapping[str, Blob] | None, most: Score | None) -> Checked | None:
    """`feedback` is None where points do not count."""
    word = _WORDS[Convention.ICPC].get(exit_code)
    if word is CheckerWord.RIGHT and feedback is not None:
        return _feedback_points(feedback, most)
    return None if word is None else Checked(word)


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
    judges = _text(ran.taken[JUDGE_MESSAGE]) if JUDGE_MESSAGE in ran.taken else ""
    message = judges or _text(ran.stderr)
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
