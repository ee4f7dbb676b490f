"""data/invalid_input, invalid_output and valid_output: what validators must refuse or take."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from deepoj_packages.modern.data import SETTINGS
from deepoj_packages.modern.settings import CaseSettings, case_settings
from deepoj_packages.refusal import invalid
from deepoj_packages.shared.cases import DATA, beside
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import InvalidInput, OutputExample


def read_invalid_inputs(reading: Reading) -> tuple[InvalidInput, ...]:
    return tuple(
        InvalidInput(
            name=_name(stem),
            input=beside(stem, ".in"),
            input_validator_args=_settings(reading, stem).input_validator_args,
        )
        for stem in _stems(reading, DATA / "invalid_input")
    )


def read_output_examples(reading: Reading) -> tuple[OutputExample, ...]:
    return tuple(
        _example(reading, stem, valid=valid)
        for valid, directory in ((True, "valid_output"), (False, "invalid_output"))
        for stem in _stems(reading, DATA / directory)
    )


def _example(reading: Reading, stem: PurePosixPath, *, valid: bool) -> OutputExample:
    answer, output = beside(stem, ".ans"), beside(stem, ".out")
    for file in (answer, output):
        if not reading.tree.has(file):
            raise invalid(f"{stem}.in needs a file {file.name} beside it")
    reading.tree.use(answer, output)
    return OutputExample(
        name=_name(stem),
        input=beside(stem, ".in"),
        answer=answer,
        output=output,
        valid=valid,
        output_validator_args=_settings(reading, stem).output_validator_args,
    )


def _stems(reading: Reading, directory: PurePosixPath) -> Iterator[PurePosixPath]:
    for file in reading.tree.below(directory):
        if file.suffix == ".in":
            reading.tree.use(file)
            yield file.with_suffix("")


def _settings(reading: Reading, stem: PurePosixPath) -> CaseSettings:
    layers = (reading.yaml(beside(stem, ".yaml")), reading.yaml(stem.parent / SETTINGS))
    return case_settings(layers, sample=False)


def _name(stem: PurePosixPath) -> str:
    return str(stem.relative_to(DATA))
