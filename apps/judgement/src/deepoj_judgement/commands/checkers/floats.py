"""Tokens, where numbers may differ a little.

Decimal arithmetic, because the same decimal text must give the same verdict on every machine.
"""

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import BinaryIO

from deepoj_domain.question.checker import FloatChecker
from deepoj_judgement.commands.checkers.outcome import Checked
from deepoj_judgement.commands.checkers.tokens import compare_tokens

_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,6})?")
_LONGEST_NUMBER = 1000
# More digits than any sensible output has; nothing raises, a result that makes no sense is not equal.
_ARITHMETIC = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


def check_floats(checker: FloatChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    absolute, relative = Decimal(checker.absolute), Decimal(checker.relative)

    def same(got: bytes, expected: bytes) -> bool:
        ours, theirs = _number(got), _number(expected)
        if ours is None or theirs is None:
            return False
        distance = abs(_ARITHMETIC.subtract(ours, theirs))
        return distance <= absolute or distance <= _ARITHMETIC.multiply(relative, abs(theirs))

    return compare_tokens(output, answer, same)


def _number(token: bytes) -> Decimal | None:
    if len(token) > _LONGEST_NUMBER or not _NUMBER.fullmatch(token):
        return None
    return _ARITHMETIC.create_decimal(token.decode())
