"""The built-in checkers behind one function."""

from dataclasses import replace
from typing import BinaryIO

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.question.checker import (
    BuiltinChecker,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    TokenChecker,
)
from deepoj_judgement.commands.judge.checkers.exact import check_exact
from deepoj_judgement.commands.judge.checkers.floats import check_floats
from deepoj_judgement.commands.judge.checkers.icpc import check_icpc
from deepoj_judgement.commands.judge.checkers.lines import check_lines
from deepoj_judgement.commands.judge.checkers.outcome import RIGHT, Checked
from deepoj_judgement.commands.judge.checkers.text_blocks import same_bytes
from deepoj_judgement.commands.judge.checkers.tokens import check_tokens


def compare(checker: BuiltinChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    if same_bytes(output, answer):
        return RIGHT
    _rewind(output, answer)
    match checker:
        case ExactChecker():
            return _or_badly_presented(check_exact(output, answer), output, answer)
        case LineChecker():
            return _or_badly_presented(check_lines(checker, output, answer), output, answer)
        case TokenChecker():
            return check_tokens(checker, output, answer)
        case FloatChecker():
            return check_floats(checker, output, answer)
        case IcpcChecker():
            return check_icpc(checker, output, answer)


def _or_badly_presented(checked: Checked, output: BinaryIO, answer: BinaryIO) -> Checked:
    """Where white space counts, the right tokens with the wrong space between them are PE and not WA."""
    if checked.word is CheckerWord.RIGHT:
        return checked
    _rewind(output, answer)
    if check_tokens(TokenChecker(), output, answer).word is CheckerWord.RIGHT:
        return replace(checked, word=CheckerWord.BADLY_PRESENTED)
    return checked


def _rewind(*streams: BinaryIO) -> None:
    for stream in streams:
        stream.seek(0)
