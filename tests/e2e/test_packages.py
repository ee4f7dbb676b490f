"""Problem packages in, problems out."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

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
    items[2] = items[2].replace("</item>", "<spj language='C'>int main;</spj></item>")
    archive = f"<fps>{''.join(items)}</fps>".encode()
    done = system.one("setter").call(
        "POST", "/problems/import", expect=201, content=archive, headers={"content-type": "application/zip"}
    )
    assert (done["format"], [each["title"] for each in done["problems"]]) == ("fps", names[:2])
    assert done["problem"]["id"] == done["problems"][0]["id"]
    [left_out] = done["left_out"]
    assert (left_out["name"], left_out["code"]) == (names[2], "package_unsupported")
    assert "special judge" in left_out["message"]


def test_what_is_no_package_is_refused_with_a_reason(system: System) -> None:
    headers = {"content-type": "application/zip"}
    refused = system.one("setter").call(
        "POST", "/problems/import", expect=400, content=b"not a zip", headers=headers
    )
    assert refused["reason"]


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


def test_a_stored_problem_is_verified_on_the_judge_and_tells_its_progress_line_by_line(
    system: System,
) -> None:
    problem = stored(system, CHECKED)
    text = system.one("setter").call(
        "POST", f"/problems/{problem}/verify", headers={"accept": "application/x-ndjson"}
    )
    *steps, last = [json.loads(line) for line in text.splitlines()]
    told = [step["progress"] for step in steps]
    assert [each["step"] for each in told if each["step"] != "solution"] == ["package", "inputs", "inputs"]
    judged = {each["solution"]: each for each in told if each["verdict"]}
    assert {name: (each["verdict"], each["ok"]) for name, each in judged.items()} == {
        "accepted/add.py": ("AC", True),
        "wrong_answer/multiply.py": ("WA", True),
    }
    assert judged["wrong_answer/multiply.py"]["case"] == "secret/1"
    assert last["done"]["ok"] is True
    assert last["done"]["time_limit"]["current_ms"] == 2000


def test_a_problem_that_is_not_as_it_says_is_told_so(system: System) -> None:
    problem = stored(
        system, CHECKED | {"submissions/accepted/add.py": "print(3)\n", "data/secret/2.in": "2 2 2\n"}
    )
    done = system.one("setter").post(f"/problems/{problem}/verify", expect=200)
    assert done["ok"] is False
    errors = {each["about"] for each in done["findings"] if each["severity"] == "error"}
    assert errors == {"input validators", "accepted/add.py", "wrong_answer/multiply.py"}


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
