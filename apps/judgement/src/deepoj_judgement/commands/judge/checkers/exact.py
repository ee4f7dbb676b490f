"""Byte for byte, after line ends and a byte order mark are normalised."""

from collections.abc import Iterator
from typing import BinaryIO

from deepoj_judgement.commands.judge.checkers.outcome import RIGHT, Checked, differs
from deepoj_judgement.commands.judge.checkers.text_blocks import Place, chunks, shared_start


def check_exact(output: BinaryIO, answer: BinaryIO) -> Checked:
    return compare_texts(chunks(output), chunks(answer))


def compare_texts(ours: Iterator[bytes], theirs: Iterator[bytes]) -> Checked:
    """Compare two texts that come in pieces of any length, cut at different places."""
    got, expected = next(ours, b""), next(theirs, b"")
    place = Place()
    while got and expected:
        length = min(len(got), len(expected))
        if got[:length] != expected[:length]:
            break
        place = place.after(got[:length])
        got, expected = got[length:] or next(ours, b""), expected[length:] or next(theirs, b"")
    if not got and not expected:
        return RIGHT
    shared = shared_start(got, expected)
    place = place.after(shared)
    return differs(place, _rest_of_line(expected[len(shared) :]), _rest_of_line(got[len(shared) :]))


def _rest_of_line(text: bytes) -> bytes | None:
    """None at the end of the text; the end of a line is shown as such."""
    if not text:
        return None
    return text.partition(b"\n")[0] or b"\n"
