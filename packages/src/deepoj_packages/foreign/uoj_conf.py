"""problem.conf: a key and a value a line."""

from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.refusal import invalid
from deepoj_packages.yamls import decimal_of

PROBLEM = PurePosixPath("problem.conf")


class Conf:
    """What nobody asked for is `unknown`."""

    def __init__(self, text: str) -> None:
        self._values: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._asked: set[str] = set()
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.split(None, 1)
            if not words or words[0].startswith("#"):
                continue
            if words[0] in self._values:
                raise invalid(f"{PROBLEM} (line {number}) has the key {words[0][:40]!r} twice")
            self._values[words[0]] = words[1].strip() if len(words) > 1 else ""
            self._lines[words[0]] = number

    def unknown(self) -> list[str]:
        return sorted(set(self._values) - self._asked)

    def where(self, key: str) -> str:
        line = f" (line {self._lines[key]})" if key in self._lines else ""
        return f"{PROBLEM}{line}: {key}"

    def text(self, key: str, default: str = "") -> str:
        self._asked.add(key)
        return self._values.get(key) or default

    def flag(self, key: str) -> bool:
        return self.text(key) == "on"

    def count(self, key: str, most: int, default: int = 0) -> int:
        value = self.decimal(key)
        if value is None:
            return default
        if value != int(value) or not 0 <= value <= most:
            raise invalid(f"{self.where(key)} must be a whole number from 0 to {most}")
        return int(value)

    def whole(self, key: str) -> int | None:
        """Above 0; a fraction is rounded up, because a limit must not shrink."""
        return self._up(key, 1)

    def milliseconds(self, key: str) -> int | None:
        return self._up(key, 1000)

    def decimal(self, key: str) -> Decimal | None:
        text = self.text(key)
        return decimal_of(text, self.where(key)) if text else None

    def _up(self, key: str, factor: int) -> int | None:
        value = self.decimal(key)
        if value is None:
            return None
        if value <= 0:
            raise invalid(f"{self.where(key)} must be above 0")
        return int((value * factor).to_integral_value(rounding="ROUND_CEILING"))
