"""The flags of the default output validator, checked when a package is read and not when it is judged."""

import re

from deepoj_packages.refusal import invalid

_SWITCHES = frozenset({"case_sensitive", "space_change_sensitive"})
_TOLERANCES = frozenset({"float_relative_tolerance", "float_absolute_tolerance", "float_tolerance"})
_NUMBER = re.compile(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?")


def check_default_flags(flags: tuple[str, ...], where: str) -> None:
    words = iter(flags)
    for flag in words:
        if flag in _TOLERANCES:
            value = next(words, "")
            if not _NUMBER.fullmatch(value):
                raise invalid(f"{where}: {flag} needs a number, not {value!r}")
        elif flag not in _SWITCHES:
            raise invalid(f"{where}: the default output validator has no flag {flag!r}")
