"""Outputs piece by piece, whatever system they were written on.

A byte order mark at the start is dropped; CR LF and a lone CR are LF. Text is expected in UTF-8, but nothing
fails on other bytes: they are compared as they are.
"""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

CHUNK = 64 * 1024
_BOM = b"\xef\xbb\xbf"


class Place(NamedTuple):
    line: int = 1
    column: int = 1

    def after(self, text: bytes) -> "Place":
        ends = text.count(b"\n")
        if ends:
            return Place(self.line + ends, len(text) - text.rfind(b"\n"))
        return Place(self.line, self.column + len(text))


def shared_start(ours: bytes, theirs: bytes) -> bytes:
    different = (at for at, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b)
    return ours[: next(different, min(len(ours), len(theirs)))]


def raw_chunks(stream: BinaryIO) -> Iterator[bytes]:
    while chunk := stream.read(CHUNK):
        yield chunk


def chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield normalised text; no chunk is empty."""
    chunk = stream.read(max(CHUNK, len(_BOM) + 1)).removeprefix(_BOM)
    while chunk:
        following = stream.read(CHUNK)
        if chunk.endswith(b"\r") and following.startswith(b"\n"):
            chunk = chunk[:-1]
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if chunk:
            yield chunk
        chunk = following


def same_bytes(output: BinaryIO, answer: BinaryIO) -> bool:
    """Compare without looking at the meaning: most right outputs are right byte for byte."""
    while True:
        ours, theirs = output.read(CHUNK), answer.read(CHUNK)
        if ours != theirs:
            return False
        if not ours:
            return True
