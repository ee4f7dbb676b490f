import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.limits import Factor, Limits


def test_a_scaled_limit_is_rounded_up() -> None:
    assert Factor(150).of(1) == 2
    assert Factor(100).of(333) == 333
    limits = Limits(cpu_ms=1000, memory_kib=262_144, output_kib=1)
    scaled = limits.scaled(Factor(150), Factor(100))
    assert (scaled.cpu_ms, scaled.memory_kib) == (1500, 262_144)


def test_the_wall_limit_follows_the_cpu_limit_and_no_factor_of_a_language_stretches_what_is_added() -> None:
    limits = Limits(cpu_ms=1000, memory_kib=1, output_kib=1)
    assert (limits.wall_ms, limits.scaled(Factor(300), Factor(100)).wall_ms) == (3000, 7000)


@pytest.mark.parametrize(("cpu", "memory"), [(0, 1), (1, 0)])
def test_impossible_limits_are_refused(cpu: int, memory: int) -> None:
    with pytest.raises(InvalidValueError):
        Limits(cpu_ms=cpu, memory_kib=memory, output_kib=1)


@pytest.mark.parametrize("percent", [0, 10_001])
def test_an_absurd_factor_is_refused(percent: int) -> None:
    with pytest.raises(InvalidValueError):
        Factor(percent)
