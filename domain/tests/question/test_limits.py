import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.limits import Factor, Limits


def test_a_scaled_limit_is_rounded_up() -> None:
    assert Factor(150).of(1) == 2
    assert Factor(100).of(333) == 333
    limits = Limits(cpu_ms=1000, wall_ms=2000, memory_kib=262_144, output_kib=1)
    scaled = limits.scaled(Factor(150), Factor(100))
    assert (scaled.cpu_ms, scaled.wall_ms, scaled.memory_kib) == (1500, 3000, 262_144)


@pytest.mark.parametrize(("cpu", "wall", "memory"), [(0, 1, 1), (2, 1, 1), (1, 1, 0)])
def test_impossible_limits_are_refused(cpu: int, wall: int, memory: int) -> None:
    with pytest.raises(InvalidValueError):
        Limits(cpu_ms=cpu, wall_ms=wall, memory_kib=memory, output_kib=1)


@pytest.mark.parametrize("percent", [0, 10_001])
def test_an_absurd_factor_is_refused(percent: int) -> None:
    with pytest.raises(InvalidValueError):
        Factor(percent)
