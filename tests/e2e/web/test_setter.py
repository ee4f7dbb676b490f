"""A problem from a package to the public."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import ADD
from tests.e2e.web.axe import Axe
from tests.e2e.web.conftest import files_of, packed
from tests.e2e.web.manner import AT_A_DESK, ON_A_PHONE, Hands, hands_of

if TYPE_CHECKING:
    from tests.e2e.conftest import Person, System
    from tests.e2e.web.conftest import OpenBrowser, Package

SLUG, TITLE = "sum-of-two", "Sum of two"
# Few solutions: the judge runs each of them.
SOLUTIONS = ("sum.py", "signs.py")


@pytest.fixture(scope="module")
def files() -> Package:
    example = files_of("aplusb")
    renamed = re.sub(rb"(en|zh): A \+ B.*", rb"\1: " + TITLE.encode(), example["problem.yaml"])
    return {
        name: content
        for name, content in (example | {"problem.yaml": renamed}).items()
        if not name.startswith("submissions/") or name.endswith(SOLUTIONS)
    }


@pytest.fixture
def setter(system: System) -> Person:
    return system.one("setter")


def test_a_package_is_given_read_verified_and_published(
    system: System, open_browser: OpenBrowser, setter: Person, files: Package
) -> None:
    hands = hands_of(open_browser, setter, ON_A_PHONE, "/setter/import")
    hands.fill("Name in the address", SLUG)
    hands.give("sum.zip", packed(files))
    hands.sees(f"{TITLE} can be imported, as revision 1. Nothing is stored yet.")
    setter.get(f"/problems/{SLUG}", expect=404)
    hands.press(hands.button("Import it"))
    hands.sees(f"{TITLE} is here, revision 1, hidden until you publish it.")
    hands.press(hands.link("Look at it"))
    expect(hands.page.get_by_role("heading", name=TITLE, exact=True).first).to_be_visible()
    sees_the_tests(hands)
    verifies(hands)
    publishes(hands, system)
    imports_a_new_statement(hands, files)


def sees_the_tests(hands: Hands) -> None:
    hands.press(hands.link("Tests"))
    cases = hands.table("Cases")
    expect(cases.get_by_role("row")).to_have_count(1 + 2 + 5)
    expect(cases.get_by_role("cell", name="04-largest")).to_be_visible()
    hands.field("Format").select_option("Polygon")
    with hands.page.expect_download() as downloaded:
        hands.press(hands.button("Download the package"))
    with zipfile.ZipFile(downloaded.value.path()) as package:
        assert f"{SLUG}/problem.xml" in package.namelist()


def verifies(hands: Hands) -> None:
    """Have the judge run every solution, and be told of each."""
    hands.press(hands.link("Verify"))
    hands.press(hands.button("Verify on the judge"))
    hands.sees("Everything is as the package says.")
    solutions = hands.table("Solutions")
    for name in SOLUTIONS:
        told = re.compile(f"✓ {hands.words('yes')}")
        expect(solutions.get_by_role("row").filter(has_text=name)).to_contain_text(told)


def publishes(hands: Hands, system: System) -> None:
    system.guest.get(f"/problems/{SLUG}", expect=404)
    hands.press(hands.link("Publish"))
    hands.press(hands.button("Publish"))
    hands.sees("Everybody sees it and can submit.")
    assert system.guest.get(f"/problems/{SLUG}")["title"] == TITLE


def imports_a_new_statement(hands: Hands, files: Package) -> None:
    """Change what people read, and see that no verdict depends on it."""
    hands.press(hands.link("Import again"))
    expect(hands.field("Import as")).to_have_value(SLUG)
    statement = "statement/problem.en.md"
    hands.give("sum.zip", packed(files | {statement: files[statement] + b"\nNothing else.\n"}))
    hands.sees("The statement in en changes.")
    hands.press(hands.button("Store it as the new revision"))
    hands.sees(f"{TITLE} is at revision 2 now.")
    hands.sees("Judged as before: no rejudge is needed")


def test_title_limits_slug_level_and_tags_are_edited_and_what_is_wrong_is_said_beside_its_field(
    system: System, open_browser: OpenBrowser, setter: Person
) -> None:
    problem = system.problem(setter)
    hands = hands_of(open_browser, setter, ON_A_PHONE, f"/setter/{problem['slug']}/statement")
    hands.reader.expected.append("status of 4")
    changes_the_title(hands)
    changes_the_limits(hands, setter, problem["id"])
    changes_the_listing(hands)
    told = setter.get(f"/problems/{problem['id']}")
    assert (told["title"], told["level"], told["tags"]) == ("Sum up", "hard", ["adding", "numbers"])
    assert told["limits"] == problem["limits"] | {"time_ms": 1500, "memory_bytes": 96 * 2**20}
    assert (told["revision"], told["samples"]) == (3, problem["samples"])
    assert told["slug"] == f"{problem['slug']}-2"


def changes_the_title(hands: Hands) -> None:
    hands.press(hands.page.get_by_text(hands.said("Edit title and text")))
    assert not Axe(hands.page).violations()
    hands.fill("Title", " ")
    hands.press(hands.button("Save as the next revision"))
    beside(hands, "Title", "A title needs at least one printable character.")
    hands.fill("Title", "Sum up")
    hands.fill("Text of the statement", "Add them all.")
    hands.press(hands.button("Save as the next revision"))
    expect(hands.page.get_by_role("article").get_by_role("heading", name="Sum up")).to_be_visible()
    expect(hands.page.locator(".statement")).to_have_text("Add them all.")


def changes_the_limits(hands: Hands, setter: Person, problem: str) -> None:
    """Somebody else is faster: nothing that is typed is lost."""
    hands.press(hands.part("Limits"))
    hands.press(hands.page.get_by_text(hands.said("Change the limits")))
    assert not Axe(hands.page).violations()
    hands.fill("Time limit in seconds", "1.5")
    hands.fill("Memory limit in MiB", "96")
    version = setter.get(f"/problems/{problem}")["version"]
    setter.call("PATCH", f"/problems/{problem}", json={"version": version, "tags": ["adding"]})
    hands.press(hands.button("Save as the next revision"))
    hands.sees("Somebody else changed it in between, so nothing was saved.")
    with hands.page.expect_response("**/api/problems/*"):
        hands.press(hands.button("Try again"))
    expect(hands.page.get_by_role("alert")).to_have_count(0)
    hands.press(hands.button("Save as the next revision"))
    expect(hands.page.get_by_text("1.50 s").first).to_be_visible()


def changes_the_listing(hands: Hands) -> None:
    hands.press(hands.part("Publish"))
    slug = hands.field("Name in the address").input_value()
    hands.fill("Name in the address", "Not A Slug")
    hands.press(hands.button("Save"))
    beside(
        hands,
        "Name in the address",
        "A name in the address has 1 to 64 of the characters a-z 0-9 - and does not begin with -.",
    )
    hands.fill("Name in the address", f"{slug}-2")
    hands.field("Level").select_option("hard")
    hands.fill("Tags", "numbers, adding")
    hands.press(hands.button("Save"))
    hands.page.wait_for_url(f"**/setter/{slug}-2/publish")


def beside(hands: Hands, label: str, text: str) -> None:
    field = hands.field(label)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field.locator("xpath=..").locator(".field-error")).to_contain_text(hands.said(text))


def test_an_archive_of_several_problems_tells_its_format_and_what_became_of_each(
    open_browser: OpenBrowser, setter: Person
) -> None:
    tests = "<test_input>1</test_input><test_output>1</test_output>"
    names = [f"{name} {uuid4()}" for name in ("First", "Second", "Judged")]
    items = [f"<item><title>{name}</title>{tests}</item>" for name in names]
    items[2] = items[2].replace("</item>", f"{2 * '<spj>int main;</spj>'}</item>")
    hands = hands_of(open_browser, setter, AT_A_DESK, "/setter/import")
    hands.give("many.xml", f"<fps>{''.join(items)}</fps>".encode())
    hands.sees("2 problems can be imported. Nothing is stored yet.")
    hands.sees("Read as a package of the format fps.")
    results = hands.table("Problems of the archive").get_by_role("row")
    expect(results.filter(has_text=names[0])).to_contain_text("✓ can be imported, as revision 1")
    expect(results.filter(has_text=names[2])).to_contain_text("✗ Left out:")
    expect(results.filter(has_text=names[2])).to_contain_text("special judge")
    assert not setter.get("/problems", params={"search": names[0]})["items"]
    hands.press(hands.button("Import 2 problems"))
    hands.sees("2 problems are here, hidden until you publish them.")
    hands.press(hands.link(names[1]))
    expect(hands.page.get_by_role("heading", name=names[1], exact=True).first).to_be_visible()


def test_the_same_run_is_made_at_home_with_the_package_of_that_revision(
    system: System, open_browser: OpenBrowser, tmp_path: Path
) -> None:
    ada, problem = system.one("contestant"), system.guest.get("/problems/aplusb")
    sent = ada.judged(ada.submit(problem["id"]))
    hands = hands_of(open_browser, system.one("admin"), AT_A_DESK, f"/submissions/{sent['id']}")
    again = hands.page.locator("details").filter(has_text="The same run again")
    again.locator("summary").click()
    for fact in ("Judge hash", "Compiler", "Limits", "Judge"):
        expect(again.get_by_role("term").get_by_text(fact, exact=True)).to_be_visible()
    with hands.page.expect_download() as downloaded:
        again.get_by_role("button", name=f"Package of revision {sent['problem_revision']}").click()
    program, *arguments = shlex.split(again.locator(".command").inner_text())
    here = Path(sys.executable).with_name(program)
    downloaded.value.save_as(tmp_path / downloaded.value.suggested_filename)
    (tmp_path / "main.py").write_text(ADD)
    ran = subprocess.run([here, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "AC" in ran.stdout
