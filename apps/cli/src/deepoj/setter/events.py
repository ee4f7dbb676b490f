"""What the judgement process says while it works, line by line."""

from __future__ import annotations

import msgspec


class _Event(msgspec.Struct, frozen=True, tag_field="event"):
    pass


class Opened(_Event, frozen=True, tag="opened"):
    short_name: str
    title: str
    format: str
    scoring: bool
    interactive: bool
    cases: int
    submissions: int
    time_limit_ms: int | None


class Working(_Event, frozen=True, tag="working"):
    on: str
    done: int
    total: int


class Finding(_Event, frozen=True, tag="finding"):
    severity: str
    about: str
    message: str


class Note(_Event, frozen=True, tag="note"):
    about: str
    message: str


class Case(msgspec.Struct, frozen=True):
    name: str
    verdict: str
    time_ms: int
    memory_kib: int
    message: str
    exit_code: int
    signal: int
    stderr: str


class Group(msgspec.Struct, frozen=True):
    name: str
    score: str
    points: str


class Judged(_Event, frozen=True, tag="solution_judged"):
    name: str
    language: str
    verdict: str
    score: str
    full_score: str
    time_ms: int
    time_limit_ms: int
    memory_kib: int
    cases: list[Case]
    groups: list[Group]
    message: str
    expected: str
    problems: list[str]


class TimeLimit(_Event, frozen=True, tag="time_limit"):
    current_ms: int | None
    suggested_ms: int
    slowest_ms: int
    slowest: str
    used_ms: int
    room_factor: str
    clear_factor: str


class Catch(msgspec.Struct, frozen=True):
    submission: str
    caught_by: list[str]


class Strength(_Event, frozen=True, tag="strength"):
    catches: list[Catch]
    catching_nobody: list[str]


class Mutant(_Event, frozen=True, tag="mutant_judged"):
    of: str
    line: int
    change: str
    verdict: str
    survived: bool
    caught_by: str


class Cost(_Event, frozen=True, tag="cost"):
    dearest: str
    judging_ms: int
    verifying_ms: int
    seconds: float
    cases: int
    data_bytes: int


class Language(msgspec.Struct, frozen=True):
    slug: str
    name: str
    version: str
    package: str
    time_percent: int
    memory_percent: int
    suffixes: list[str]


class Languages(_Event, frozen=True, tag="languages"):
    languages: list[Language]


class Finished(_Event, frozen=True, tag="finished"):
    ok: bool


class Failed(_Event, frozen=True, tag="failed"):
    reason: str
    message: str


Event = (
    Opened
    | Working
    | Finding
    | Note
    | Judged
    | TimeLimit
    | Strength
    | Mutant
    | Cost
    | Languages
    | Finished
    | Failed
)
decode = msgspec.json.Decoder(Event).decode
