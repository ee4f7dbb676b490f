"""Byte for byte, after line ends and a byte order mark are normalised."""

from typing import BinaryIO

from deepoj_judgement.commands.checkers.outcome import RIGHT, Checked, differs
from deepoj_judgement.commands.checkers.reading import Place, chunks


def check_exact(output: BinaryIO, answer: BinaryIO) -> Checked:
    ours, theirs = chunks(output), chunks(answer)
    got, expected = next(ours, b""), next(theirs, b"")
    line, column = 1, 1
    while got and expected:
        length = min(len(got), len(expected))
        if got[:length] != expected[:length]:
            break
        line, column = _moved(line, column, got[:length])
        got, expected = got[length:] or next(ours, b""), expected[length:] or next(theirs, b"")
    if not got and not expected:
        return RIGHT
    shared = next((at for at, (a, b) in enumerate(zip(got, expected, strict=False)) if a != b), 0)
    line, column = _moved(line, column, got[:shared])
    return differs(Place(line, column), expected[shared:] or None, got[shared:] or None)


def _moved(line: int, column: int, text: bytes) -> tuple[int, int]:
    ends = text.count(b"\n")
    return (line + ends, len(text) - text.rfind(b"\n")) if ends else (line, column + len(text))
