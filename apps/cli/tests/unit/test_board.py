"""What `deepoj contest board` shows of a row."""

from __future__ import annotations

import pytest
from rich.console import Console

from deepoj.client.board import board_table
from deepoj.client.wire import Participant, Row


def shown(contest_format: str, *rows: Row) -> list[list[str]]:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(board_table(rows, contest_format))
    return [line.split() for line in capture.get().splitlines()]


@pytest.mark.parametrize(
    ("contest_format", "total"),
    [("icpc", ["2", "10"]), ("atcoder", ["300", "10:07"]), ("ioi", ["300"]), ("codeforces", ["300"])],
)
def test_a_row_shows_all_that_ranks_it(contest_format: str, total: list[str]) -> None:
    who = Participant(user_id="1", display_name="Ada")
    row = Row(rank=1, participant=who, solved=2, score=300, penalty_minutes=10, penalty_ms=607_999)
    assert shown(contest_format, row)[1] == ["1", "Ada", *total]
