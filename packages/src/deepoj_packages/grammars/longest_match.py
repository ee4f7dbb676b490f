"""The longest match of a pattern at a place, as POSIX wants it: Python takes the first that fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from deepoj_packages.grammars.mismatch import GrammarError
from deepoj_packages.grammars.posix_pattern import (
    ALL,
    Choice,
    End,
    One,
    Pattern,
    Repeat,
    Sequence,
    members,
    parse,
)

Matcher = Callable[[str, int], "int | None"]
"""From a text and a place in it to the end of the longest match; None when there is none."""
_MOST_STATES = 1_000_000


def compiled(pattern: str) -> Matcher:
    tree = parse(pattern)
    return _greedy(tree) if _is_flat(tree) else Automaton(tree).match


def _is_flat(tree: Pattern) -> bool:
    """Characters with counts one after the other: what is longest is what Python's own greed finds."""
    parts = tree.parts if isinstance(tree, Sequence) else (tree,)
    return all(
        isinstance(part, One | End) or (isinstance(part, Repeat) and isinstance(part.part, One))
        for part in parts
    )


def _greedy(tree: Pattern) -> Matcher:
    match = re.compile(_python(tree)).match

    def longest(text: str, at: int) -> int | None:
        found = match(text, at)
        return found.end() if found else None

    return longest


def _python(tree: Pattern) -> str:
    if isinstance(tree, Sequence):
        return "".join(map(_python, tree.parts))
    if isinstance(tree, End):
        return r"\Z"
    if isinstance(tree, Repeat):
        most = "" if tree.most is None else tree.most
        return f"{_python(tree.part)}{{{tree.least},{most}}}"
    if isinstance(tree, One):
        return rf"[{''.join(map(_escaped, members(tree.mask)))}]" if tree.mask else "(?!)"
    raise TypeError(f"{tree} is not flat")


def _escaped(one: str) -> str:
    return f"\\x{ord(one):02x}"


class Automaton:
    """Goes through all ways to match at once, and remembers where each character led."""

    def __init__(self, tree: Pattern) -> None:
        self._masks: list[int] = []
        self._next: list[tuple[int, ...]] = []
        self._end = self._state(0, ())
        self._begin = self._build(tree, self._end)
        self._steps: dict[frozenset[int], dict[str, frozenset[int]]] = {}

    def match(self, text: str, at: int) -> int | None:
        here = self._closed((self._begin,))
        longest = at if self._end in here else None
        while here and at < len(text):
            one = text[at]
            known = self._steps.setdefault(here, {})
            if one not in known:
                known[one] = self._step(here, ord(one))
            here = known[one]
            at += 1
            if self._end in here:
                longest = at
        return longest

    def _step(self, here: frozenset[int], code: int) -> frozenset[int]:
        return self._closed(
            after for state in here if self._masks[state] >> code & 1 for after in self._next[state]
        )

    def _closed(self, states: Iterable[int]) -> frozenset[int]:
        waiting, found = list(states), set[int]()
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                if not self._masks[state]:
                    waiting += self._next[state]
        return frozenset(found)

    def _state(self, mask: int, after: tuple[int, ...]) -> int:
        if len(self._masks) >= _MOST_STATES:
            raise GrammarError("a regular expression repeats so much that it cannot be matched here")
        self._masks.append(mask)
        self._next.append(after)
        return len(self._masks) - 1

    def _build(self, tree: Pattern, after: int) -> int:
        """Lay out the states of a pattern that goes on with `after`, and return the first of them."""
        if isinstance(tree, One):
            return self._state(tree.mask & ALL, (after,) if tree.mask else ())
        if isinstance(tree, Sequence):
            for part in reversed(tree.parts):
                after = self._build(part, after)
            return after
        if isinstance(tree, Choice):
            return self._state(0, tuple(self._build(part, after) for part in tree.parts))
        if isinstance(tree, Repeat):
            return self._build_repeat(tree, after)
        raise GrammarError("$ in a regular expression with groups cannot be matched here; use EOF")

    def _build_repeat(self, tree: Repeat, after: int) -> int:
        if tree.most is None:
            loop = self._state(0, ())
            self._next[loop] = (self._build(tree.part, loop), after)
            after = loop
        else:
            end = after
            for _ in range(tree.most - tree.least):
                after = self._state(0, (self._build(tree.part, after), end))
        for _ in range(tree.least):
            after = self._build(tree.part, after)
        return after
