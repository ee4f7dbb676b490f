"""Test data of Windows packages: a contestant's program here would read every CR of it."""

from pathlib import Path, PurePosixPath

from deepoj_packages.foreign.draft import Draft

_CHUNK = 1024 * 1024


class TextFiles:
    """Takes files into a draft with the line ends of Unix, and counts those that had others."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._changed: dict[Path, PurePosixPath] = {}

    def take(self, file: PurePosixPath, source: Path) -> PurePosixPath:
        if source in self._changed:
            return self._changed[source]
        if not _has_carriage(source):
            return self._draft.take(file, source)
        with source.open("rb") as given, self._draft.place(file).open("wb") as made:
            kept = b""
            while chunk := given.read(_CHUNK):
                whole = kept + chunk
                # Its line feed may come with the next piece.
                kept = b"\r" if whole.endswith(b"\r") else b""
                made.write(whole.removesuffix(kept).replace(b"\r\n", b"\n"))
            made.write(kept)
        self._changed[source] = file
        return file

    def warn(self) -> None:
        if self._changed:
            self._draft.warn(
                f"{len(self._changed)} files of test data had CRLF line ends, which became LF: "
                "programs here read what the files hold"
            )


def _has_carriage(path: Path) -> bool:
    last = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            if b"\r\n" in chunk or (last == b"\r" and chunk.startswith(b"\n")):
                return True
            last = chunk[-1:]
    return False
