"""The patterns of submissions.yaml: `*` within one name, braces for alternatives, nothing else."""

import re
from functools import cache
from pathlib import PurePosixPath


def matches(pattern: str, path: str) -> bool:
    """A pattern matches what it names and everything below."""
    places = (path, *(str(parent) for parent in PurePosixPath(path).parents if parent.parts))
    expression = _expression(pattern.strip("/"))
    return any(expression.fullmatch(place) for place in places)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    depth, parts = 0, []
    closed = pattern.count("{") == pattern.count("}")
    for letter in pattern:
        if letter == "*":
            parts.append("[^/]*")
        elif letter == "{" and closed:
            depth += 1
            parts.append("(?:")
        elif letter == "}" and depth:
            depth -= 1
            parts.append(")")
        elif letter == "," and depth:
            parts.append("|")
        else:
            parts.append(re.escape(letter))
    return re.compile("".join(parts) + ")" * depth)
