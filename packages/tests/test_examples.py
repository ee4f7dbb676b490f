"""The example problems of the repository are read without a complaint and survive an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.read_package import read_directory
from deepoj_packages.spec import FormatVersion

EXAMPLES = sorted(path.parent for path in (Path(__file__).parents[2] / "examples").glob("*/problem.yaml"))


def test_there_are_examples_of_both_versions() -> None:
    versions = {read_directory(path).format for path in EXAMPLES}
    assert versions == {FormatVersion.LEGACY, FormatVersion.V2025_09}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_read_without_a_warning(example: Path) -> None:
    spec = read_directory(example)
    assert (spec.warnings, spec.unused) == ((), ())
    assert {each.name.split("/")[0] for each in spec.submissions} >= {"accepted", "wrong_answer"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_survives_an_export(example: Path, tmp_path: Path) -> None:
    spec = read_directory(example)
    export_directory(spec, tmp_path / example.name)
    again = read_directory(tmp_path / example.name)
    assert (again.names, again.groups, again.cases) == (spec.names, spec.groups, spec.cases)
    assert (again.limits, again.metadata, again.samples) == (spec.limits, spec.metadata, spec.samples)
    assert [(each.name, each.expectations) for each in again.submissions] == [
        (each.name, each.expectations) for each in spec.submissions
    ]
