"""Tokens, where numbers may differ a little.

Decimal arithmetic decides, because the same decimal text must give the same verdict on every machine. Binary
numbers only answer what is far from the border, where they cannot be wrong.
"""

import re
from decimal import MAX_EMAX, MIN_EMIN, Context
from typing import BinaryIO

from deepoj_domain.question.checker import FloatChecker, tolerance
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.checkers.text_blocks import chunks
from deepoj_judgement.commands.judge.checkers.token_stream import LONGEST_TOKEN, TokenStream
from deepoj_judgement.commands.judge.checkers.tokens import compare_pieces

# Every digit has one place in it: a text that is no number is found out in one pass.
_NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
# What a number is made of; without letters and underscores float() takes only decimal numbers.
_DIGITS = b"0123456789+-.eE"
# More digits than any sensible output has; nothing raises, a result that makes no sense is not equal.
_ARITHMETIC = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
# Each of four roundings is off by 2^-53 of its operands at most, and these are larger.
_DOUBT = 1e-14
_LARGEST, _SMALLEST = 1e300, 1e-290


def check_floats(checker: FloatChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    near = Nearness(checker.absolute, checker.relative)
    return compare_pieces(TokenStream(chunks(output)), TokenStream(chunks(answer)), near)


class Nearness:
    """Whether two tokens are numbers that differ by no more than either tolerance; None: none is given."""

    def __init__(self, absolute: str | None, relative: str | None) -> None:
        self._absolute = None if absolute is None else tolerance(absolute)
        self._relative = None if relative is None else tolerance(relative)
        self._quick_absolute = float(self._absolute or 0)
        self._quick_relative = float(self._relative or 0)

    def __call__(self, got: bytes, expected: bytes) -> bool:
        if max(len(got), len(expected)) >= LONGEST_TOKEN:
            # The first piece of something longer is not what it looks like.
            return False
        if got.translate(None, _DIGITS) or expected.translate(None, _DIGITS):
            return False
        try:
            ours, theirs = float(got), float(expected)
        except ValueError:
            return False
        distance, size = abs(ours - theirs), abs(theirs)
        allowed = max(self._quick_absolute, self._quick_relative * size)
        doubt = _DOUBT * (abs(ours) + size + allowed)
        if _SMALLEST < doubt < _LARGEST:
            if distance + doubt < allowed:
                return True
            if distance > allowed + doubt:
                return False
        return self._exactly(got, expected)

    def _exactly(self, got: bytes, expected: bytes) -> bool:
        if not (_NUMBER.fullmatch(got) and _NUMBER.fullmatch(expected)):
            return False
        ours, theirs = (_ARITHMETIC.create_decimal(each.decode()) for each in (got, expected))
        distance = _ARITHMETIC.abs(_ARITHMETIC.subtract(ours, theirs))
        if not distance.is_finite():
            # Beyond all exponents.
            return False
        if self._absolute is not None and distance <= self._absolute:
            return True
        if self._relative is None:
            return False
        return distance <= _ARITHMETIC.multiply(self._relative, _ARITHMETIC.abs(theirs))
