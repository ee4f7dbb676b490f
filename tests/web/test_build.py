"""The built site belongs to its sources, and stays small."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

if TYPE_CHECKING:
    from tests.web.conftest import Manifest

KB = 1000
COMPILED = "//# allFunctionsCalledOnLoad\n"
SOURCES = ("src", "build.mjs", "package.json", "package-lock.json", "tsconfig.json")


class Pages(msgspec.Struct):
    modules: dict[str, list[str]]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files(*roots: Path) -> list[Path]:
    found = [path for root in roots for path in (root.rglob("*") if root.is_dir() else [root])]
    return sorted(path for path in found if path.is_file())


def size(site: Path, names: list[str]) -> int:
    return sum((site / f"{name}.gz").stat().st_size for name in names)


def test_every_source_is_the_one_that_was_built(web: Path, manifest: Manifest) -> None:
    sources = files(*(web / name for name in SOURCES))
    present = {str(path.relative_to(web)): digest(path) for path in sources}
    assert present == manifest.sources, "build the site again: cd web && npm ci && npm run build"


def test_every_built_file_is_as_it_was_built(site: Path, manifest: Manifest) -> None:
    present = {str(path.relative_to(site)): digest(path) for path in files(site)}
    del present["manifest.json"]
    assert present == manifest.built


def test_every_built_file_has_its_compressed_copies(site: Path) -> None:
    plain = [path for path in files(site) if path.suffix in {".js", ".css", ".html"}]
    assert plain
    for path in plain:
        assert gzip.decompress(Path(f"{path}.gz").read_bytes()) == path.read_bytes()
        assert Path(f"{path}.br").exists()


def test_the_first_page_is_small(site: Path, manifest: Manifest) -> None:
    assert size(site, manifest.initial) <= 45 * KB
    # With the styles in it.
    assert size(site, ["index.html"]) <= 15 * KB
    assert len(manifest.initial) + len(["index.html"]) <= 6


def test_nothing_is_fetched_before_the_first_page_is_seen(site: Path, manifest: Manifest) -> None:
    page = (site / "index.html").read_text()
    fetched = re.findall(r'<link rel="(\w+)" href="(?!data:)/([^"]+)">', page)
    assert fetched == [("later", name) for name in manifest.initial]
    assert " src=" not in page


def test_the_pages_are_compiled_beside_their_thread_and_the_editor_when_it_is_used(
    site: Path, manifest: Manifest
) -> None:
    pages = msgspec.json.decode((site / "pages.json").read_bytes(), type=Pages)
    for name in {*manifest.initial, *(f"assets/{each}" for page in pages.modules.values() for each in page)}:
        assert (site / name).read_text().startswith(COMPILED), name
    assert not (site / manifest.editor).read_text().startswith(COMPILED)


def test_the_editor_and_all_of_it_stay_within_their_budgets(site: Path, manifest: Manifest) -> None:
    assert size(site, [manifest.editor]) <= 125 * KB
    assert sum(path.stat().st_size for path in files(site)) <= 1_500 * KB


def test_the_page_loads_nothing_from_elsewhere_and_has_one_script_and_one_style_inside(site: Path) -> None:
    page = (site / "index.html").read_text()
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert page.count("<script") == 1
    assert (page.count("<script>"), page.count("<style>"), page.count("<style")) == (1, 1, 1)
    assert "url(" not in page
    assert "style=" not in page


def test_the_lock_file_names_no_registry(web: Path) -> None:
    assert '"resolved"' not in (web / "package-lock.json").read_text()


def test_building_again_gives_the_same_bytes(web: Path, site: Path, tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here")
    for name in (*SOURCES, ".npmrc"):
        copy = shutil.copytree if (web / name).is_dir() else shutil.copy
        copy(web / name, tmp_path / name)
    installed = subprocess.run([npm, "ci", "--no-audit"], cwd=tmp_path, capture_output=True, check=False)
    if installed.returncode != 0:
        pytest.skip("the package registry does not answer")
    subprocess.run([npm, "run", "check"], cwd=tmp_path, check=True)
    subprocess.run(["node", "build.mjs", str(tmp_path / "built")], cwd=tmp_path, check=True)
    # Compressed copies may differ between versions of zlib; what they hold is tested above.
    for path in files(tmp_path / "built"):
        if path.suffix in {".js", ".css", ".html"}:
            built = path.relative_to(tmp_path / "built")
            assert path.read_bytes() == (site / built).read_bytes(), built
    assert {path.name for path in files(tmp_path / "built")} == {path.name for path in files(site)}
