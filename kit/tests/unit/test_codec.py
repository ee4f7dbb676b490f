from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from deepoj_kit.streams import EventCodec, FieldsCodec, NotForUs, Undecodable
from deepoj_kit.streams.codec import decode_text
from deepoj_kit.streams.commands import parse_claimed


class Thing(msgspec.Struct, frozen=True):
    id: UUID
    size: int
    ratio: float
    good: bool
    at: datetime
    note: str | None = None


@dataclass(frozen=True)
class Grown:
    size: int
    parts: list[int]


@dataclass(frozen=True)
class Painted:
    colour: str


THING = Thing(
    id=UUID("01890a5d-ac96-774b-bcce-b302099a8057"),
    size=3,
    ratio=0.5,
    good=True,
    at=datetime(2026, 1, 2, tzinfo=UTC),
)
THINGS = FieldsCodec(Thing)
EVENTS = EventCodec[Grown | Painted]({"thing.grown.v1": Grown, "thing.painted.v1": Painted})


def test_a_field_that_a_later_release_adds_is_passed_over() -> None:
    assert THINGS.decode(THINGS.encode(THING) | {"of_a_later_release": "x"}) == THING
    with pytest.raises(NotForUs):
        EVENTS.decode({"type": "thing.shrunk.v1", "data": "{}"})


def test_a_flat_struct_becomes_fields_and_comes_back() -> None:
    fields = THINGS.encode(THING)
    assert fields == {
        "id": "01890a5d-ac96-774b-bcce-b302099a8057",
        "size": "3",
        "ratio": "0.5",
        "good": "true",
        "at": "2026-01-02T00:00:00Z",
    }
    assert THINGS.decode(fields | {"traceparent": "more"}) == THING


def test_a_nested_value_is_not_a_field() -> None:
    with pytest.raises(TypeError, match="parts"):
        FieldsCodec(Grown).encode(Grown(1, [2]))


@pytest.mark.parametrize(
    ("change", "reason"), [({"size": None}, "missing_field"), ({"size": "many"}, "invalid_field")]
)
def test_fields_that_do_not_fit_say_why(change: dict[str, str | None], reason: str) -> None:
    changed = THINGS.encode(THING) | change
    with pytest.raises(Undecodable) as caught:
        THINGS.decode({name: value for name, value in changed.items() if value is not None})
    assert caught.value.reason == reason


def test_an_event_travels_under_its_versioned_name() -> None:
    fields = EVENTS.encode(Grown(1, [2]))
    assert fields == {"type": "thing.grown.v1", "data": '{"size":1,"parts":[2]}'}
    assert EVENTS.decode(fields) == Grown(1, [2])
    assert EVENTS.decode(EVENTS.encode(Painted("red"))) == Painted("red")


def test_an_event_of_another_type_is_not_for_us() -> None:
    with pytest.raises(NotForUs, match=r"thing\.shrunk\.v1"):
        EVENTS.decode({"type": "thing.shrunk.v1", "data": "{}"})


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"data": "{}"}, "missing_field"),
        ({"type": "thing.grown.v1"}, "missing_field"),
        ({"type": "thing.grown.v1", "data": '{"size":1}'}, "missing_field"),
        ({"type": "thing.grown.v1", "data": '{"size":"x","parts":[]}'}, "invalid_field"),
        ({"type": "thing.grown.v1", "data": "{"}, "invalid_field"),
    ],
)
def test_a_broken_event_says_why(fields: dict[str, str], reason: str) -> None:
    with pytest.raises(Undecodable) as caught:
        EVENTS.decode(fields)
    assert caught.value.reason == reason


def test_bytes_that_are_not_text_are_undecodable() -> None:
    with pytest.raises(Undecodable, match="UTF-8"):
        decode_text({b"size": b"\xff"})


@pytest.mark.parametrize(
    "reply",
    [
        [b"5-0", [(b"1-0", {b"a": b"b"}), (None, None)]],
        [b"5-0", [(b"1-0", {b"a": b"b"})], [b"2-0"]],
    ],
    ids=["redis 6.2", "redis 7"],
)
def test_both_shapes_of_a_claim_reply_are_understood(reply: list[object]) -> None:
    cursor, entries = parse_claimed("things", reply)
    assert cursor == "5-0"
    assert [(entry.stream, entry.id, entry.fields) for entry in entries] == [("things", "1-0", {b"a": b"b"})]
