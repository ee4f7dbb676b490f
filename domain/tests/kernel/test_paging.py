from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from uuid import UUID

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.paging import (
    DEFAULT_SIZE,
    MAX_SIZE,
    Page,
    PageRequest,
    Position,
    at_id,
    at_moment,
    at_text,
    cursor_of,
    id_at,
    moment_at,
    page_request,
    paged,
    text_at,
)

KEY = UUID(int=7)
MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
ENDS_OF_THE_CALENDAR = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00")


def refusal(call: object, *values: object) -> str:
    assert callable(call)
    with pytest.raises(InvalidValueError) as refused:
        call(*values)
    return refused.value.code


def test_a_page_has_a_size_unless_told_and_never_too_large_a_one() -> None:
    assert (page_request(0, "").size, page_request(MAX_SIZE, "").size) == (DEFAULT_SIZE, MAX_SIZE)
    assert refusal(page_request, MAX_SIZE + 1, "") == "page_too_large"


@pytest.mark.parametrize("position", [at_id(KEY), at_moment(MOMENT, KEY), ("00ff", str(KEY))])
def test_a_position_survives_its_cursor(position: Position) -> None:
    assert page_request(0, cursor_of(position)).after == position


def test_a_list_reads_its_own_positions() -> None:
    assert id_at(at_id(KEY)) == KEY
    assert moment_at(at_moment(MOMENT, KEY)) == (MOMENT, KEY)


@pytest.mark.parametrize("cursor", ["x", "é", "no cursor", "====", urlsafe_b64encode(b"\xff\xff").decode()])
def test_text_that_is_no_cursor_is_refused(cursor: str) -> None:
    assert refusal(page_request, 10, cursor) == "cursor_malformed"


@pytest.mark.parametrize("position", [("",), ("abc",), (), (str(KEY), str(KEY)), at_moment(MOMENT, KEY)])
def test_a_list_by_id_refuses_the_position_of_another(position: Position) -> None:
    assert refusal(id_at, position) == "cursor_malformed"


@pytest.mark.parametrize(
    "position",
    [
        at_id(KEY),
        ("not a moment", str(KEY)),
        (MOMENT.isoformat(), "not an id"),
        (MOMENT.isoformat(), str(KEY), "more"),
        *((moment, str(KEY)) for moment in ENDS_OF_THE_CALENDAR),
    ],
)
def test_a_list_by_time_refuses_the_position_of_another(position: Position) -> None:
    assert refusal(moment_at, position) == "cursor_malformed"


@pytest.mark.parametrize("text", ["", " ", "two  words", "\n\t", "é", "数", "\U0010ffff", "=-_"])
def test_a_list_by_text_goes_on_after_any_text(text: str) -> None:
    after = page_request(0, cursor_of(at_text(text, KEY))).after
    assert after is not None
    assert text_at(after) == (text, KEY)


@pytest.mark.parametrize(
    "position",
    [
        (),
        at_id(KEY),
        at_moment(MOMENT, KEY),
        ("not hexadecimal", str(KEY)),
        ("abc", str(KEY)),
        ("ff", str(KEY)),
        ("eda080", str(KEY)),
        ("61", "not an id"),
        ("61", str(KEY), "more"),
        at_text("\0", KEY),
        at_text("a\0b", KEY),
    ],
    ids=str,
)
def test_a_list_by_text_refuses_what_it_could_not_have_given_out(position: Position) -> None:
    assert refusal(text_at, position) == "cursor_malformed"


@pytest.mark.parametrize(
    ("found", "page"),
    [
        ([], Page([])),
        (["a"], Page(["a"])),
        (["a", "b"], Page(["a", "b"])),
        (["a", "b", "c"], Page(["a", "b"], ("b",))),
    ],
)
def test_a_page_names_its_last_row_if_there_are_more(found: list[str], page: Page[str]) -> None:
    assert paged(found, PageRequest(2), lambda last: (last,)) == page
