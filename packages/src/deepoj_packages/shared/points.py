"""Points in millionths, as the judge counts them."""

from decimal import Decimal

from deepoj_packages.refusal import unsupported

_MILLION = 1_000_000


def exact_points(value: Decimal, what: str) -> Decimal:
    """Refuse what the judge cannot hold; drop zeros at the end, so that equal points are written alike."""
    if value < 0:
        raise unsupported(f"{what} is negative, and scores start at 0")
    if value * _MILLION != int(value * _MILLION):
        raise unsupported(f"{what} has more than six decimals: {value}")
    return plain(value)


def plain(value: Decimal) -> Decimal:
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def divided(value: Decimal, divisor: int) -> Decimal:
    """To the millionth below."""
    return plain(Decimal(int(value * _MILLION) // divisor) / _MILLION)


def split_points(total: Decimal, parts: int) -> tuple[Decimal, ...]:
    """Equal parts that add up exactly: what does not divide goes to the first parts, a millionth each."""
    each, left = divmod(int(total * _MILLION), parts)
    return tuple(plain(Decimal(each + (at < left)) / _MILLION) for at in range(parts))
