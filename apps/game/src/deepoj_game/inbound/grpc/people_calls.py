"""Who takes part, and what they ask."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import person
from deepoj_game.commands.answer import Answer
from deepoj_game.commands.ask import Ask
from deepoj_game.commands.broadcast import Broadcast
from deepoj_game.commands.cancel_sign_up import CancelSignUp
from deepoj_game.commands.enrol import Enrol
from deepoj_game.commands.sign_up import SignUp
from deepoj_game.commands.update_participant import UpdateParticipant
from deepoj_game.inbound.grpc import mapper
from deepoj_game.inbound.grpc.refusals import raise_refusal
from deepoj_game.queries.list_clarifications import ListClarifications
from deepoj_game.queries.list_participants import ListParticipants
from deepoj_game.queries.record_checks import CheckEntry, CheckSight, ListSealedGames
from deepoj_kit.grpc import signed_in
from deepoj_proto.game.v1 import game_pb2


@dataclass(frozen=True, slots=True)
class PeopleUseCases:
    sign_up: SignUp
    cancel: CancelSignUp
    update: UpdateParticipant
    enrol: Enrol
    list: ListParticipants
    check_entry: CheckEntry
    check_sight: CheckSight
    list_sealed: ListSealedGames
    ask: Ask
    answer: Answer
    broadcast: Broadcast
    clarifications: ListClarifications


class PeopleCalls:
    _people: PeopleUseCases

    async def SignUp(self, request: game_pb2.SignUpRequest, context: object) -> game_pb2.SignUpResponse:
        entrant = await self._people.sign_up(
            person(signed_in(mapper.actor(request.actor))),
            mapper.game_id(request.game_id),
            request.display_name,
            request.password,
            virtual=request.virtual,
        )
        if isinstance(entrant, Refused):
            raise_refusal(entrant)
        return game_pb2.SignUpResponse(participant=mapper.entrant(entrant))

    async def CancelSignUp(
        self, request: game_pb2.CancelSignUpRequest, context: object
    ) -> game_pb2.CancelSignUpResponse:
        actor = signed_in(mapper.actor(request.actor))
        account = mapper.account_id(request.account_id) if request.account_id else actor.account_id
        if refused := await self._people.cancel(actor, mapper.game_id(request.game_id), account):
            raise_refusal(refused)
        return game_pb2.CancelSignUpResponse()

    async def ListParticipants(
        self, request: game_pb2.ListParticipantsRequest, context: object
    ) -> game_pb2.ListParticipantsResponse:
        found = await self._people.list(
            mapper.actor(request.actor),
            mapper.game_id(request.game_id),
            mapper.page(request.page),
            mapper.search(request.search),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.paged(game_pb2.ListParticipantsResponse, "participants", found)

    async def UpdateParticipant(
        self, request: game_pb2.UpdateParticipantRequest, context: object
    ) -> game_pb2.UpdateParticipantResponse:
        entrant = await self._people.update(
            signed_in(mapper.actor(request.actor)),
            mapper.game_id(request.game_id),
            mapper.account_id(request.account_id),
            mapper.edit(request),
        )
        if isinstance(entrant, Refused):
            raise_refusal(entrant)
        return game_pb2.UpdateParticipantResponse(participant=mapper.entrant(entrant))

    async def Enrol(self, request: game_pb2.EnrolRequest, context: object) -> game_pb2.EnrolResponse:
        actor, game_id = signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id)
        done = await self._people.enrol(actor, game_id, mapper.newcomers(request))
        if isinstance(done, Refused):
            raise_refusal(done)
        return mapper.build(game_pb2.EnrolResponse, {"enrolments": done})

    async def CheckEntry(
        self, request: game_pb2.CheckEntryRequest, context: object
    ) -> game_pb2.CheckEntryResponse:
        phase = await self._people.check_entry(
            signed_in(mapper.actor(request.actor)),
            mapper.game_id(request.game_id),
            mapper.question_id(request.question_id),
        )
        if isinstance(phase, Refused):
            raise_refusal(phase)
        return mapper.build(game_pb2.CheckEntryResponse, {"phase": phase})

    async def CheckSight(
        self, request: game_pb2.CheckSightRequest, context: object
    ) -> game_pb2.CheckSightResponse:
        rules = await self._people.check_sight(mapper.actor(request.actor), mapper.game_id(request.game_id))
        if isinstance(rules, Refused):
            raise_refusal(rules)
        running = sorted(map(str, rules.still_running)) if rules.shows_others else ()
        return game_pb2.CheckSightResponse(
            staff=rules.staff,
            manages=rules.manages,
            shows_others=rules.shows_others,
            tells_verdicts=rules.tells_verdicts,
            running_ids=running,
        )

    async def ListSealed(
        self, request: game_pb2.ListSealedRequest, context: object
    ) -> game_pb2.ListSealedResponse:
        sealed = await self._people.list_sealed()
        running = [
            game_pb2.VirtualRun(game_id=str(game_id), account_id=str(account_id))
            for game_id, account_id in sealed.running
        ]
        return game_pb2.ListSealedResponse(game_ids=map(str, sealed.games), running=running)

    async def Ask(self, request: game_pb2.AskRequest, context: object) -> game_pb2.AskResponse:
        asked = await self._people.ask(
            person(signed_in(mapper.actor(request.actor))),
            mapper.game_id(request.game_id),
            mapper.question(request),
        )
        if isinstance(asked, Refused):
            raise_refusal(asked)
        return game_pb2.AskResponse(clarification=mapper.clarification(asked))

    async def Answer(self, request: game_pb2.AnswerRequest, context: object) -> game_pb2.AnswerResponse:
        answered = await self._people.answer(
            signed_in(mapper.actor(request.actor)),
            mapper.game_id(request.game_id),
            mapper.clarification_id(request.clarification_id),
            mapper.storable(request.answer),
            public=request.public,
        )
        if isinstance(answered, Refused):
            raise_refusal(answered)
        return game_pb2.AnswerResponse(clarification=mapper.clarification(answered))

    async def Broadcast(
        self, request: game_pb2.BroadcastRequest, context: object
    ) -> game_pb2.BroadcastResponse:
        told = await self._people.broadcast(
            signed_in(mapper.actor(request.actor)), mapper.game_id(request.game_id), mapper.broadcast(request)
        )
        if isinstance(told, Refused):
            raise_refusal(told)
        return game_pb2.BroadcastResponse(clarification=mapper.clarification(told))

    async def ListClarifications(
        self, request: game_pb2.ListClarificationsRequest, context: object
    ) -> game_pb2.ListClarificationsResponse:
        found = await self._people.clarifications(
            mapper.actor(request.actor), mapper.game_id(request.game_id), mapper.page(request.page)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return mapper.paged(game_pb2.ListClarificationsResponse, "clarifications", found)
