"""Documentation that a reader can follow: its links lead somewhere, its invariants have tests."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\[[^]\n]*\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
DECISION = re.compile(r"\bADR (\d{4})\b")
INVARIANTS = range(1, 11)


def pages() -> list[Path]:
    found = [*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(page for page in found if ".venv" not in page.parts)


def anchors(page: Path) -> set[str]:
    headings = HEADING.findall(page.read_text())
    return {"#" + re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dangling(page: Path) -> Iterator[str]:
    for path, anchor in LINK.findall(CODE.sub("", page.read_text())):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            yield path + anchor


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert not list(dangling(page))


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Here\n[a](gone.md) [b](#here) [c](#there) [d](https://example.org)\n")
    assert list(dangling(page)) == ["gone.md", "#there"]


def test_every_invariant_is_defined_once_and_has_a_test_that_carries_its_name() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert re.findall(r"^\| INV-(\d+) \|", text, re.MULTILINE) == [str(number) for number in INVARIANTS]
    tests = [path.read_text() for path in ROOT.glob("**/tests/**/test_*.py") if ".venv" not in path.parts]
    missing = [number for number in INVARIANTS if not any(f"test_inv_{number}_" in text for text in tests)]
    assert not missing


def test_every_decision_that_code_and_pages_name_is_there() -> None:
    sources = [path for path in ROOT.glob("*/**/*.py") if not {".venv", ".uv"} & set(path.parts)]
    named = {number for path in (*pages(), *sources) for number in DECISION.findall(path.read_text())}
    assert named - {path.name[:4] for path in (ROOT / "docs" / "adr").glob("*.md")} == set()
