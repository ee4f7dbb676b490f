"""The example problems: where they are, and what a failure says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from deepoj.checkout import find_checkout
from deepoj.errors import Exit, Failure
from deepoj.stack import demo
from deepoj.stack.services import SERVICES, with_ways_in
from deepoj.verbs.up import is_loopback
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


@pytest.mark.parametrize(
    ("local", "demo", "registration", "guests"),
    [
        (False, False, None, None),
        (True, False, "open", None),
        (True, True, "open", "true"),
        (False, True, "open", "true"),
    ],
)
def test_strangers_get_in_by_themselves_in_a_demo_and_on_this_machine_only(
    *, local: bool, demo: bool, registration: str | None, guests: str | None
) -> None:
    told = {each.name: each.settings for each in with_ways_in(SERVICES, local=local, demo=demo)}
    assert told["user"].get("REGISTRATION") == registration
    assert told["user"].get("GUEST_ACCOUNTS") == guests
    assert told["bff"].get("DEMO") == guests
    assert told["user"]["MAIL_OUTBOX"] == "{data}/mail"


def test_a_loopback_address_is_one_only_this_machine_reaches() -> None:
    hosts = ("127.0.0.1", "127.9.9.9", "::1", "localhost", "0.0.0.0", "::", "192.0.2.1", "oj.example")  # noqa: S104
    assert [is_loopback(host) for host in hosts] == [True] * 4 + [False] * 4
