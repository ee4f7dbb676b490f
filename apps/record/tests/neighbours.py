"""Other services as far as record asks them."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from deepoj_domain.testing import ALICE, GAME, QUESTION
from deepoj_kit.grpc import Kind, Server, refuse
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import (
    JudgementServiceServicer,
    add_JudgementServiceServicer_to_server,
)
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import (
    QuestionServiceServicer,
    add_QuestionServiceServicer_to_server,
)


class Questions(QuestionServiceServicer):
    """Knows one question, which is ALICE's."""

    def __init__(self) -> None:
        self.enabled = True

    async def Get(self, request: question_pb2.GetRequest, context: object) -> question_pb2.GetResponse:
        if request.question_id != str(QUESTION):
            refuse(Kind.NOT_FOUND, "not_found", "there is no such question")
        limits = question_pb2.Limits(source_bytes=32 * 1024)
        question = question_pb2.Question(
            id=request.question_id,
            owner_id=str(ALICE),
            enabled=self.enabled,
            revision=3,
            languages=["cpp17", "python3"],
            limits=limits,
        )
        return question_pb2.GetResponse(question=question)

    async def ListHidden(
        self, request: question_pb2.ListHiddenRequest, context: object
    ) -> question_pb2.ListHiddenResponse:
        hidden = [
            question_pb2.HiddenQuestion(question_id=str(QUESTION), owner_id=str(ALICE))
            for _ in range(not self.enabled)
        ]
        return question_pb2.ListHiddenResponse(questions=hidden)


class Games(GameServiceServicer):
    """Knows what it is told; whoever is in `out` may not submit."""

    def __init__(self) -> None:
        self.known = {str(GAME): game_pb2.Game(format=game_pb2.FORMAT_ICPC, phase=game_pb2.PHASE_RUNNING)}
        self.sights: dict[str, game_pb2.CheckSightResponse] = {}
        self.sealed: set[str] = set()
        self.running: set[str] = set()
        self.out: set[str] = set()
        self.asked = 0

    async def CheckEntry(
        self, request: game_pb2.CheckEntryRequest, context: object
    ) -> game_pb2.CheckEntryResponse:
        if request.game_id not in self.known:
            refuse(Kind.NOT_FOUND, "game_not_found", "there is no such game")
        if request.actor.account_id in self.out:
            refuse(Kind.FORBIDDEN, "not_signed_up", "sign up for the game first")
        return game_pb2.CheckEntryResponse(phase=self.known[request.game_id].phase)

    async def CheckSight(
        self, request: game_pb2.CheckSightRequest, context: object
    ) -> game_pb2.CheckSightResponse:
        self.asked += 1
        if request.game_id not in self.known:
            refuse(Kind.NOT_FOUND, "game_not_found", "there is no such game")
        usual = game_pb2.CheckSightResponse(tells_verdicts=True)
        return self.sights.get(request.actor.account_id, usual)

    async def ListSealed(
        self, request: game_pb2.ListSealedRequest, context: object
    ) -> game_pb2.ListSealedResponse:
        running = [game_pb2.VirtualRun(game_id=str(GAME), account_id=each) for each in self.running]
        return game_pb2.ListSealedResponse(game_ids=self.sealed, running=running)


class Judgement(JudgementServiceServicer):
    """Tells the languages it is given."""

    def __init__(self) -> None:
        light = judging_pb2.LANE_LIGHT
        self.languages = [a_language("cpp17"), a_language("rust"), a_language("python3", lane=light)]

    async def ListLanguages(
        self, request: judgement_pb2.ListLanguagesRequest, context: object
    ) -> judgement_pb2.ListLanguagesResponse:
        return judgement_pb2.ListLanguagesResponse(languages=self.languages)


def a_language(
    slug: str, *, available: bool = True, lane: judging_pb2.Lane.ValueType = judging_pb2.LANE_HEAVY
) -> judgement_pb2.Language:
    return judgement_pb2.Language(
        slug=slug, available=available, lane=lane, install_hint=f"apt install {slug}"
    )


class Neighbours:
    def __init__(self) -> None:
        self.questions = Questions()  # type: ignore[abstract]  # two calls of many
        self.games = Games()  # type: ignore[abstract]  # two calls of many
        self.judgement = Judgement()  # type: ignore[abstract]  # one call of many

    @asynccontextmanager
    async def serving(self, address: str, token: Secret) -> AsyncIterator[None]:
        """Serve all three on one address."""
        server = Server(address, token, Readiness())
        add_QuestionServiceServicer_to_server(self.questions, server.registry)
        add_GameServiceServicer_to_server(self.games, server.registry)
        add_JudgementServiceServicer_to_server(self.judgement, server.registry)
        async with server:
            yield
