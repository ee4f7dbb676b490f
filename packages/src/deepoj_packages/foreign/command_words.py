"""The arguments of a generator, as a package writes them in one line."""

import shlex

_MOST_CHARACTERS = 4000
_MOST_WORDS = 100


def command_words(text: str) -> tuple[str, ...] | None:
    """None for what is no line of words, or a longer one than anybody writes."""
    if len(text) > _MOST_CHARACTERS:
        return None
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        return None
    return words if len(words) <= _MOST_WORDS else None
