"""Where a raw value comes from: variables of the scope, shared variables, the file, the default."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

PREFIX = "DEEPOJ_"
CONFIG = "DEEPOJ_CONFIG"
# Keys at the top of the file may belong to another process; only a near miss of one of ours is an error.
NEAR_MISS = 0.88
LOOSE_MATCH = 0.6


@dataclass(frozen=True, slots=True)
class Problem:
    name: str
    wrong: str
    expected: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.wrong}" + (f" (expected {self.expected})" if self.expected else "")


class SettingsError(Exception):
    """All that is wrong with the settings, in one message for a person."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


@dataclass(frozen=True, slots=True)
class Found:
    source: str
    raw: object


class Sources:
    def __init__(self, scope: str, environ: Mapping[str, str]) -> None:
        self.scope = scope
        self._environ = environ
        self._file, self.problems = _read(environ.get(CONFIG))
        self._path = environ.get(CONFIG, "")

    def find(self, name: str) -> Found | None:
        for variable in (scoped_variable(self.scope, name), shared_variable(name)):
            # Compose files pass an unset variable on as an empty one: both mean "not set".
            if value := self._environ.get(variable):
                return Found(variable, value)
        for place, table in ((f"{self._path} [{self.scope}]", self._own_table()), (self._path, self._file)):
            if name in table and not isinstance(table[name], dict):
                return Found(place, table[name])
        return None

    def unknown_keys(self, known: Iterable[str]) -> list[Problem]:
        names = list(known)
        problems = [
            self._unknown(f"[{self.scope}] {key}", key, names)
            for key in self._own_table()
            if key not in names
        ]
        for key, value in self._file.items():
            if key in names or key == self.scope:
                continue
            near = difflib.get_close_matches(
                key, [self.scope] if isinstance(value, dict) else names, 1, NEAR_MISS
            )
            if near:
                problems.append(self._unknown(key, key, near))
        return problems

    def _own_table(self) -> dict[str, object]:
        table = self._file.get(self.scope)
        return table if isinstance(table, dict) else {}

    def _unknown(self, shown: str, key: str, names: list[str]) -> Problem:
        near = difflib.get_close_matches(key, names, 1, LOOSE_MATCH)
        hint = f", did you mean {near[0]}?" if near else ""
        return Problem(f"{shown} in {self._path}", f"is not a setting{hint}")


def scoped_variable(scope: str, name: str) -> str:
    return f"{PREFIX}{scope}_{name}".upper()


def shared_variable(name: str) -> str:
    return f"{PREFIX}{name}".upper()


def _read(path: str | None) -> tuple[dict[str, object], list[Problem]]:
    if not path:
        return {}, []
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8")), []
    except OSError as error:
        return {}, [Problem(CONFIG, f"names {path}, which cannot be read: {error.strerror}")]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return {}, [Problem(CONFIG, f"names {path}, which is not TOML: {error}")]
