"""Problem packages in, problems out."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

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
