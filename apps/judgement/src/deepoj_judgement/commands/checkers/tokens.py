"""Token for token, white space of any kind and amount between them."""

from collections.abc import Callable
from itertools import zip_longest
from typing import BinaryIO

from deepoj_domain.question.checker import TokenChecker
from deepoj_judgement.commands.checkers.folding import folded
from deepoj_judgement.commands.checkers.outcome import RIGHT, Checked, differs
from deepoj_judgement.commands.checkers.reading import place_of_token, tokens

Same = Callable[[bytes, bytes], bool]


def check_tokens(checker: TokenChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    def same(got: bytes, expected: bytes) -> bool:
        if checker.case_sensitive and not checker.normalise_unicode:
            return False
        return _fold(got) == _fold(expected)

    def _fold(token: bytes) -> str:
        return folded(
            token, case_sensitive=checker.case_sensitive, normalise_unicode=checker.normalise_unicode
        )

    return compare_tokens(output, answer, same)


def compare_tokens(output: BinaryIO, answer: BinaryIO, same: Same) -> Checked:
    """`same` is only asked about tokens whose bytes differ."""
    for number, (got, expected) in enumerate(zip_longest(tokens(output), tokens(answer))):
        if got == expected or (got is not None and expected is not None and same(got, expected)):
            continue
        output.seek(0)
        return differs(place_of_token(output, number), expected, got)
    return RIGHT
