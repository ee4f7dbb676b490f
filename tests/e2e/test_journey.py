"""From signing up to a recomputed board, as people go through it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from minio import Minio

from deepoj_domain.kernel.verdict import Verdict

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System

ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
EXACT = {"builtin": {"mode": "exact"}}
# 42 accepts and 43 rejects; with any other code the checker itself is broken.
BROKEN_CHECKER = "raise SystemExit(1)\n"
PROGRAMS = {
    Verdict.ACCEPTED: ("python3", ADD),
    Verdict.WRONG_ANSWER: ("python3", "print(0)\n"),
    Verdict.PRESENTATION_ERROR: ("python3", ADD.replace("a + b)", "a + b, end=' \\n')")),
    Verdict.TIME_LIMIT: ("python3", "while True: pass\n"),
    Verdict.MEMORY_LIMIT: ("python3", "x = bytearray(600 << 20)\nprint(len(x))\n"),
    Verdict.OUTPUT_LIMIT: ("python3", "while True: print('x' * 4096)\n"),
    Verdict.RUNTIME_ERROR: ("python3", "raise SystemExit(3)\n"),
    Verdict.COMPILE_ERROR: ("c11", "int main(void) { return }\n"),
    Verdict.SYSTEM_ERROR: ("python3", ADD),
}


def broken_checker(system: System) -> Any:  # noqa: ANN401 — JSON
    source = {"name": "check.py", "object": system.store(system.one("setter"), BROKEN_CHECKER)}
    return {"program": {"language": "python3", "sources": [source], "convention": "icpc"}}


def test_every_verdict_of_the_domain_has_a_program() -> None:
    assert PROGRAMS.keys() == set(Verdict)


def test_sign_up_browse_submit_and_see_every_verdict_live(system: System) -> None:
    problem = system.problem(system.one("setter"), time_ms=1000, checker=EXACT)
    broken = system.problem(system.one("setter"), checker=broken_checker(system))
    listed = system.guest.get("/problems", params={"search": problem["title"]})
    assert [each["id"] for each in listed["items"]] == [problem["id"]]
    assert system.guest.get(f"/problems/{problem['slug']}")["samples"][0]["input"] == "1 2\n"
    ada = system.person()
    sent = {
        verdict: ada.submit((broken if verdict is Verdict.SYSTEM_ERROR else problem)["id"], source, language)
        for verdict, (language, source) in PROGRAMS.items()
    }
    found = {verdict: ada.judged(submission_id) for verdict, submission_id in sent.items()}
    assert {verdict: each["result"]["verdict"] for verdict, each in found.items()} == {
        verdict: verdict for verdict in PROGRAMS
    }
    assert "error" in found[Verdict.COMPILE_ERROR]["result"]["compile_output"]
    mine = ada.get("/submissions", params={"user_id": ada.id, "size": 3})
    assert [each["id"] for each in mine["items"]] == sorted(sent.values(), reverse=True)[:3]
    rest = ada.get("/submissions", params={"user_id": ada.id, "cursor": mine["page"]["next_cursor"]})
    assert len(rest["items"]) == len(PROGRAMS) - 3


def test_what_could_not_be_judged_is_a_dead_letter_and_is_replayed_once_the_cause_is_gone(
    system: System,
) -> None:
    setter, ada = system.one("setter"), system.person()
    # Files of no other test: the worker must not have them on its disk.
    given, answer = "123456789 987654321\n", "1111111110\n"
    problem = system.problem(setter, cases=[(given, answer)])
    lose(system, system.store(setter, answer)["sha256"])
    dead = ada.judged(ada.submit(problem["id"]))
    assert (dead["status"], dead["result"], bool(dead["reason"])) == ("dead", None, True)
    letter = _letter(system, dead["id"])
    assert (letter["attempts"], letter["replayed_as"]) == (3, None)
    assert letter["last_error"]
    system.store(setter, answer)
    replayed = system.admin.post(f"/admin/dead-letters/{dead['id']}/replay")["new_submission_id"]
    assert ada.judged(replayed)["result"]["verdict"] == "AC"
    assert _letter(system, dead["id"])["replayed_as"] == replayed
    again = system.admin.post(f"/admin/dead-letters/{dead['id']}/replay", expect=409)
    assert again["type"].endswith("wrong-state")


def _letter(system: System, submission_id: str) -> Any:  # noqa: ANN401 — JSON
    letters = system.admin.get("/admin/dead-letters")["items"]
    return next(each for each in letters if each["submission_id"] == submission_id)


def lose(system: System, sha256: str) -> None:
    """Take a file out of the object store, as a broken disk would."""
    known = system.settings
    store = Minio(
        urlsplit(known["s3_endpoint"]).netloc,
        access_key=known["s3_access_key"],
        secret_key=known["s3_secret_key"],
        secure=False,
    )
    store.remove_object(known["s3_bucket"], f"data/{sha256}")


def test_a_retry_with_the_same_key_is_the_same_submission(system: System) -> None:
    problem, ada = system.problem(system.one("setter")), system.one("contestant")
    body = {"problem_id": problem["id"], "language": "python3", "source": ADD}
    key = {"Idempotency-Key": "one-and-the-same"}
    first = ada.post("/submissions", body, headers=key)
    again = ada.post("/submissions", body, headers=key)
    assert (first["repeated"], again) == (False, {**first, "repeated": True})
    other = ada.post("/submissions", {**body, "source": "print(1)"}, 409, headers=key)
    assert other["reason"] == "idempotency_key_reused"


def test_a_submission_is_explained_shown_and_cancelled(system: System) -> None:
    problem, ada = system.problem(system.one("setter"), time_ms=10_000), system.one("contestant")
    submission_id = ada.submit(problem["id"], "import time\ntime.sleep(9)\nprint(3)\n")
    assert ada.get(f"/submissions/{submission_id}/explain")["summary"]
    assert "sleep" in ada.get(f"/submissions/{submission_id}/source")["source"]
    cancelled = ada.call("POST", f"/submissions/{submission_id}/cancel")
    assert cancelled["status"] == "cancelled"
    assert ada.get(f"/submissions/{submission_id}")["submission"]["status"] == "cancelled"
    assert ada.call("POST", f"/submissions/{submission_id}/cancel", expect=409)["type"].endswith(
        "wrong-state"
    )


def test_a_program_runs_on_an_input_of_ones_own(system: System) -> None:
    body = {"language": "python3", "source": "print(input()[::-1])", "input": "abc\n"}
    ran = system.one("contestant").post("/runs", body, 200)
    assert (ran["verdict"], ran["stdout"]) == ("OK", "cba\n")


def contest_draft(problem: Any, starts_in: timedelta = timedelta(seconds=-5), **more: Any) -> Any:  # noqa: ANN401 — JSON
    now = datetime.now(UTC)
    schedule = {
        "starts_at": (now + starts_in).isoformat(),
        "ends_at": (now + starts_in + timedelta(hours=2)).isoformat(),
    }
    return {
        "title": "Spring contest",
        "format": "icpc",
        "schedule": schedule,
        "problems": [{"problem_id": problem["id"], "label": "A", "colour": "#ff0000"}],
        "entry": {"during_contest": True},
        **more,
    }


def test_contest_board_rejudge_and_recompute(system: System) -> None:
    setter, judge, ada = system.one("setter"), system.one("judge"), system.person()
    problem = system.problem(setter, published=False)
    contest = judge.post("/contests", contest_draft(problem))
    ada.post(f"/contests/{contest['id']}/participants", {"display_name": "Ada"})
    assert ada.get(f"/problems/{problem['id']}", params={"contest_id": contest["id"]})["id"] == problem["id"]
    live = ada.events(f"/contests/{contest['id']}/events")
    assert next(live)[0] == "board"
    wrong = ada.judged(ada.submit(problem["id"], "print(3)\n", contest_id=contest["id"]))
    assert wrong["result"]["verdict"] == "WA"
    right = ada.judged(ada.submit(problem["id"], contest_id=contest["id"]))
    assert right["result"]["verdict"] == "AC"
    row = next(data["row"] for event, _, data in live if event == "row" and data["row"]["solved"] == 1)
    assert (row["rank"], row["cells"][0]["rejected"]) == (1, 1)
    live.close()
    board = system.guest.get(f"/contests/{contest['id']}/scoreboard")
    assert [each["participant"]["display_name"] for each in board["items"]] == ["Ada"]
    assert ada.get(f"/contests/{contest['id']}/scoreboard/{ada.id}/explain")["submissions"]
    assert "Ada" in system.guest.get(f"/contests/{contest['id']}/scoreboard/export")
    _rejudge_as_accepted(system, judge, problem, contest, wrong["id"])
    _recompute(system, judge, contest)


def _rejudge_as_accepted(system: System, judge: Person, problem: Any, contest: Any, wrong: str) -> None:  # noqa: ANN401
    """Make the first answer right after all, and see its penalty vanish."""
    setter = system.one("setter")
    draft = {key: problem[key] for key in ("slug", "level", "tags", "statements", "samples")}
    three = system.store(setter, "3\n")
    cases = [{"name": "1", "input": system.store(setter, "1 2\n"), "answer": three}]
    draft["judging"] = {"cases": cases, "checker": {"builtin": {"mode": "tokens"}}}
    version = setter.get(f"/problems/{problem['id']}")["version"]
    setter.put(f"/problems/{problem['id']}", {"version": version, "draft": draft})
    started = judge.post("/admin/rejudges", {"submission_id": wrong, "reason": "a case was wrong"})
    path = f"/admin/rejudges/{started['rejudge_id']}"
    system.eventually(lambda: judge.get(path)["judged"] == 1)
    assert judge.get(path)["items"][0]["new_verdict"] == "AC"
    preview = judge.get(f"/contests/{contest['id']}/rejudges/{started['rejudge_id']}/preview")
    assert preview["changes"]
    assert judge.call("POST", f"{path}/apply")["applied"] == 1

    def without_penalty() -> bool:
        rows = system.guest.get(f"/contests/{contest['id']}/scoreboard")["items"]
        return bool(rows[0]["cells"][0]["rejected"] == 0)

    system.eventually(without_penalty)


def _recompute(system: System, judge: Person, contest: Any) -> None:  # noqa: ANN401
    path = f"/contests/{contest['id']}/recompute"
    begun = judge.call("POST", path, expect=202)

    def done() -> bool:
        work = judge.get(f"/contests/{contest['id']}/work/{begun['id']}")
        return bool(work["state"] == "done" and work["result"]["rows_changed"] == 0)

    system.eventually(done)
    lines = judge.call("POST", path, headers={"accept": "application/x-ndjson"}, expect=202).splitlines()
    assert '"done":{' in lines[-1]
    listed = judge.get(f"/contests/{contest['id']}/work")["items"]
    assert [each["kind"] for each in listed] == ["recompute", "recompute"]
    rulings = judge.get(f"/contests/{contest['id']}/rulings")["items"]
    assert {each["action"] for each in rulings} == {"recompute"}
