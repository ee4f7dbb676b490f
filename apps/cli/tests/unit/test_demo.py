"""The example problems: where they are, and what a failure says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from deepoj.checkout import find_checkout
from deepoj.errors import Exit, Failure
from deepoj.stack import demo
from deepoj.stack.services import SERVICES
from deepoj_kit.embedded.process import ProcessSpec, ServerError

QUESTION = next(service for service in SERVICES if service.name == demo.OWNER)


def test_the_checkout_has_examples() -> None:
    assert "aplusb" in [path.name for path in demo.example_packages(find_checkout())]


def test_without_examples_the_failure_says_where_they_would_be(tmp_path: Path) -> None:
    for checkout in (None, tmp_path):
        with pytest.raises(Failure, match="directory examples") as failed:
            demo.example_packages(checkout)
        assert failed.value.code is Exit.UNUSABLE


def test_the_loader_has_the_settings_of_the_service() -> None:
    serving = ProcessSpec("question", ("serve",), ready=lambda: True, environ={"A": "1"})
    loader = demo.loader(QUESTION, serving, (Path("examples/aplusb"),))
    assert loader.argv == (sys.executable, "-m", "deepoj_question", "load", "examples/aplusb")
    assert (loader.name, loader.environ) == ("question-load", {"A": "1"})


async def test_a_loader_that_fails_is_quoted(tmp_path: Path) -> None:
    program = "import sys; sys.exit('question: aplusb was not loaded: no problem.yaml')"
    spec = ProcessSpec("question-load", (sys.executable, "-c", program), ready=lambda: True)
    with pytest.raises(ServerError, match=r"aplusb was not loaded: no problem.yaml .*log"):
        await demo.load(spec, tmp_path / "log")
    done = ProcessSpec("question-load", (sys.executable, "-c", ""), ready=lambda: True)
    await demo.load(done, tmp_path / "log")
