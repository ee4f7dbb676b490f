"""Messages and typed values meet by name; what does not fit is found when the pair is compiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, NewType
from uuid import UUID

import msgspec
import pytest
from google.protobuf import descriptor_pool, text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_kit.grpc.mapping import Conversion, Mapper, Members, Pair, UnreadableError
from deepoj_kit.grpc.mapping.declarations import singular

_SCHEMA = """
name: "mapping_test.proto" package: "mapping_test" syntax: "proto3"
dependency: "google/protobuf/timestamp.proto"
dependency: "google/protobuf/duration.proto"
enum_type { name: "Genre"
  value { name: "GENRE_UNSPECIFIED" number: 0 } value { name: "GENRE_POETRY" number: 1 }
  value { name: "GENRE_DRAMA" number: 2 } }
message_type { name: "Price" field { name: "cents" number: 1 type: TYPE_INT64 } }
message_type { name: "Lent"
  field { name: "reader_id" number: 1 type: TYPE_STRING }
  field { name: "until" number: 2 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" } }
message_type { name: "Book"
  field { name: "id" number: 1 type: TYPE_STRING }
  field { name: "title" number: 2 type: TYPE_STRING }
  field { name: "genre" number: 3 type: TYPE_ENUM type_name: ".mapping_test.Genre" }
  field { name: "bought_at" number: 4 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" }
  field { name: "reading_time" number: 5 type: TYPE_MESSAGE type_name: ".google.protobuf.Duration" }
  field { name: "price" number: 6 type: TYPE_MESSAGE type_name: ".mapping_test.Price" }
  field { name: "tags" number: 7 type: TYPE_STRING label: LABEL_REPEATED }
  field { name: "owner_id" number: 8 type: TYPE_STRING }
  field { name: "edition" number: 9 type: TYPE_UINT32 }
  field { name: "lent" number: 10 type: TYPE_MESSAGE type_name: ".mapping_test.Lent" oneof_index: 0 }
  field { name: "on_shelf" number: 11 type: TYPE_UINT32 oneof_index: 0 }
  field { name: "author_ids" number: 12 type: TYPE_STRING label: LABEL_REPEATED }
  oneof_decl { name: "place" } }
message_type { name: "Span"
  field { name: "from" number: 1 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" }
  field { name: "genres" number: 2 type: TYPE_ENUM type_name: ".mapping_test.Genre" label: LABEL_REPEATED } }
"""


def _declared() -> Any:  # noqa: ANN401 — made while the test runs
    described = text_format.Parse(_SCHEMA, FileDescriptorProto())
    return descriptor_pool.Default().AddSerializedFile(described.SerializeToString())


_FILE = _declared()


def _message(name: str) -> Any:  # noqa: ANN401 — made while the test runs
    return GetMessageClass(_FILE.message_types_by_name[name])


PbBook, PbPrice, PbLent, PbSpan = map(_message, ("Book", "Price", "Lent", "Span"))
PbGenre = _FILE.enum_types_by_name["Genre"]

BookId = NewType("BookId", UUID)
Tag = NewType("Tag", str)
NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
ONE, TWO = UUID(int=1), UUID(int=2)


class Genre(StrEnum):
    POETRY = "p"
    DRAMA = "d"


@dataclass(frozen=True, slots=True)
class Price:
    cents: int


@dataclass(frozen=True, slots=True)
class Lent:
    reader_id: UUID
    until: datetime


@dataclass(frozen=True, slots=True)
class Version:
    title: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    id: BookId
    version: Version
    genre: Genre | None
    bought_at: datetime | None
    reading_time: timedelta
    price: Price | None
    tags: frozenset[Tag] | None
    owner_id: BookId | None
    place: Lent | int
    author_ids: tuple[BookId, ...] = ()
    is_new: bool = False


class BadArgumentError(Exception):
    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def _tag(text: str) -> Tag:
    if not text.islower():
        raise BadArgumentError("tag_malformed", "a tag is in lower case")
    return Tag(text)


BOOK = Pair(PbBook, Book, names={"version.title": "title", "version.number": "edition"}, unmapped=("is_new",))
MAPPER = Mapper(BOOK, parse={Tag: _tag}, error=BadArgumentError)
read: Callable[[Message], Book] = MAPPER.reader(PbBook, Book)
write: Callable[[Book], Message] = MAPPER.writer(Book, PbBook)

FULL = Book(
    id=BookId(ONE),
    version=Version("Faust", 2),
    genre=Genre.DRAMA,
    bought_at=NOW,
    reading_time=timedelta(hours=3, milliseconds=1),
    price=Price(1250),
    tags=frozenset({Tag("old"), Tag("german")}),
    owner_id=BookId(TWO),
    place=Lent(TWO, NOW),
    author_ids=(BookId(TWO), BookId(ONE)),
)
BARE = replace(FULL, genre=None, bought_at=None, price=None, tags=None, owner_id=None, place=7, author_ids=())


@pytest.mark.parametrize("book", [FULL, BARE])
def test_a_value_comes_back_as_it_was_written(book: Book) -> None:
    assert read(write(book)) == book


def test_a_field_that_a_later_release_adds_is_passed_over() -> None:
    """Number 2000 of length 1, at the end of the message and of one within it."""
    unknown = b"\x82\x7d\x01x"
    later = PbBook.FromString(write(FULL).SerializeToString() + unknown)
    later.price.MergeFromString(unknown)
    assert later.ByteSize() == write(FULL).ByteSize() + 2 * len(unknown)
    assert read(later) == FULL


def test_what_is_none_is_left_out_of_the_message() -> None:
    named = {field.name for field, _ in write(BARE).ListFields()}
    assert named == {"id", "title", "edition", "reading_time", "on_shelf"}


def test_a_message_says_what_the_value_says() -> None:
    made: Any = write(FULL)
    assert (made.id, made.title, made.genre, made.price.cents) == (str(ONE), "Faust", 2, 1250)
    assert made.bought_at.ToDatetime(UTC) == NOW
    assert list(made.tags) == ["german", "old"]
    assert (made.WhichOneof("place"), made.lent.reader_id) == ("lent", str(TWO))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": "x"}, "id_malformed"),
        ({"author_ids": ["x"]}, "author_id_malformed"),
        ({"genre": 9}, "genre_unknown"),
        ({"bought_at": Timestamp(seconds=10**15)}, "bought_at_malformed"),
        ({"bought_at": Timestamp(nanos=-1)}, "bought_at_malformed"),
        ({"tags": ["LOUD"]}, "tag_malformed"),
        ({"lent": PbLent(reader_id=str(ONE))}, "until_missing"),
    ],
)
def test_a_value_from_outside_that_makes_no_sense_is_refused_by_the_name_of_its_field(
    change: dict[str, object], reason: str
) -> None:
    sound = {field.name: value for field, value in write(FULL).ListFields() if field.name not in change}
    with pytest.raises(BadArgumentError) as refused:
        read(PbBook(**{**sound, **change}))
    assert refused.value.reason == reason


def test_a_oneof_that_is_not_set_is_refused() -> None:
    made: Any = write(FULL)
    made.ClearField("lent")
    with pytest.raises(BadArgumentError) as refused:
        read(made)
    assert refused.value.reason == "place_missing"


@dataclass(frozen=True)
class Longer:
    """The message has no such field."""

    cents: int
    currency: str = "EUR"


@dataclass(frozen=True)
class Shorter:
    """The message has a field more."""

    reader_id: UUID


@dataclass(frozen=True)
class Other:
    cents: str


@dataclass(frozen=True)
class Untold:
    """Nobody said what makes the new type of text."""

    reader_id: Tag
    until: datetime


class Few(StrEnum):
    POETRY = "p"


@dataclass(frozen=True)
class Narrow:
    from_: datetime
    genres: tuple[Few, ...]


@dataclass(frozen=True)
class Ambiguous:
    place: Lent | str


@pytest.mark.parametrize(
    ("message", "kind"),
    [(PbPrice, Longer), (PbLent, Shorter), (PbPrice, Other), (PbLent, Untold), (PbSpan, Narrow)],
)
def test_a_field_that_only_one_side_has_stops_the_service_at_its_start(message: Any, kind: type) -> None:  # noqa: ANN401
    with pytest.raises(TypeError):
        Mapper().reader(message, kind)


@pytest.mark.parametrize(("kind", "message"), [(Longer, PbPrice), (Shorter, PbLent), (Other, PbPrice)])
def test_a_writer_is_checked_as_a_reader_is(kind: type, message: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError):
        Mapper().writer(kind, message)


def test_a_union_has_one_type_for_each_choice() -> None:
    mapper = Mapper(Pair(PbBook, Ambiguous), whole=False)
    with pytest.raises(TypeError, match="on_shelf"):
        mapper.reader(PbBook, Ambiguous)


def test_a_pair_that_names_what_neither_side_has_is_a_defect() -> None:
    with pytest.raises(TypeError, match="colour"):
        Mapper(Pair(PbPrice, Price, unmapped=("colour",))).reader(PbPrice, Price)


@dataclass(frozen=True)
class Span:
    from_: datetime
    genres: tuple[Genre, ...]


def test_an_attribute_named_like_a_keyword_has_an_underscore() -> None:
    span = Span(NOW, (Genre.DRAMA, Genre.POETRY))
    mapper = Mapper()
    assert mapper.reader(PbSpan, Span)(mapper.writer(Span, PbSpan)(span)) == span


class Shown(msgspec.Struct):
    """What it does not name is not read; what has no field has a default."""

    title: str
    genre: Genre | None
    reading_time: int
    price: float
    colour: str = "red"


def test_a_mapper_that_is_not_whole_takes_what_the_struct_names() -> None:
    mapper = Mapper(Conversion(PbPrice, float, lambda price: price.cents / 100, PbPrice), whole=False)
    assert mapper.reader(PbBook, Shown)(write(FULL)) == Shown("Faust", Genre.DRAMA, 10_800_001, 12.5)
    with pytest.raises(UnreadableError):
        mapper.reader(PbBook, Shown)(PbBook(genre=9))


def _priced(cents: int) -> Price | None:
    return Price(cents) if cents else None


@dataclass(frozen=True)
class OnlyPrice:
    price: Price | None


def test_a_told_conversion_comes_before_the_usual_one_of_a_time() -> None:
    told = Mapper(BOOK, Conversion(Duration, timedelta, read=_whole_hours), parse={Tag: _tag})
    assert told.reader(PbBook, Book)(write(FULL)).reading_time == timedelta(hours=3)


def _whole_hours(length: Duration) -> timedelta:
    return timedelta(hours=length.seconds // 3600)


def test_a_function_makes_a_value_when_the_pair_names_one() -> None:
    mapper = Mapper(Pair(PbPrice, Price, made_by=_priced), whole=False)
    read = mapper.reader(PbBook, OnlyPrice)
    assert read(PbBook(price=PbPrice())) == OnlyPrice(None)
    assert read(PbBook(price=PbPrice(cents=3))) == OnlyPrice(Price(3))


@dataclass(frozen=True)
class MaybeFew:
    genre: Few | None


def test_a_member_of_the_wire_may_be_none_where_none_is_allowed() -> None:
    mapper = Mapper(Members(PbGenre, none=("DRAMA",)), whole=False)
    assert mapper.reader(PbBook, MaybeFew)(PbBook(genre=2)) == MaybeFew(None)
    with pytest.raises(UnreadableError):
        mapper.reader(PbSpan, Narrow)(PbSpan(**{"from": NOW, "genres": [2]}))


class Change(msgspec.Struct):
    """As a request is filled: what is UNSET or None stays as it is."""

    title: str | msgspec.UnsetType | None = msgspec.UNSET
    bought_at: datetime | msgspec.UnsetType = msgspec.UNSET


def test_a_message_is_built_of_plain_values() -> None:
    made: Any = MAPPER.build(
        PbBook, {"id": ONE, "reading_time": 1500, "genre": Genre.POETRY, "tags": ["a"], "title": None}
    )
    assert (made.id, made.reading_time.ToMilliseconds(), made.genre) == (str(ONE), 1500, 1)
    assert (list(made.tags), made.title) == (["a"], "")
    assert not Mapper(whole=False).writer(Change, PbBook)(Change()).ListFields()
    with pytest.raises(TypeError):
        MAPPER.build(PbBook, {"colour": "red"})


def test_a_field_alone_is_read_as_in_its_message() -> None:
    genre = MAPPER.field(PbBook, "genre", Genre)
    assert genre(PbBook(genre=1)) is Genre.POETRY
    with pytest.raises(BadArgumentError):
        genre(PbBook())
    assert MAPPER.optional_field(PbBook, "genre", Genre)(PbBook()) is None
    with pytest.raises(TypeError):
        MAPPER.field(PbBook, "colour", str)


def test_an_id_alone_is_read_with_the_name_of_its_field() -> None:
    book_id = MAPPER.id("book_id", BookId)
    assert book_id(str(ONE)) == ONE
    with pytest.raises(BadArgumentError) as refused:
        book_id("x")
    assert refused.value.reason == "book_id_malformed"


@pytest.mark.parametrize(
    ("name", "one"), [("statuses", "status"), ("cases", "case"), ("owner_ids", "owner_id")]
)
def test_a_refusal_names_one_value_of_a_repeated_field(name: str, one: str) -> None:
    assert singular(name) == one
