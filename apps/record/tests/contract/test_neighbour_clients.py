"""The game and judgement services as record's clients meet them, over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import grpc
import pytest

from apps.record.tests.fakes import StoppedClock
from apps.record.tests.neighbours import Neighbours, a_language
from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.visibility import GameRules, QuestionRules, SealedGames
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION
from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret
from deepoj_languages.table import language_table
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_record.commands.ports import EntryRefused, GameAwayError, GameEntry, LanguageFacts
from deepoj_record.outbound.grpc.game import GrpcGames
from deepoj_record.outbound.grpc.languages import GrpcLanguages
from deepoj_record.outbound.grpc.question import GrpcQuestionRules

TOKEN = Secret("throw-away")
SOMEBODY = Actor(ALICE, Role.CONTESTANT)
CPP, RUST = language_slug("cpp17"), language_slug("rust")


@pytest.fixture
def address(private_home: Path) -> str:
    return f"unix:{private_home}/neighbours.sock"


@pytest.fixture
async def channel(address: str) -> AsyncIterator[grpc.aio.Channel]:
    async with connect(address, TOKEN) as channel:
        yield channel


@pytest.fixture
async def neighbours(address: str) -> AsyncIterator[Neighbours]:
    made = Neighbours()
    async with made.serving(address, TOKEN):
        yield made


async def test_an_entry_is_allowed_or_refused_in_the_games_own_words(
    neighbours: Neighbours, channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    games = GrpcGames(channel, clock)
    assert await games.check(SOMEBODY, GAME, QUESTION) == GameEntry(is_live=True)
    neighbours.games.known[str(GAME)].phase = game_pb2.PHASE_ENDED
    assert await games.check(SOMEBODY, GAME, QUESTION) == GameEntry(is_live=False)
    neighbours.games.out.add(str(ALICE))
    said = EntryRefused("forbidden", "not_signed_up", "sign up for the game first")
    assert await games.check(SOMEBODY, GAME, QUESTION) == said
    unknown = await games.check(SOMEBODY, GameId(QUESTION), QUESTION)
    assert isinstance(unknown, EntryRefused)
    assert unknown.reason == "game_not_found"


async def test_a_game_service_that_is_away_is_told_apart_from_a_refusal(
    channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    games = GrpcGames(channel, clock)
    with pytest.raises(GameAwayError):
        await games.check(SOMEBODY, GAME, QUESTION)
    assert await games.rules(GAME, SOMEBODY) is None
    assert await games.sealed() is None


async def test_rules_that_were_not_answered_are_asked_for_again_soon(
    neighbours: Neighbours, channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    games = GrpcGames(channel, clock)
    game = neighbours.games.known.pop(str(GAME))
    assert await games.rules(GAME, SOMEBODY) is None
    neighbours.games.known[str(GAME)] = game
    assert await games.rules(GAME, SOMEBODY) is None
    clock.advance(seconds=0.3)
    assert await games.rules(GAME, SOMEBODY) is not None


async def test_rules_are_asked_for_once_and_again_when_they_are_old(
    neighbours: Neighbours, channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    neighbours.games.sights[str(ALICE)] = game_pb2.CheckSightResponse(running_ids=[str(BOB)])
    games = GrpcGames(channel, clock)
    first, second = await asyncio.gather(games.rules(GAME, SOMEBODY), games.rules(GAME, SOMEBODY))
    expected = GameRules(still_running=frozenset({BOB}))
    assert first == second == await games.rules(GAME, SOMEBODY) == expected
    assert neighbours.games.asked == 1
    neighbours.games.sights[str(ALICE)] = game_pb2.CheckSightResponse(shows_others=True, tells_verdicts=True)
    clock.advance(seconds=3)
    assert await games.rules(GAME, SOMEBODY) == GameRules(shows_others=True, tells_verdicts=True)


async def test_what_one_account_sees_of_a_game_is_not_what_another_does(
    neighbours: Neighbours, channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    neighbours.games.sights[str(BOB)] = game_pb2.CheckSightResponse(staff=True, manages=True)
    games = GrpcGames(channel, clock)
    found = [await games.rules(GAME, who) for who in (SOMEBODY, Actor(BOB, Role.SETTER), None)]
    assert [rules is not None and rules.staff for rules in found] == [False, True, False]
    assert [rules is not None and rules.manages for rules in found] == [False, True, False]


async def test_sealed_games_are_asked_for_and_unknown_while_nobody_answers(
    neighbours: Neighbours, channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    neighbours.games.sealed = {str(GAME)}
    games = GrpcGames(channel, clock)
    neighbours.games.running = {str(ALICE)}
    known = SealedGames(frozenset({GAME}), frozenset({(GAME, ALICE)}))
    assert await games.sealed() == known
    neighbours.games.sealed = set()
    assert await games.sealed() == known, "for three seconds"
    clock.advance(seconds=3)
    assert await games.sealed() == SealedGames(running=frozenset({(GAME, ALICE)}))


async def test_the_language_table_is_judgements_and_the_last_one_is_kept(
    address: str, channel: grpc.aio.Channel
) -> None:
    rust = next(row for row in language_table() if row.slug == RUST)
    languages = GrpcLanguages(channel, [replace(rust, lane=Lane.LIGHT)])
    await languages.refresh()
    assert languages.find(RUST) == LanguageFacts(lane=Lane.LIGHT), "nobody has told otherwise"
    neighbours = Neighbours()
    neighbours.judgement.languages = [
        a_language("cpp17", lane=judging_pb2.LANE_HEAVY), a_language("rust", available=False)
    ]  # fmt: skip
    missing = LanguageFacts(
        lane=Lane.HEAVY, is_missing=True, install_hint="apt install rust", is_unserved=True
    )
    async with neighbours.serving(address, TOKEN):
        while languages.find(CPP) is None:
            await languages.refresh()
        assert languages.find(RUST) == missing
    await languages.refresh()
    assert languages.find(RUST) == missing
    assert languages.find(language_slug("python3")) is None


async def test_without_a_judge_host_no_language_counts_as_missing(
    neighbours: Neighbours, channel: grpc.aio.Channel
) -> None:
    neighbours.judgement.languages = [a_language("rust", available=False)]
    languages = GrpcLanguages(channel, ())
    await languages.refresh()
    found = languages.find(RUST)
    assert found is not None
    assert not found.is_missing


async def test_who_may_read_and_inspect_a_question_follows_from_its_owner(
    neighbours: Neighbours, channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    questions = GrpcQuestionRules(channel, clock)
    owner, other = Actor(ALICE, Role.SETTER), Actor(BOB, Role.SETTER)
    assert await questions.rules(QUESTION, owner) == QuestionRules(reads=True, inspects=True)
    assert await questions.rules(QUESTION, other) == QuestionRules(reads=True)
    assert await questions.hidden(other) == frozenset()
    neighbours.questions.enabled = False
    clock.advance(seconds=3)
    assert await questions.rules(QUESTION, other) == QuestionRules()
    hidden = [await questions.hidden(who) for who in (owner, other, None)]
    assert hidden == [frozenset(), frozenset({QUESTION}), frozenset({QUESTION})]
    assert await questions.rules(QuestionId(uuid4()), owner) == QuestionRules()


async def test_while_the_question_service_is_away_nobody_knows(
    channel: grpc.aio.Channel, clock: StoppedClock
) -> None:
    questions = GrpcQuestionRules(channel, clock)
    assert await questions.hidden(None) is None
    assert await questions.rules(QUESTION, Actor(ALICE, Role.SETTER)) == QuestionRules()
