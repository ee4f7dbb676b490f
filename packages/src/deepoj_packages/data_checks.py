"""What often is a mistake in test data although the format allows it. Reads each file once, in pieces."""

from collections.abc import Iterator
from pathlib import Path

from deepoj_packages.spec import OutputValidator, ProblemSpec

_CHUNK = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NAMED = 3


def data_warnings(spec: ProblemSpec) -> Iterator[str]:
    """One sentence a kind of mistake, with the first files that show it."""
    found: dict[str, list[str]] = {}
    for case in spec.cases:
        answers = [case.answer] if case.answer and not isinstance(spec.validator, OutputValidator) else []
        for file in (case.input, *answers):
            for kind in _mistakes(spec.path(file)):
                found.setdefault(kind, []).append(str(file))
    for kind, files in found.items():
        more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
        yield f"{kind}: {', '.join(files[:_NAMED])}{more}"


def _mistakes(path: Path) -> Iterator[str]:
    size = path.stat().st_size
    if size == 0:
        yield "empty files"
        return
    carriage, mixed, last = _line_ends(path)
    if mixed:
        yield "files that mix LF and CRLF line ends"
    elif carriage:
        yield "files with CRLF line ends"
    if last != b"\n":
        yield "files that do not end with a line end"
    with path.open("rb") as file:
        if file.read(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK:
            yield "files with a byte order mark"


def _line_ends(path: Path) -> tuple[bool, bool, bytes]:
    """Whether there are CRLF ends, whether there are others too, and the last byte."""
    with_carriage = lines = 0
    last = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            # A pair may lie across two pieces.
            with_carriage += (last + chunk).count(b"\r\n")
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    return with_carriage > 0, 0 < with_carriage < lines, last
