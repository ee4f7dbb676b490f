"""What generators.yaml says about each case: its texts, what it copies, or the command that makes it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha512
from pathlib import PurePosixPath

from deepoj_packages.refusal import invalid
from deepoj_packages.shared.cases import DATA
from deepoj_packages.yamls import Section

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}")
_SEED = re.compile(r"\{seed(?::[0-9]+)?\}")
_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.=(-?[0-9]{1,9})")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_TEXTS = ("in", "ans", "out", "desc", "hint", "interaction", "in.statement", "ans.statement")
_NO_NAME = frozenset({"", "~", "null"})
_SETTINGS = ("test_group.yaml", "testdata.yaml")
_DIRECTORY = ("data", "include", *_SETTINGS)


@dataclass(frozen=True, slots=True)
class Inherited:
    """What holds for a directory and all below, unless these say otherwise."""

    solution: str = ""
    salt: str = ""

    def within(self, section: Section) -> "Inherited":
        return Inherited(section.text("solution", self.solution), section.text("random_salt", self.salt))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    at: PurePosixPath
    """The path of the case below `data`, without an ending."""
    solution: str
    command: tuple[str, ...] = ()
    copied: str = ""
    """A path below `generators`, without an ending."""
    texts: tuple[tuple[str, str], ...] = ()
    """By ending."""


@dataclass(frozen=True, slots=True)
class Rules:
    cases: tuple[Rule, ...]
    settings: tuple[tuple[PurePosixPath, str], ...]


Fill = Callable[[str], str]
"""Writes out the constants of a text."""


def read_rules(section: Section, most: int, fill: Fill) -> Rules:
    return _Reader(section.where, most, fill).read(section)


class _Reader:
    def __init__(self, where: str, most: int, fill: Fill) -> None:
        self._where = where
        self._fill = fill
        self._most = most
        self._cases: list[Rule] = []
        self._settings: list[tuple[PurePosixPath, str]] = []
        self._included: list[tuple[PurePosixPath, str]] = []

    def read(self, section: Section) -> Rules:
        self._directory(DATA, section, Inherited())
        for at, name in self._included:
            found = [rule for rule in self._cases if name in {rule.at.name, rule.at.parent.name}]
            if not found:
                raise invalid(f"{self._where}: {at} includes {name!r}, which is not there")
            for rule in found:
                self._add(replace(rule, at=at / rule.at.name))
        return Rules(tuple(self._cases), tuple(self._settings))

    def _directory(self, at: PurePosixPath, section: Section, inherited: Inherited) -> None:
        inherited = inherited.within(section)
        self._settings += [(at / name, section.source(name)) for name in _SETTINGS if section.has(name)]
        self._included += [(at, name) for name in section.texts("include")]
        for name, parent, key in self._entries(section):
            if parent.is_map(key) and any(parent.section(key).has(each) for each in _DIRECTORY):
                self._directory(at / self._checked(name), parent.section(key), inherited)
            elif parent.has(key):
                self._case(at, name, parent, key, inherited)

    def _entries(self, section: Section) -> Iterator[tuple[str, Section, str]]:
        """The names in a directory, where each is written, and under which key; lists are numbered."""
        if not section.is_list("data"):
            inside = section.section("data")
            yield from ((name, inside, name) for name in inside.names())
            return
        entries = [
            (each, key)
            for each in section.entries("data")
            if isinstance(each, Section)
            for key in each.names()
        ]
        width = len(str(len(entries)))
        for number, (parent, key) in enumerate(entries, start=1):
            name = "" if key in _NO_NAME else f"-{key}"
            yield f"{number:0{width}}{name}", parent, key

    def _case(self, at: PurePosixPath, name: str, parent: Section, key: str, inherited: Inherited) -> None:
        if not parent.is_map(key):
            command = self._fill(parent.text(key))
            copied = command.removesuffix(".in") if command.endswith(".in") else ""
            words = () if copied else _command(command, name, inherited.salt, 1)
            rule = Rule(
                at=at / self._checked(name), solution=inherited.solution, command=words, copied=copied
            )
            self._add(rule)
            return
        given = parent.section(key)
        inherited = inherited.within(given)
        counts = self._counts(given)
        for count in counts:
            full = f"{name}-{count}" if given.has("count") else name
            rule = Rule(
                at=at / self._checked(full),
                solution=inherited.solution,
                command=_command(self._fill(given.text("generate")), full, inherited.salt, count),
                copied=given.text("copy"),
                texts=tuple(_texts(given)),
            )
            self._add(rule)

    def _counts(self, given: Section) -> list[int]:
        words = given.texts("count") or ("1",)
        found = _RANGE.fullmatch(words[0])
        if found:
            low, high = int(found[1]), int(found[2])
        elif all(_WHOLE.fullmatch(word) for word in words):
            if given.is_list("count"):
                return [int(word) for word in words]
            low, high = 1, int(words[0])
        else:
            raise invalid(f"{given.where}: count is a number, a list of them or a range such as 1..=5")
        if not 0 <= high - low < self._most:
            raise invalid(f"{given.where}: count asks for {high - low + 1} cases")
        return list(range(low, high + 1))

    def _add(self, rule: Rule) -> None:
        if len(self._cases) >= self._most:
            raise invalid(f"{self._where}: it describes more than {self._most} cases")
        self._cases.append(rule)

    def _checked(self, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise invalid(f"{self._where}: {name[:80]!r} cannot be the name of a case or a directory")
        return name


def _texts(given: Section) -> Iterator[tuple[str, str]]:
    for key in _TEXTS:
        if given.has(key) and not given.is_map(key):
            text = given.text(key)
            yield f".{key}", text if not text or text.endswith("\n") else f"{text}\n"
    if given.has("yaml"):
        yield ".yaml", given.source("yaml") if given.is_map("yaml") else given.text("yaml")


def _command(text: str, name: str, salt: str, count: int) -> tuple[str, ...]:
    """Its words, with the seed that BAPCtools would give it: a hash of the whole command."""
    text = text.replace("{count}", str(count)).strip()
    before = salt + (f":{count - 1}" if count != 1 else "")
    seed = int(sha512((before + text).encode(), usedforsecurity=False).hexdigest(), 16) % 2**31
    return tuple(_SEED.sub(str(seed), word).replace("{name}", name) for word in text.split())
