"""Sent again because the answer was lost: the same id, whatever has changed since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from uuid import uuid4

import pytest
from dependency_injector import providers

from apps.record.tests.fakes import MemoryCatalogue, MemoryGames, MemoryLanguages
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.route import Lane
from deepoj_domain.testing import ALICE, GAME, QUESTION
from deepoj_record.commands.ports import EntryRefused, LanguageFacts
from deepoj_record.commands.submit import Accepted, SubmitOutcome, SubmitRequest
from deepoj_record.container import Container

CPP, RUST = language_slug("cpp17"), language_slug("rust")


@dataclass
class World:
    catalogue: MemoryCatalogue
    games: MemoryGames
    languages: MemoryLanguages


def hide_the_question(world: World) -> None:
    world.catalogue.questions.clear()


def forbid_the_language(world: World) -> None:
    facts = world.catalogue.questions[QUESTION]
    world.catalogue.questions[QUESTION] = replace(facts, languages=frozenset({RUST}))


def take_shorter_sources_only(world: World) -> None:
    world.catalogue.questions[QUESTION] = replace(world.catalogue.questions[QUESTION], source_bytes=1)


def drop_the_language(world: World) -> None:
    world.languages.known = {}


def lose_the_toolchain(world: World) -> None:
    world.languages.known = {CPP: LanguageFacts(lane=Lane.HEAVY, is_missing=True)}


def end_the_game(world: World) -> None:
    world.games.answer = EntryRefused("precondition", "game_over", "the game is over")


@pytest.fixture
def world(container: Container, catalogue: MemoryCatalogue, games: MemoryGames) -> World:
    languages = MemoryLanguages({CPP: LanguageFacts(lane=Lane.HEAVY)})
    container.languages.override(providers.Object(languages))
    return World(catalogue, games, languages)


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (hide_the_question, "unknown_question"),
        (forbid_the_language, "language_not_allowed"),
        (take_shorter_sources_only, "source_too_large"),
        (drop_the_language, "unknown_language"),
        (lose_the_toolchain, "language_not_installed"),
        (end_the_game, "game_over"),
    ],
)
async def test_the_same_key_and_body_give_the_same_id_when_they_would_be_refused_now(
    container: Container, world: World, happens: Callable[[World], None], reason: str
) -> None:
    submit = container.submission_use_cases().submit
    first = a_request()
    assert await submit(first) == Accepted(first.submission_id, repeated=False)
    happens(world)
    assert await submit(a_request()) == Accepted(first.submission_id, repeated=True)
    for other in (
        replace(a_request(), idempotency_key="other"),
        replace(a_request(), source="void main() {}"),
    ):
        assert await why_refused(container, other) == reason


async def why_refused(container: Container, request: SubmitRequest) -> str:
    try:
        outcome: SubmitOutcome = await container.submission_use_cases().submit(request)
    except InvalidValueError as error:
        return error.code
    assert not isinstance(outcome, Accepted)
    return str(outcome.reason)


def a_request() -> SubmitRequest:
    return SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key="key",
        question_id=QUESTION,
        game_id=GAME,
        language="cpp17",
        source="int main() {}",
    )
