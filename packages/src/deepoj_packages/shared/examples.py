"""Data that validators must refuse or take, beside the data that is judged."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from deepoj_packages.refusal import invalid
from deepoj_packages.shared.cases import DATA, beside
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import InputArgs, InvalidAnswer, InvalidInput, OutputExample

# The names of 2025-09; plurals are older, `bad` holds inputs and answers, invalid answers are BAPCtools' own.
_INPUT = ("invalid_input", "invalid_inputs")
_ANSWER = ("invalid_answer", "invalid_answers")
_OUTPUT = {
    "valid_output": True,
    "valid_outputs": True,
    "invalid_output": False,
    "invalid_outputs": False,
}
_BAD = "bad"
DIRECTORIES = frozenset({*_INPUT, *_ANSWER, *_OUTPUT, _BAD})


@dataclass(frozen=True, slots=True)
class ExampleArgs:
    """What validators are told about an example."""

    output: tuple[str, ...]
    input: InputArgs


ArgsOf = Callable[[PurePosixPath], ExampleArgs]
"""By the path of an example without its ending."""


@dataclass(frozen=True, slots=True)
class Examples:
    reading: Reading
    args_of: ArgsOf

    def invalid_inputs(self) -> tuple[InvalidInput, ...]:
        bad = (stem for stem in self._stems(_BAD) if not self.reading.tree.has(beside(stem, ".ans")))
        stems = (*(stem for name in _INPUT for stem in self._stems(name)), *bad)
        return tuple(
            InvalidInput(
                name=_name(stem), input=beside(stem, ".in"), input_validator_args=self.args_of(stem).input
            )
            for stem in stems
        )

    def invalid_answers(self) -> tuple[InvalidAnswer, ...]:
        bad = (stem for stem in self._stems(_BAD) if self.reading.tree.has(beside(stem, ".ans")))
        stems = (*(stem for name in _ANSWER for stem in self._stems(name)), *bad)
        return tuple(self._invalid_answer(stem) for stem in stems)

    def outputs(self) -> tuple[OutputExample, ...]:
        return tuple(
            self._output(stem, valid=valid) for name, valid in _OUTPUT.items() for stem in self._stems(name)
        )

    def _invalid_answer(self, stem: PurePosixPath) -> InvalidAnswer:
        return InvalidAnswer(
            name=_name(stem),
            input=beside(stem, ".in"),
            answer=self._needed(stem, ".ans"),
            output_validator_args=self.args_of(stem).output,
        )

    def _output(self, stem: PurePosixPath, *, valid: bool) -> OutputExample:
        return OutputExample(
            name=_name(stem),
            input=beside(stem, ".in"),
            answer=self._needed(stem, ".ans"),
            output=self._needed(stem, ".out"),
            valid=valid,
            output_validator_args=self.args_of(stem).output,
        )

    def _needed(self, stem: PurePosixPath, ending: str) -> PurePosixPath:
        file = beside(stem, ending)
        if not self.reading.tree.has(file):
            raise invalid(f"{stem}.in needs a file {file.name} beside it")
        self.reading.tree.use(file)
        return file

    def _stems(self, directory: str) -> Iterator[PurePosixPath]:
        for file in self.reading.tree.below(DATA / directory):
            if file.suffix == ".in":
                self.reading.tree.use(file)
                yield file.with_suffix("")


def _name(stem: PurePosixPath) -> str:
    return str(stem.relative_to(DATA))
