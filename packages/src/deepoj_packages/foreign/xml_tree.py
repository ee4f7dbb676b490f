"""A small XML document as a tree. Nothing is loaded that it names, and it may declare no entities."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from xml.parsers import expat

from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.tree import Tree

_DEPTH = 20
_MOST_ELEMENTS = 200_000


@dataclass(slots=True)
class Element:
    name: str
    where: str
    """The file and the line it begins in."""
    attributes: dict[str, str]
    children: "list[Element]" = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces).strip()

    def get(self, attribute: str) -> str:
        return self.attributes.get(attribute, "").strip()

    def all(self, *names: str) -> "Iterator[Element]":
        """Every element at the end of this path."""
        if not names:
            yield self
            return
        for child in self.children:
            if child.name == names[0]:
                yield from child.all(*names[1:])

    def first(self, *names: str) -> "Element":
        """The first at the end of this path; an empty one where there is none."""
        return next(self.all(*names), None) or Element(names[-1], self.where, {})


def load_xml(tree: Tree, file: PurePosixPath) -> Element:
    return _Reader(str(file)).read(tree.text(file))


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0
        self._open = [Element("", name, {})]
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._entity

    def read(self, text: str) -> Element:
        try:
            self._parser.Parse(text, True)  # noqa: FBT003 — expat's signature
        except expat.ExpatError as error:
            raise self._bad(f"is not readable XML ({expat.errors.messages[error.code]})") from error
        except (LookupError, ValueError) as error:
            raise self._bad("is in an encoding that is not read: save it as UTF-8") from error
        return self._open[0].children[0]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _MOST_ELEMENTS:
            raise self._bad(f"has more than {_MOST_ELEMENTS} elements")
        if len(self._open) > _DEPTH:
            raise self._bad(f"is nested more than {_DEPTH} deep")
        element = Element(name, self._where(), attributes)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, name: str) -> None:
        del name
        self._open.pop()

    def _data(self, text: str) -> None:
        self._open[-1].pieces.append(text)

    def _entity(self, name: str, *_: object) -> None:
        raise self._bad(f"uses the entity {name[:40]!r}, and entities are not taken")

    def _where(self) -> str:
        return f"{self._name} (line {self._parser.CurrentLineNumber})"

    def _bad(self, what: str) -> PackageRefusedError:
        return PackageRefusedError(Reason.BAD_XML, f"{self._where()} {what}")
