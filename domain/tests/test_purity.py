"""The domain does no I/O, reads no clock and makes no ids.

Imports are checked by an allow-list, because a deny-list only knows what it lists.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import deepoj_domain

SOURCES = sorted(Path(deepoj_domain.__path__[0]).rglob("*.py"))
MODULES = {
    "base64",
    "collections",
    "dataclasses",
    "datetime",
    "decimal",
    "deepoj_domain",
    "enum",
    "fractions",
    "hashlib",
    "hmac",
    "ipaddress",
    "re",
    "types",
    "typing",
    "unicodedata",
    "uuid",
}
CALLS = {"now", "utcnow", "today", "uuid1", "uuid4", "open", "print", "input", "exec", "eval", "__import__"}


def _impurities(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names if name.name.split(".")[0] not in MODULES)
            case ast.ImportFrom(module=module) if (module or "").split(".")[0] not in MODULES:
                yield module or "a relative import"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLS:
                yield f"{name}()"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_source_file_is_pure(path: Path) -> None:
    assert list(_impurities(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "planted",
    [
        "import socket",
        "from os import path",
        "import msgspec",
        "from . import x",
        "datetime.now()",
        "open('f')",
    ],
)
def test_a_planted_impurity_is_found(planted: str) -> None:
    assert len(list(_impurities(planted))) == 1


def test_there_are_sources_to_look_at() -> None:
    assert len(SOURCES) > 40
