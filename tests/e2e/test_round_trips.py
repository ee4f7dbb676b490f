"""What was read can be sent back and loses nothing; a PATCH changes what it names, and nothing else."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

HOUR = timedelta(hours=1)
# Fields of a contest as it is read that a draft has not: what the server says of it.
SAID = {"id", "owner_id", "phase", "participants", "version", "unfrozen_at", "finalized_at", "work"}
SAID_OF_ITS_PROBLEM = {"title", "titles", "slug"}


def draft_of(contest: dict[str, Any]) -> dict[str, Any]:
    draft = {name: value for name, value in contest.items() if name not in SAID}
    draft["entry"] = {name: value for name, value in contest["entry"].items() if name != "has_password"}
    draft["problems"] = [
        {name: value for name, value in problem.items() if name not in SAID_OF_ITS_PROBLEM}
        for problem in contest["problems"]
    ]
    return draft


@pytest.fixture(scope="module")
def contest(system: System) -> dict[str, Any]:
    setter, now = system.one("setter"), datetime.now(UTC)
    problem, friend = system.problem(setter), system.one("contestant")
    draft = {
        "title": f"Private {uuid4().hex}",
        "description": "Bring *tea*.",
        "format": "icpc",
        "options": {"penalty_minutes": 7, "rounding": "on_the_sum"},
        "schedule": {
            "starts_at": (now - HOUR).isoformat(),
            "ends_at": (now + HOUR).isoformat(),
            "freezes_at": (now - HOUR / 2).isoformat(),
        },
        "problems": [{"problem_id": problem["id"], "label": "A", "points": 3, "colour": "#00ff00"}],
        "entry": {"private": True, "during_contest": True, "virtual_allowed": True},
        "password": "open sesame",
        "invited_ids": sorted([friend.id, str(uuid4())]),
        "admin_ids": [str(uuid4())],
        "judge_ids": [str(uuid4())],
    }
    made = setter.post("/contests", draft)
    friend.post(f"/contests/{made['id']}/participants", {"display_name": "Ada"})
    return dict(made)


def test_a_contest_that_is_sent_back_as_it_was_read_loses_nothing(
    system: System, contest: dict[str, Any]
) -> None:
    setter, path = system.one("setter"), f"/contests/{contest['id']}"
    before = setter.get(path)["contest"]
    assert len(before["invited_ids"]) == 2
    after = setter.put(path, {"version": before["version"], "draft": draft_of(before)})
    assert {**after, "version": before["version"]} == before
    assert after["entry"]["has_password"]
    shown = system.one("contestant").get(path)["contest"]
    assert shown["invited_ids"] == [], "who is invited is told the staff only"


def test_a_patch_of_a_participant_changes_only_what_it_names(system: System, contest: dict[str, Any]) -> None:
    setter, friend = system.one("setter"), system.one("contestant")
    path = f"/contests/{contest['id']}/participants/{friend.id}"

    def changed(person: Person, body: dict[str, Any]) -> tuple[str, str, int]:
        found = person.call("PATCH", path, json=body)
        return found["kind"], found["display_name"], found["penalty_adjustment_minutes"]

    assert changed(setter, {"penalty_adjustment_minutes": 5}) == ("official", "Ada", 5)
    assert changed(setter, {"display_name": "Lovelace"}) == ("official", "Lovelace", 5)
    assert changed(setter, {"kind": "unofficial"}) == ("unofficial", "Lovelace", 5)
    assert changed(setter, {}) == ("unofficial", "Lovelace", 5)
    assert changed(setter, {"penalty_adjustment_minutes": 0}) == ("unofficial", "Lovelace", 0)
    for refused in (
        {"display_name": ""},
        {"display_name": "x" * 101},
        {"penalty_adjustment_minutes": 10_081},
    ):
        setter.call("PATCH", path, json=refused, expect=400)


def cursor(moment: str) -> str:
    return base64.urlsafe_b64encode(f"{moment} {uuid4()}".encode()).decode()


ENDS = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"]


@pytest.mark.parametrize("moment", ENDS)
@pytest.mark.parametrize("path", ["/submissions", "/contests", "/admin/dead-letters", "/admin/rejudges"])
def test_a_cursor_beyond_the_calendar_is_refused(system: System, path: str, moment: str) -> None:
    assert system.admin.get(path, 400, params={"cursor": cursor(moment)})["reason"] == "cursor_malformed"


@pytest.mark.parametrize("moment", ENDS)
@pytest.mark.parametrize("name", ["submitted_from", "submitted_before"])
def test_a_moment_beyond_the_calendar_is_refused(system: System, name: str, moment: str) -> None:
    system.admin.get("/submissions", 400, params={name: moment})


# Fields of a problem as it is read that a draft has not.
SAID_OF_PROBLEM = {"id", "title", "enabled", "revision", "updated_at", "owner_id", "created_at", "version"}
FULL_LIMITS = {
    "time_ms": 1500, "memory_bytes": 64 << 20, "output_bytes": 1 << 20, "stack_bytes": 8 << 20,
    "processes": 7, "source_bytes": 9999,
    "per_language": [{"language": "python3", "time_ms": 4000, "memory_bytes": None}],
}  # fmt: skip


@pytest.fixture(scope="module")
def problem(system: System) -> dict[str, Any]:
    """With something in every field."""
    setter = system.one("setter")
    files = [system.store(setter, text) for text in ("1 2\n", "3\n", "a picture")]
    slug = f"round-{uuid4().hex}"
    draft: dict[str, Any] = {
        "slug": slug,
        "level": "hard",
        "tags": ["c++ 'n' such", "sums"],
        "statements": [
            {
                "locale": "zh-Hans",
                "title": "和",
                "markdown": "# 和\r\n$a+b$ \N{GRINNING FACE}\t\n\n",
                "format": "markdown",
                "pdf": "",
            },
            {"locale": "en", "title": "Sum", "markdown": "", "format": "tex", "pdf": ""},
        ],
        "samples": [{"input": "1 2\r\n", "output": " 3\n\n", "note": "*why*"}, {"input": "", "output": ""}],
        "limits": FULL_LIMITS,
        "languages": ["c11", "python3"],
        "judging": {
            "cases": [
                {"name": "1", "input": files[0], "answer": files[1], "group": "all", "points": 0.000001}
            ],
            "groups": [{"name": "all", "scoring": "sum", "points": 0.000001, "break_on_reject": True}],
            "checker": {"builtin": {"mode": "icpc", "absolute_tolerance": "1e-6"}},
            "stop_at_first_failure": False,
        },
        "assets": [{"name": "a b/c.png", "content_type": "image/png", "object": files[2]}],
    }
    made = setter.post("/problems", draft)
    samples = [{"note": "", **sample} for sample in draft["samples"]]
    expected = {name: value for name, value in draft.items() if name != "judging"} | {"samples": samples}
    assert {name: made[name] for name in expected} == expected
    return dict(made)


def revisions(setter: Person, problem: dict[str, Any]) -> list[tuple[int, str]]:
    found = setter.get(f"/problems/{problem['id']}/revisions")["items"]
    return [(each["number"], each["judge_hash"]) for each in found]


def test_a_problem_that_is_sent_back_as_it_was_read_loses_nothing(
    system: System, problem: dict[str, Any]
) -> None:
    setter, path = system.one("setter"), f"/problems/{problem['id']}"
    before, hashes = setter.get(path), revisions(setter, problem)
    draft = {name: value for name, value in before.items() if name not in SAID_OF_PROBLEM}
    after = setter.put(path, {"version": before["version"], "draft": draft})
    assert after == before
    assert revisions(setter, problem) == hashes, "nothing changed, so there is no new revision"


def test_limits_and_tests_that_a_change_of_a_problem_does_not_name_stay(
    system: System, problem: dict[str, Any]
) -> None:
    setter, path = system.one("setter"), f"/problems/{problem['id']}"
    before, hashes = setter.get(path), revisions(setter, problem)
    draft = {name: value for name, value in before.items() if name not in SAID_OF_PROBLEM | {"limits"}}
    draft["statements"] = [{"locale": "en", "title": "Another", "markdown": "text"}]
    after = setter.put(path, {"version": before["version"], "draft": draft})
    changed = {"title", "statements", "revision", "version", "updated_at"}
    assert {name for name in before if before[name] != after[name]} == changed
    assert after["limits"] == FULL_LIMITS
    assert {each[1] for each in revisions(setter, problem)} == {hashes[0][1]}, "and no verdict can change"


def test_limits_of_a_problem_are_taken_to_their_ends_and_refused_beyond_them(
    system: System, problem: dict[str, Any]
) -> None:
    setter, path = system.one("setter"), f"/problems/{problem['id']}"
    ends = {
        "time_ms": 600_000, "memory_bytes": 64 << 30, "output_bytes": 256 << 20, "stack_bytes": 64 << 30,
        "processes": 1024, "source_bytes": 1 << 20,
    }  # fmt: skip
    least = {"time_ms": 1, "memory_bytes": 1 << 20, "stack_bytes": 1 << 20}

    def sent(limits: dict[str, Any], expect: int = 200) -> dict[str, Any]:
        before = setter.get(path)
        draft = {name: value for name, value in before.items() if name not in SAID_OF_PROBLEM}
        body = {"version": before["version"], "draft": draft | {"limits": FULL_LIMITS | limits}}
        return dict(setter.put(path, body, expect))

    assert sent(ends)["limits"] == FULL_LIMITS | ends
    assert sent(least)["limits"] == FULL_LIMITS | least
    beyond = [{name: value + 1} for name, value in ends.items()]
    beyond += [{name: value - 1} for name, value in least.items()]
    for limits in beyond:
        assert sent(limits, 400)["detail"], limits
    sent({})


def test_a_patch_of_a_profile_changes_only_what_it_names(system: System) -> None:
    ada = system.person()
    before = ada.get("/users/me")

    def changed(body: dict[str, Any], expect: int = 200) -> dict[str, Any]:
        return dict(ada.call("PATCH", "/users/me", json=body, expect=expect))

    seen = dict(before)
    for field in (
        {"display_name": "Ada \N{GRINNING FACE} " + "x" * 58},
        {"bio": "one\ntwo" + "x" * 993},
        {"avatar": "https://example.org/" + "x" * 480},
        {},
        {"bio": ""},
    ):
        seen |= field
        assert changed(field) == seen == ada.get("/users/me")
    for refused in (
        {"display_name": "x" * 65}, {"display_name": " x"}, {"display_name": "a\nb"}, {"display_name": None},
        {"bio": "x" * 1001}, {"avatar": "http://example.org"}, {"avatar": "https://" + "x" * 493},
        {"name": "other"}, {"role": "admin"},
    ):  # fmt: skip
        assert changed(refused, 400)["detail"], refused
    assert ada.get("/users/me") == seen


def test_an_api_token_is_listed_as_it_was_made(system: System) -> None:
    ada = system.person()
    expires = datetime(2099, 12, 31, 23, 59, 59, 123456, tzinfo=UTC)
    wanted: dict[str, Any] = {"name": "\N{GRINNING FACE} " + "x" * 98, "scopes": ["submit", "read"]}
    made = ada.post(
        "/users/me/tokens", wanted | {"expires_at": expires.astimezone(timezone(5 * HOUR)).isoformat()}
    )
    (listed,) = ada.get("/users/me/tokens")["items"]
    assert listed == made["token"]
    assert (listed["name"], sorted(listed["scopes"])) == (wanted["name"], sorted(wanted["scopes"]))
    assert datetime.fromisoformat(listed["expires_at"]) == expires
    beyond: list[dict[str, Any]] = [
        {"name": "x" * 101}, {"name": ""}, {"name": "a\nb"}, {"scopes": []}, {"scopes": ["all"]},
        {"expires_at": "2001-01-01T00:00:00Z"}, *({"expires_at": end} for end in ENDS),
    ]  # fmt: skip
    for refused in beyond:
        assert ada.post("/users/me/tokens", wanted | refused, 400)["detail"], refused
    assert ada.get("/users/me/tokens")["items"] == [listed]


@pytest.mark.parametrize(
    ("field", "fits", "refused"),
    [
        ("name", ["abc", "x" * 32], ["ab", "x" * 33, "-abc", "a b c"]),
        ("password", ["12345678", "12" * 128], ["1234567", "12" * 128 + "1"]),
        ("email", ["a@b.co", f"{'a' * 64}@{'b' * 185}.org"], ["a@b", f"{'a' * 64}@{'b' * 186}.org"]),
    ],
)
def test_what_an_account_begins_with_is_taken_to_its_ends(
    system: System, field: str, fits: list[str], refused: list[str]
) -> None:
    """Without a captcha nobody is registered; a text that fits comes as far as being asked for it."""
    wanted = {"name": f"n{uuid4().hex[:20]}", "email": "ada@example.org", "password": "correct horse"}

    def reason(text: str) -> str:
        body = wanted | {field: text, "captcha": "AAAAA-AAAAA"}
        return str(system.guest.call("POST", "/auth/register", json=body, expect=None)["reason"])

    assert all(reason(text).startswith("captcha") for text in fits)
    assert not any(reason(text).startswith("captcha") for text in refused)
