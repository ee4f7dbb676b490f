"""What reading a package costs grows with the length of its texts and not faster, whatever is in them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.shared.globs import matches
from deepoj_packages.testing import Files, PackageReader

GROWTH = 8
# What grows with the square would be 64 times as much.
MOST = 3 * GROWTH
SIZES = (4_000, 4_000 * GROWTH)
# Below this the rest of the package decides.
LEAST_SECONDS = 0.03
INI, YAML, TEX = "domjudge-problem.ini", "problem.yaml", "problem_statement/problem.en.tex"
SUBMISSION = "submissions/accepted/add.pl"


def assert_linear(act: Callable[[int], object]) -> None:
    act(SIZES[0])
    costs = []
    for size in SIZES:
        begun = time.thread_time()
        act(size)
        costs.append(max(time.thread_time() - begun, LEAST_SECONDS))
    assert costs[1] <= MOST * costs[0], costs


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (INI, lambda size: "\n" * size),
        (INI, lambda size: "name=a" + " " * size + "b"),
        (INI, lambda size: "name" + " " * size),
        (INI, lambda size: "name='\n" * (size // 7)),
        (YAML, lambda size: "name: Add\nauthor: a" + " " * size + "b\n"),
        (YAML, lambda size: "name: Add\nauthor: a" + " <" * (size // 2) + "\n"),
        (YAML, lambda size: "name: Add\nlimits:\n  time_limit: " + "1" * size + "\n"),
        (YAML, lambda size: "name: Add\nvalidator_flags: float_tolerance " + "1" * size + "x\n"),
        (TEX, lambda size: "%% plainproblemname:" + "\n" * size),
        (TEX, lambda size: r"\problemname{" * (size // 13)),
        (SUBMISSION, lambda size: "a(" * (size // 2)),
        (SUBMISSION, lambda size: "a()" + " " * size),
        (SUBMISSION, lambda size: "@EXPECTED_RESULTS@:" + "\n" * size),
    ],
)
def test_no_text_of_a_package_costs_more_than_its_length(
    legacy: PackageReader, file: str, text: Callable[[int], str]
) -> None:
    def read(size: int) -> None:
        files: Files = {file: text(size)}
        with contextlib.suppress(PackageRefusedError):
            legacy(files)

    assert_linear(read)


@pytest.mark.parametrize(
    "pattern",
    [
        lambda size: "*a" * (size // 100) + "b",
        lambda size: "{*,*}" * (size // 200),
        lambda size: "{" * (size // 4) + "}" * (size // 4),
        lambda size: "{*," * (size // 200) + "}" * (size // 200) + "b",
    ],
)
def test_no_pattern_of_submissions_costs_more_than_its_length(pattern: Callable[[int], str]) -> None:
    assert_linear(lambda size: matches(pattern(size), "accepted/" + "a" * 200))
