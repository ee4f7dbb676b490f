"""The default output validator of the ICPC package format, flag for flag.

It knows no byte order mark and, when space counts, no other line ends than the answer has: so texts are
compared as they are.
"""

from typing import BinaryIO

from deepoj_domain.question.checker import IcpcChecker
from deepoj_judgement.commands.judge.checkers.floats import Nearness
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.checkers.text_blocks import raw_chunks
from deepoj_judgement.commands.judge.checkers.token_stream import TokenStream
from deepoj_judgement.commands.judge.checkers.tokens import compare_pieces


def check_icpc(checker: IcpcChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    ours, theirs = (_pieces(checker, stream) for stream in (output, answer))
    if checker.absolute is None and checker.relative is None:
        return compare_pieces(ours, theirs)
    return compare_pieces(ours, theirs, Nearness(checker.absolute, checker.relative))


def _pieces(checker: IcpcChecker, stream: BinaryIO) -> TokenStream:
    # bytes.lower() knows the 26 letters of ASCII, as the validator does.
    fold = bytes if checker.case_sensitive else bytes.lower
    return TokenStream(raw_chunks(stream), fold, spaces=checker.space_change_sensitive)
