"""Problem packages in, problems out."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import httpx
import pytest

from deepoj_packages.testing import HOSTILE_VALIDATORS

if TYPE_CHECKING:
    from tests.e2e.conftest import System

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def package() -> bytes:
    """Return the first example package as an archive."""
    directory = min(each for each in EXAMPLES.iterdir() if (each / "problem.yaml").exists())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(directory.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(directory))
    return packed.getvalue()


def test_a_package_becomes_a_problem_that_can_be_exported_again(system: System, package: bytes) -> None:
    setter, headers = system.one("setter"), {"content-type": "application/zip"}
    done = setter.call("POST", "/problems/import", expect=201, content=package, headers=headers)
    problem = done["problem"]
    assert problem["statements"]
    assert setter.get(f"/problems/{problem['id']}/revisions")["items"][0]["number"] == 1
    exported = setter.http.get(f"/api/problems/{problem['id']}/export")
    assert exported.headers["content-type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(exported.content)).testzip() is None
    again = setter.call(
        "POST", f"/problems/{problem['id']}/import", expect=201, content=exported.content, headers=headers
    )
    assert again["problem"]["id"] == problem["id"]
    other = {"format": "polygon", "archive": "tar"}
    exported = setter.http.get(f"/api/problems/{problem['id']}/export", params=other)
    assert exported.headers["content-type"] == "application/x-tar"
    with tarfile.open(fileobj=io.BytesIO(exported.content)) as archive:
        assert f"{problem['slug']}/problem.xml" in archive.getnames()
    flags = "name: Sums\nlimits: {time_limit: 2}\nvalidator_flags: float_tolerance 1e-6\n"
    tolerant = stored(system, CHECKED | {"problem.yaml": flags})
    refused = setter.call("GET", f"/problems/{tolerant}/export?format=polygon", expect=409)
    assert refused["reason"] == "package_unsupported"
    assert "a comparison with float_absolute_tolerance" in refused["detail"]


def test_an_import_tells_its_progress_line_by_line(system: System, package: bytes) -> None:
    headers = {"content-type": "application/zip", "accept": "application/x-ndjson"}
    text = system.one("setter").call(
        "POST", "/problems/import", expect=201, content=package, headers=headers, params={"slug": "by-lines"}
    )
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[-1]["done"]["problem"]["slug"] == "by-lines"
    assert {line["progress"]["stage"] for line in lines[:-1]} <= {"receiving", "reading", "storing"}


def test_one_bad_problem_of_many_is_left_out_and_the_format_is_told(system: System) -> None:
    tests = "<test_input>1</test_input><test_output>1</test_output>"
    names = [f"{name} {uuid4()}" for name in ("First", "Second", "Judged")]
    items = [f"<item><title>{name}</title>{tests}</item>" for name in names]
    items[2] = items[2].replace("</item>", f"{2 * '<spj>int main;</spj>'}</item>")
    archive = f"<fps>{''.join(items)}</fps>".encode()
    done = system.one("setter").call(
        "POST", "/problems/import", expect=201, content=archive, headers={"content-type": "application/zip"}
    )
    assert (done["format"], [each["title"] for each in done["problems"]]) == ("fps", names[:2])
    assert done["problem"]["id"] == done["problems"][0]["id"]
    [left_out] = done["left_out"]
    assert (left_out["name"], left_out["code"]) == (names[2], "package_invalid")
    assert "special judge" in left_out["message"]


def test_what_is_no_package_is_refused_with_a_reason(system: System) -> None:
    headers = {"content-type": "application/zip"}
    refused = system.one("setter").call(
        "POST", "/problems/import", expect=400, content=b"not a zip", headers=headers
    )
    assert refused["reason"]


def test_an_archive_that_is_too_large_is_refused_before_it_is_sent(system: System) -> None:
    setter = system.one("setter").http
    door = HTTPConnection(setter.base_url.host, setter.base_url.port, timeout=30)
    door.putrequest("POST", "/api/problems/import")
    for name, value in {**setter.headers, "content-type": "application/zip"}.items():
        if name.lower() not in {"host", "accept-encoding"}:
            door.putheader(name, value)
    door.putheader("content-length", str(8 * 1024**3))
    door.endheaders()
    answer = door.getresponse()
    assert (answer.status, json.loads(answer.read())["reason"]) == (413, "too_large")
    door.close()


def test_an_image_is_shown_to_whoever_may_read_the_problem(system: System) -> None:
    setter = system.one("setter")
    problem = system.problem(setter)
    stored = system.store(setter, "<svg xmlns='http://www.w3.org/2000/svg'/>")
    draft = {key: problem[key] for key in ("slug", "level", "tags", "statements", "samples")}
    draft["assets"] = [{"name": "figures/tree.svg", "content_type": "image/svg+xml", "object": stored}]
    setter.put(f"/problems/{problem['id']}", {"version": problem["version"], "draft": draft})
    answer = system.guest.http.get(f"/api/problems/{problem['id']}/assets/figures/tree.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert system.guest.http.get(f"/api/problems/{problem['id']}/assets/none.png").status_code == 404


ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
CHECKED = {
    "problem.yaml": "name: Sums\nlimits: {time_limit: 2}\n",
    "problem_statement/problem.en.md": "Add two numbers.\n",
    "data/secret/1.in": "1 2\n",
    "data/secret/1.ans": "3\n",
    "data/secret/2.in": "2 2\n",
    "data/secret/2.ans": "4\n",
    "input_validators/two.py": "import sys\nsys.exit(42 if len(input().split()) == 2 else 43)\n",
    "submissions/accepted/add.py": ADD,
    "submissions/wrong_answer/multiply.py": ADD.replace("a + b", "a * b"),
}


def stored(system: System, files: dict[str, str]) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    headers, slug = {"content-type": "application/zip"}, f"checked-{uuid4().hex[:12]}"
    done = system.one("setter").call(
        "POST", f"/problems/import?slug={slug}", expect=201, content=packed.getvalue(), headers=headers
    )
    return str(done["problem"]["id"])


# Has a number squared by the one copy, and the square by the other.
MANAGED = {
    "task.yaml": "name: squares\ntitle: Squares\ntime_limit: 2\nmemory_limit: 64\nnum_processes: 2\n",
    "input/input0.txt": "3\n",
    "check/manager.py": """
