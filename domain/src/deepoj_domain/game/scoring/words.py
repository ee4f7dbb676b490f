"""Small words that sentences about boards are made of."""

_MINUTE_MS = 60_000


def count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def minutes(time_ms: int) -> str:
    return count(time_ms // _MINUTE_MS, "minute")
