"""What only setters use of a problem, as files that a judge keeps beside it and gives back with an export."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_packages.exporting.data import example_entries
from deepoj_packages.exporting.entries import Entry
from deepoj_packages.modern.reader import with_setters_files
from deepoj_packages.options import ReadingOptions
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import InputArgs, ProblemSpec
from deepoj_packages.tree import Tree

ARGUMENTS = PurePosixPath("data/.input_validator_args.json")
"""Read by `with_arguments`; no file of the format."""


def kept_entries(spec: ProblemSpec) -> Iterator[Entry]:
    """Data that validators must refuse or take, and what input validators are told about each case."""
    yield from example_entries(spec)
    told: dict[InputArgs, list[str]] = {}
    for case in spec.cases:
        if case.input_validator_args != InputArgs():
            told.setdefault(case.input_validator_args, []).append(case.name)
    if told:
        rows = [
            {"everyone": args.everyone, "by_name": dict(args.by_name), "cases": names}
            for args, names in told.items()
        ]
        yield Entry(ARGUMENTS, json.dumps(rows).encode())


def with_arguments(spec: ProblemSpec, text: str) -> ProblemSpec:
    """Give the cases back what `kept_entries` kept of them; a case that is gone is passed over."""
    told = {
        name: InputArgs(
            tuple(row["everyone"]), tuple((each, tuple(words)) for each, words in row["by_name"].items())
        )
        for row in json.loads(text)
        for name in row["cases"]
    }
    cases = (
        replace(case, input_validator_args=told.get(case.name, case.input_validator_args))
        for case in spec.cases
    )
    return replace(spec, cases=tuple(cases))


def with_kept(spec: ProblemSpec) -> ProblemSpec:
    """Add what was kept and lies under the root of the problem, so that another format can say it."""
    options = ReadingOptions()
    return with_setters_files(Reading(Tree(spec.root, options.limits), options), spec)
