"""Small changes to a program of which good tests catch most. Pure: from a text to texts.

Strings and comments are left alone. The changes are spread over the program, the same each time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

MOST = 200
_SHOWN = 80
_LONGEST = 64 * 1024


@dataclass(frozen=True, slots=True)
class Mutant:
    line: int
    change: str
    text: str


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    instead: tuple[str, ...]


_STRING = r"""\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+'"""
_C_LIKE = re.compile(rf"//[^\n]*|/\*.*?\*/|{_STRING}|^[ \t]*\#[^\n]*", re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(rf"(\"{{3}}|'{{3}}).*?\1|{_STRING}|\#[^\n]*", re.DOTALL)
_ANY = (
    _Rule(re.compile(r"(?<!<)<(?![<=]|[\w:,]+>)"), ("<=",)),
    _Rule(re.compile(r"(?<=\s)>(?![>=])"), (">=",)),
    _Rule(re.compile(r"(?<!<)<=(?!>)"), ("<",)),
    _Rule(re.compile(r"(?<!>)>="), (">",)),
    _Rule(re.compile(r"(?<![=!])==(?!=)"), ("!=",)),
    _Rule(re.compile(r"!=(?!=)"), ("==",)),
    _Rule(re.compile(r"(?<=[\w)\]]) ?\+ ?(?=[\w(])"), (" - ",)),
    _Rule(re.compile(r"(?<=[\w)\]]) ?(?<!-)-(?![->=]) ?(?=[\w(])"), (" + ",)),
    _Rule(re.compile(r"\+="), ("-=",)),
    _Rule(re.compile(r"-="), ("+=",)),
    _Rule(re.compile(r"(?<![\w.])\d{1,18}(?![\w.]|\.\d)"), ("+1", "-1")),
)
_IN_C = (
    _Rule(re.compile(r"&&"), ("||",)),
    _Rule(re.compile(r"\|\|"), ("&&",)),
    _Rule(re.compile(r"\blong long\b|\bint64_t\b"), ("int",)),
    _Rule(re.compile(r"\bdouble\b"), ("float",)),
)
_IN_JAVA = (*_IN_C[:2], _Rule(re.compile(r"\blong\b"), ("int",)), _IN_C[3])
_IN_PYTHON = (
    _Rule(re.compile(r"\band\b"), ("or",)),
    _Rule(re.compile(r"\bor\b"), ("and",)),
    _Rule(re.compile(r"\bmin\("), ("max(",)),
    _Rule(re.compile(r"\bmax\("), ("min(",)),
)
_LANGUAGES = {
    "c": (_C_LIKE, (*_ANY, *_IN_C)),
    "cpp": (_C_LIKE, (*_ANY, *_IN_C)),
    "java": (_C_LIKE, (*_ANY, *_IN_JAVA)),
    "python": (_PYTHON, (*_ANY, *_IN_PYTHON)),
    "pypy": (_PYTHON, (*_ANY, *_IN_PYTHON)),
}


def mutants(text: str, language: str, most: int) -> Sequence[Mutant]:
    """None of a long program or for a language without rules. `language` is a slug like cpp20."""
    known = _LANGUAGES.get(language.rstrip("0123456789"))
    if known is None or len(text) > _LONGEST:
        return ()
    untouched, rules = known
    # A long program has many places: only what is chosen is written out.
    places = sorted(_places(_blanked(untouched, text), rules), key=_shuffled)
    return [_made(text, place) for place in sorted(places[: min(most, MOST)])]


class _Place(NamedTuple):
    start: int
    end: int
    new: str


def _blanked(untouched: re.Pattern[str], text: str) -> str:
    return untouched.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), text)


def _places(seen: str, rules: Sequence[_Rule]) -> Iterator[_Place]:
    for rule in rules:
        for found in rule.pattern.finditer(seen):
            for instead in rule.instead:
                new = str(int(found[0]) + int(instead)) if found[0].isdecimal() else instead
                yield _Place(found.start(), found.end(), new)


def _shuffled(place: _Place) -> bytes:
    return sha256(f"{place.start} {place.new}".encode()).digest()


def _made(text: str, place: _Place) -> Mutant:
    made = text[: place.start] + place.new + text[place.end :]
    line = text.count("\n", 0, place.start)
    before = made.rfind("\n", 0, place.start) + 1
    shown = made[before:].split("\n", 1)[0].strip()[:_SHOWN]
    old = text[place.start : place.end].strip()
    return Mutant(line + 1, f"{old} became {place.new.strip()}: {shown}", made)