import sys
number = first = int(input())
for given, to in ((1, 2), (3, 4)):
    hears, speaks = open(sys.argv[given]), open(sys.argv[to], "w")
    print(number, file=speaks, flush=True)
    number = int(hears.readline() or 0)
print(1.0 if number == first ** 4 else 0.5 if number else 0.0)
""",
}


def test_a_task_with_a_manager_is_imported_and_judged_with_every_copy(system: System) -> None:
    setter, problem = system.one("setter"), stored(system, MANAGED)
    sent = {
        "AC": "print(int(input()) ** 2)",
        "WA": "print(int(input()) + 1)",
        "RE": "import sys\nassert sys.argv[1] == '0'\nprint(int(input()) ** 2)",
    }
    submissions = {verdict: setter.submit(problem, source) for verdict, source in sent.items()}
    results = [(verdict, setter.judged(each)["result"]) for verdict, each in submissions.items()]
    assert [result["verdict"] for _, result in results] == list(sent)
    assert [float(result["score"]) for _, result in results] == [100, 50, 0]
    checker = setter.get(f"/problems/{problem}/judging")["judging"]["checker"]["program"]
    assert checker["communication"] == {"copies": 2, "by_name": False}
    refused = setter.call("GET", f"/problems/{problem}/export", expect=409)
    assert "no managers that talk with submissions" in refused["detail"]


def test_a_stored_problem_is_verified_on_the_judge_and_tells_its_progress_line_by_line(
    system: System,
) -> None:
    problem = stored(system, CHECKED)
    text = system.one("setter").call(
        "POST", f"/problems/{problem}/verify", headers={"accept": "application/x-ndjson"}
    )
    *steps, last = [json.loads(line) for line in text.splitlines()]
    told = [step["progress"] for step in steps]
    assert told[0]["step"] == "package"
    validated = [each for each in told if each["step"] == "inputs"]
    assert validated[-1]["done"] == validated[-1]["total"] == len(validated) > 2, "the cases, and junk"
    judged = {each["solution"]: each for each in told if each["verdict"]}
    assert {name: (each["verdict"], each["ok"]) for name, each in judged.items()} == {
        "accepted/add.py": ("AC", True),
        "wrong_answer/multiply.py": ("WA", True),
    }
    assert judged["wrong_answer/multiply.py"]["case"] == "secret/1"
    assert last["done"]["ok"] is True
    assert last["done"]["time_limit"]["current_ms"] == 2000
    narrow = "part=submissions&submission=accepted/*&case=secret/1&time_limit=1.5&mutants=0"
    text = system.one("setter").call(
        "POST", f"/problems/{problem}/verify?{narrow}", headers={"accept": "application/x-ndjson"}
    )
    *steps, last = [json.loads(line) for line in text.splitlines()]
    told = [step["progress"] for step in steps]
    assert {(each["solution"], each["total"]) for each in told if each["verdict"]} == {("accepted/add.py", 1)}
    assert not any(each["step"] == "inputs" for each in told)
    assert last["done"]["time_limit"]["current_ms"] == 1500


@pytest.mark.parametrize(
    "wanted",
    [
        "part=speed",
        "mutants=21",
        "time_limit=61",
        "time_limit=0",
        pytest.param("&".join(["case=*"] * 21), id="21 patterns"),
    ],
)
def test_a_verification_that_asks_for_too_much_is_refused(system: System, wanted: str) -> None:
    refused = system.one("setter").post(f"/problems/{uuid4()}/verify?{wanted}", expect=400)
    assert refused["type"] == "urn:deepoj:error:invalid-request"


def test_a_problem_that_is_not_as_it_says_is_told_so(system: System) -> None:
    problem = stored(
        system, CHECKED | {"submissions/accepted/add.py": "print(3)\n", "data/secret/2.in": "2 2 2\n"}
    )
    done = system.one("setter").post(f"/problems/{problem}/verify", expect=200)
    assert done["ok"] is False
    errors = {each["about"] for each in done["findings"] if each["severity"] == "error"}
    assert errors == {"input validators", "accepted/add.py", "wrong_answer/multiply.py"}


def test_hostile_validators_of_a_problem_are_stopped_and_the_judge_goes_on(system: System) -> None:
    hostile = {f"input_validators/{name}.py": source for name, source in HOSTILE_VALIDATORS.items()}
    sleeping = {
        "problem.yaml": "name: Sums\nlimits: {time_limit: 2, validation_time: 1}\nvalidation: custom\n",
        "output_validators/sleeps.py": "import signal\nsignal.pause()\n",
    }
    problem, setter = stored(system, CHECKED | hostile | sleeping), system.one("setter")
    done = setter.post(f"/problems/{problem}/verify?part=validators&part=answers&case=secret/1", expect=200)
    said = [each["message"] for each in done["findings"] if each["about"] == "input validators"]
    assert len(said) == len(hostile)
    for name in HOSTILE_VALIDATORS:
        [words] = [each for each in said if each.startswith(f"{name}.py does not confirm secret/1")]
        assert "stopped" in words, "not done, and not broken by a mistake of this test"
    assert any(each["about"] == "output validator" for each in done["findings"])
    healthy = stored(system, CHECKED)
    assert setter.post(f"/problems/{healthy}/verify", expect=200)["ok"] is True
    assert setter.judged(setter.submit(healthy, ADD))["result"]["verdict"] == "AC"


def test_a_verification_that_nobody_listens_to_any_more_makes_room_for_the_next(system: System) -> None:
    endless = CHECKED | {
        "problem.yaml": "name: Sums\nlimits: {time_limit: 60}\n",
        "submissions/accepted/add.py": "while True: pass\n",
    }
    setter, slow, quick = system.one("setter"), stored(system, endless), stored(system, CHECKED)
    headers = {"accept": "application/x-ndjson"}
    with setter.http.stream("POST", f"/api/problems/{slow}/verify", headers=headers, timeout=60) as answer:
        lines = answer.iter_lines()  # held: it hangs up when it is let go
        assert any('"solution":"accepted/add.py"' in line for line in lines)
        refused = setter.post(f"/problems/{quick}/verify", expect=429)
        assert refused["reason"] == "verification_under_way"
    system.eventually(lambda: setter.http.post(f"/api/problems/{quick}/verify").status_code == 200)
    with pytest.raises(httpx.ReadTimeout):
        setter.http.post(f"/api/problems/{slow}/verify", timeout=3)
    system.eventually(lambda: setter.http.post(f"/api/problems/{quick}/verify").status_code == 200)
