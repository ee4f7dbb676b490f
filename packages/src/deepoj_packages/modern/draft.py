"""Data of drafts of version 2025-09: some still have the testdata.yaml of the legacy format."""

from pathlib import PurePosixPath

from deepoj_packages.legacy.data import read_data as read_legacy_data
from deepoj_packages.legacy.groups import SETTINGS
from deepoj_packages.legacy.problem import Validation
from deepoj_packages.modern.data import TestData, read_data
from deepoj_packages.modern.problem import ProblemType
from deepoj_packages.refusal import unsupported
from deepoj_packages.shared.cases import DATA
from deepoj_packages.shared.reading_context import Reading

_OUTPUT_VALIDATORS = (PurePosixPath("output_validator"), PurePosixPath("output_validators"))


def read_draft_data(reading: Reading, kind: ProblemType) -> TestData:
    settings = [file for file in reading.tree.below(DATA) if file.name == SETTINGS]
    if not settings:
        return read_data(reading, scoring=kind.scoring, interactive=kind.interactive)
    for file in settings:
        if reading.yaml(file).has("scoring"):
            raise unsupported(f"{file} has a map of scores, which only a draft had: write test_group.yaml")
    if kind.scoring and any(map(reading.tree.has_directory, _OUTPUT_VALIDATORS)):
        raise unsupported(
            f"{settings[0]} is of a draft, where nothing says whether the validator gives scores"
        )
    validation = Validation(custom=False, interactive=kind.interactive, scores=False, flags=())
    data = read_legacy_data(reading, validation, scoring=kind.scoring)
    return TestData(data.groups, data.cases)
