from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import EVERYTHING, NOTHING, ZERO, Score, Share

QUICK = settings(max_examples=50, derandomize=True, deadline=None, database=None)
POINTS = st.integers(0, 10**9).map(Score)


def test_tenths_add_up_exactly() -> None:
    assert Score.total([Score.points("0.1")] * 10) == Score.points(1)


def test_a_third_of_the_points_is_rounded_down_to_a_millionth() -> None:
    assert Score.points(100).share(Share(333_333)) == Score.points("33.3333")
    assert Score.points("0.000001").share(Share(999_999)) == ZERO


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("0.0000001", "score_too_precise"),
        ("-1", "score_out_of_range"),
        (10**9 + 1, "score_out_of_range"),
        ("NaN", "score_out_of_range"),
        ("Infinity", "score_out_of_range"),
        ("ten", "score_not_a_number"),
    ],
)
def test_what_is_not_an_exact_score_is_refused(value: int | str, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        Score.points(value)
    assert refused.value.code == code


@pytest.mark.parametrize("millionths", [-1, 1_000_001])
def test_a_share_lies_between_nothing_and_everything(millionths: int) -> None:
    with pytest.raises(InvalidValueError):
        Share(millionths)


@pytest.mark.parametrize(
    ("points", "text"), [("100", "100"), ("12.50", "12.5"), (0, "0"), ("0.000001", "0.000001")]
)
def test_a_score_reads_as_people_write_it(points: int | str, text: str) -> None:
    assert str(Score.points(points)) == text


@QUICK
@given(POINTS)
def test_a_score_survives_the_way_through_decimal(score: Score) -> None:
    assert Score.points(score.as_decimal()) == score
    assert Score.points(Decimal(str(score))) == score


@QUICK
@given(POINTS, st.integers(0, 1_000_000).map(Share))
def test_a_share_never_exceeds_the_whole(score: Score, share: Share) -> None:
    assert score.share(NOTHING) == ZERO <= score.share(share) <= score.share(EVERYTHING) == score
