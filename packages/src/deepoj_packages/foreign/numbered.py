"""Files by number, as a printf pattern such as tests/%02d names them."""

import re
from pathlib import PurePosixPath

from deepoj_packages.foreign.xml_tree import Element
from deepoj_packages.refusal import invalid

_PATTERN = re.compile(r"([^%]{0,200})%(?:0([1-9]))?d([^%]{0,200})")


class NumberedFiles:
    def __init__(self, pattern: Element) -> None:
        found = _PATTERN.fullmatch(pattern.text)
        path = PurePosixPath(pattern.text)
        if found is None or path.is_absolute() or ".." in path.parts:
            raise invalid(
                f"{pattern.where}: {pattern.name} is {pattern.text[:80]!r}, and a path in the package "
                "with one %d or %02d in it is expected"
            )
        self._before, self._digits, self._after = found[1], int(found[2] or 1), found[3]

    def __call__(self, number: int) -> PurePosixPath:
        return PurePosixPath(f"{self._before}{number:0{self._digits}}{self._after}")
