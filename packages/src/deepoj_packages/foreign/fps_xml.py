"""The XML of an FPS file as events, read once from front to back; test data goes to files as it comes.

Nothing is loaded that the file names: a document type may be declared, entities may not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path
from typing import IO
from xml.parsers import expat

from deepoj_packages.options import Progress, ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, Reason, unsupported

_CHUNK = 64 * 1024
_DEPTH = 8
_MOST_FIELDS = 1000
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r") + b"\x7f"
_TESTS = frozenset({"test_input", "test_output"})
_FIELD_DEPTH = 3


@dataclass(slots=True)
class Field:
    name: str
    attributes: dict[str, str]
    text: str = ""
    path: Path | None = None
    """Where the content of a test lies."""
    inside: dict[str, str] = field(default_factory=dict)
    """What its own elements say, for a picture its `src` and `base64`."""


Item = list[Field]


def items_of(file: Path, into: Path, options: ReadingOptions) -> Iterator[Item]:
    """One problem after the other; the files of its tests lie in `into`."""
    size = file.stat().st_size
    if size > options.limits.total_bytes:
        raise PackageRefusedError(
            Reason.TOO_LARGE, f"{file.name} is larger than {options.limits.total_bytes} bytes"
        )
    reader = _Reader(file.name, into, options)
    try:
        with file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                reader.feed(chunk)
                options.progress(Progress("reading", opened.tell(), size))
                yield from reader.ready()
            reader.end()
            yield from reader.ready()
    finally:
        reader.close()


class _Reader:
    def __init__(self, name: str, into: Path, options: ReadingOptions) -> None:
        self._name = name
        self._into = into
        self._limits = options.limits
        self._path: list[str] = []
        self._items: list[Item] = []
        self._count = self._tests = self._written = self._fed = 0
        self._field: Field | None = None
        self._inner = ""
        self._pieces: list[str] = []
        self._characters = 0
        self._open: IO[bytes] | None = None
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = _CHUNK
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped

    def feed(self, chunk: bytes) -> None:
        # Exports hold control characters that XML does not allow and no statement means.
        clean = chunk.translate(None, _CONTROL)
        self._fed += len(clean)
        self._parse(clean, last=False)
        if self._fed - self._parser.CurrentByteIndex > self._limits.text_bytes:
            raise self._bad("has a tag that does not end")

    def end(self) -> None:
        self._parse(b"", last=True)

    def close(self) -> None:
        if self._open is not None:
            self._open.close()

    def ready(self) -> list[Item]:
        """Those that are complete; each is given once. The last one may still be growing."""
        done = self._items[:-1] if self._path[1:2] == ["item"] else self._items
        self._items = self._items[len(done) :]
        return done

    def _parse(self, chunk: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise self._bad(f"is not readable XML ({expat.errors.messages[error.code]})") from error
        except (LookupError, ValueError) as error:
            raise self._bad("is in an encoding that is not read: save it as UTF-8") from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        if len(self._path) > _DEPTH:
            raise self._bad(f"is nested more than {_DEPTH} deep")
        if len(self._path) == 1 and name != "fps":
            raise self._bad("does not begin with <fps>")
        if self._path[1:] == ["item"]:
            self._begin_item()
        elif len(self._path) == _FIELD_DEPTH and self._path[1] == "item":
            self._begin_field(name, attributes)
        elif self._field is not None:
            self._inner = name
            self._pieces.clear()

    def _begin_item(self) -> None:
        self._count += 1
        if self._count > self._limits.problems:
            raise PackageRefusedError(
                Reason.TOO_LARGE, f"{self._name} holds more than {self._limits.problems} problems"
            )
        self._items.append([])

    def _begin_field(self, name: str, attributes: dict[str, str]) -> None:
        self._field = Field(name, attributes)
        self._pieces.clear()
        self._characters = 0
        if name in _TESTS:
            self._tests += 1
            if self._tests > self._limits.files:
                raise PackageRefusedError(
                    Reason.TOO_LARGE, f"{self._name} has more than {self._limits.files} test files"
                )
            self._field.path = self._into / f"{self._tests}"
            self._open = self._field.path.open("wb")
            self._written = 0
        elif len(self._items[-1]) > _MOST_FIELDS + 2 * self._tests:
            raise self._bad(f"has a problem with more than {_MOST_FIELDS} elements")

    def _data(self, text: str) -> None:
        if self._field is None:
            return
        if self._open is not None:
            content = text.encode()
            self._written += len(content)
            if self._written > self._limits.file_bytes:
                raise self._too_large(self._limits.file_bytes)
            self._open.write(content)
            return
        self._characters += len(text)
        if self._characters > self._limits.text_bytes:
            raise self._too_large(self._limits.text_bytes)
        self._pieces.append(text)

    def _end(self, name: str) -> None:
        depth = len(self._path)
        self._path.pop()
        if self._field is None:
            return
        if depth > _FIELD_DEPTH:
            self._field.inside[name] = "".join(self._pieces)
            self._pieces.clear()
        elif depth == _FIELD_DEPTH:
            self._field.text = "".join(self._pieces)
            if self._open is not None:
                self._open.close()
                self._open = None
            self._items[-1].append(self._field)
            self._field = None

    def _entity(self, name: str, *_: object) -> None:
        raise PackageRefusedError(
            Reason.BAD_XML, f"{self._where()} declares the entity {name[:40]!r}, and entities are not taken"
        )

    def _skipped(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 — expat's signature
        """One that a document type elsewhere may declare: those of HTML are known."""
        if is_parameter:
            return
        if f"{name};" not in html5:
            raise self._bad(f"uses the entity {name[:40]!r}, which is not known")
        self._data(html5[f"{name};"])

    def _where(self) -> str:
        return f"{self._name} (line {self._parser.CurrentLineNumber})"

    def _bad(self, what: str) -> PackageRefusedError:
        return PackageRefusedError(Reason.BAD_XML, f"{self._where()} {what}")

    def _too_large(self, most: int) -> PackageRefusedError:
        what = self._path[-1] if self._path else "text"
        return PackageRefusedError(Reason.TOO_LARGE, f"{self._where()} has a {what} larger than {most} bytes")


def one_of(item: Item, name: str) -> Field | None:
    """The only element of this name that says anything."""
    said = [each for each in item if each.name == name and each.text.strip()]
    if len(said) > 1:
        raise unsupported(f"it has {len(said)} elements <{name}>, and only one can be meant")
    return said[0] if said else None
