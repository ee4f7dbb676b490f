"""Accept-Encoding, as far as it is needed here."""

from __future__ import annotations

from contextlib import suppress


def accepted_encodings(header: str) -> frozenset[str]:
    """Return the codings that a client names without ruling them out."""
    found = set()
    for each in header.lower().split(","):
        name, *parameters = (part.strip() for part in each.split(";"))
        if all(_weight(parameter) > 0 for parameter in parameters):
            found.add(name)
    return frozenset(found)


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    with suppress(ValueError):
        return float(value) if name.strip() == "q" else 1.0
    return 0.0
