"""A document says what it is; what it cannot be is refused by a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from deepoj_kit.documents import Document


@dataclass(frozen=True)
class Round:
    radius: int


@dataclass(frozen=True)
class Square:
    side: int

    def __post_init__(self) -> None:
        if self.side < 0:
            raise BadValueError("side_negative", "a side is not negative")


@dataclass(frozen=True)
class Sign:
    form: Round | Square
    words: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Shape:
    name: str = "sign.v1"
    kind: type[Sign] = Sign
    unions: Mapping[str, Mapping[str, type]] = field(
        default_factory=lambda: {"form": {"round": Round, "square": Square}}
    )
    older: tuple[str, ...] = ("sign.v0",)


class BadValueError(ValueError):
    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


DOCUMENT = Document(Shape(), BadValueError)
TEXT = b'{"document":"sign.v1","form_kind":"square","form":{"side":2},"words":["a","b"]}'


def test_a_value_is_written_in_one_way_and_comes_back() -> None:
    sign = Sign(Square(2), frozenset({"b", "a"}))
    assert DOCUMENT.encode(sign) == TEXT
    assert DOCUMENT.decode(TEXT) == sign
    assert DOCUMENT.decode(DOCUMENT.encode(Sign(Round(1)))) == Sign(Round(1))


def test_a_document_of_an_older_version_has_the_defaults_of_what_it_lacks() -> None:
    older = b'{"document":"sign.v0","form_kind":"square","form":{"side":2}}'
    assert DOCUMENT.decode(older) == Sign(Square(2))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (TEXT.replace(b"sign.v1", b"sign.v2"), "document_unknown"),
        (TEXT.replace(b'"document":"sign.v1",', b""), "document_unknown"),
        (TEXT.replace(b'"side":2', b'"side":"2"'), "document_malformed"),
        (TEXT.replace(b'"square"', b'"oval"'), "document_malformed"),
        (TEXT[:-1], "document_malformed"),
        (b"", "document_malformed"),
        (TEXT.replace(b'"side":2', b'"side":-2'), "side_negative"),
    ],
)
def test_what_cannot_be_read_is_refused_by_a_name(data: bytes, reason: str) -> None:
    with pytest.raises(BadValueError) as refused:
        DOCUMENT.decode(data)
    assert refused.value.reason == reason


def test_where_the_place_says_what_is_kept_no_name_is_written() -> None:
    kept = Document(Shape(name=""), BadValueError)
    assert kept.encode(Sign(Round(1))) == b'{"form_kind":"round","form":{"radius":1},"words":[]}'
    assert kept.decode(kept.encode(Sign(Round(1)))) == Sign(Round(1))
