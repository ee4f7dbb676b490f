"""Outputs that an output validator is asked about. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from deepoj_judgement.commands.setter.junk import ANYWHERE
from deepoj_packages.spec import Case, OutputExample, ProblemSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    name: str
    input: PurePosixPath
    answer: PurePosixPath
    output: PurePosixPath | bytes
    valid: bool | None
    """None: it is junk, and only must not break anything."""
    arguments: tuple[str, ...]


def examples(package: ProblemSpec) -> list[Question]:
    """A sample's shown output must be right too."""
    return [*_shown(package), *map(_example, package.output_examples)]


def own_answers(package: ProblemSpec) -> list[Question]:
    """What a package calls the answer must be accepted as an output."""
    return [
        Question(
            name=f"the answer of {case.name}",
            input=case.input,
            answer=case.answer,
            output=case.answer,
            valid=True,
            arguments=case.output_validator_args,
        )
        for case in package.cases
        if case.answer
    ]


def junk(package: ProblemSpec, read: Callable[[PurePosixPath], bytes]) -> list[Question]:
    """Ask about the first and the last case; where nothing is the answer, nothing is no junk."""
    cases = [case for case in package.cases if case.answer]
    asked = list(dict.fromkeys((*cases[:1], *cases[-1:])))
    return [
        Question(
            name=f"{what} for {case.name}",
            input=case.input,
            answer=answer,
            output=content,
            valid=None,
            arguments=case.output_validator_args,
        )
        for case in asked
        if (answer := case.answer)
        for what, content in ANYWHERE.items()
        if content.split() != read(answer).split()
    ]


def _shown(package: ProblemSpec) -> Iterator[Question]:
    cases = {case.name: case for case in package.cases}
    for sample in package.samples:
        case = cases.get(sample.name)
        if case and case.answer and sample.output and _is_checked(sample.output):
            yield _of_sample(case, case.answer, sample.output)


def _of_sample(case: Case, answer: PurePosixPath, output: PurePosixPath) -> Question:
    return Question(
        name=str(output),
        input=case.input,
        answer=answer,
        output=output,
        valid=True,
        arguments=case.output_validator_args,
    )


def _example(example: OutputExample) -> Question:
    return Question(
        name=str(example.output),
        input=example.input,
        answer=example.answer,
        output=example.output,
        valid=example.valid,
        arguments=example.output_validator_args,
    )


def _is_checked(output: PurePosixPath) -> bool:
    """The format lets `.ans.statement` show anything."""
    return not output.name.endswith(".statement")
