"""Games as organisers and contestants see them, through the running service."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from apps.game.tests.contests import (
    ADMIN,
    CONTESTANT,
    GUEST,
    JUDGE,
    ORGANISER,
    OTHER,
    QUESTIONS,
    a_create,
    a_draft,
)
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.grpc.mapping.values import duration
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import Awaitable

    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

RUNNING = timedelta(minutes=-10)
OVER = timedelta(hours=-6)


async def refusal(call: Awaitable[object]) -> tuple[Kind, str]:
    with pytest.raises(RemoteError) as refused:
        await call
    return refused.value.kind, refused.value.reason


async def test_a_game_is_made_read_changed_listed_and_deleted(
    game: GameServiceAsyncStub,
) -> None:
    request = a_create()
    made = (await game.Create(request)).game
    assert (await game.Create(request)).game == made, "the same call twice makes one game"
    assert (made.title, made.phase, made.version) == ("Regional", game_pb2.PHASE_BEFORE, 1)
    assert [each.label for each in made.problems] == ["A", "B", "C"]
    other = a_create()
    other.game_id = request.game_id
    other.draft.title = "Another"
    assert await refusal(game.Create(other)) == (Kind.CONFLICT, "game_id_taken")

    draft = game_pb2.Draft()
    draft.CopyFrom(request.draft)
    draft.title = "Finals"
    update = game_pb2.UpdateRequest(actor=ORGANISER, game_id=made.id, version=1, draft=draft)
    assert (await game.Update(update)).game.version == 2
    assert await refusal(game.Update(update)) == (Kind.CONFLICT, "version_conflict")

    listed = await game.List(game_pb2.ListRequest(actor=GUEST, search="finals"))
    assert [(each.title, list(each.problems), each.description) for each in listed.games] == [
        ("Finals", [], "")
    ]
    await game.Delete(game_pb2.DeleteRequest(actor=ORGANISER, game_id=made.id, version=2))
    assert await refusal(game.Get(game_pb2.GetRequest(actor=ADMIN, game_id=made.id))) == (
        Kind.NOT_FOUND,
        "not_found",
    )


async def test_problems_are_hidden_until_the_start_and_from_outsiders_until_the_end(
    game: GameServiceAsyncStub,
) -> None:
    seen: list[list[int]] = []
    for starts_in in (timedelta(hours=1), RUNNING, OVER):
        draft = a_draft(starts_in)
        draft.entry.during_contest = True
        made = (await game.Create(a_create(draft))).game
        if starts_in != OVER:
            await game.SignUp(game_pb2.SignUpRequest(actor=CONTESTANT, game_id=made.id, display_name="Alice"))
        answers = [
            await game.Get(game_pb2.GetRequest(actor=actor, game_id=made.id))
            for actor in (ADMIN, ORGANISER, JUDGE, CONTESTANT, OTHER, GUEST)
        ]
        seen.append([len(each.game.problems) for each in answers])
        assert [each.staff for each in answers] == [True, True, True, False, False, False]
        assert [each.administers for each in answers] == [True, True, False, False, False, False]
    assert seen == [[3, 3, 3, 0, 0, 0], [3, 3, 3, 3, 0, 0], [3, 3, 3, 3, 3, 3]]


async def test_a_private_game_is_joined_by_password_or_invitation(game: GameServiceAsyncStub) -> None:
    draft = a_draft()
    draft.entry.private = True
    draft.password = "open sesame"
    draft.invited_ids.append(OTHER.account_id)
    made = (await game.Create(a_create(draft))).game
    assert made.entry.has_password
    hidden = game_pb2.GetRequest(actor=CONTESTANT, game_id=made.id)
    assert await refusal(game.Get(hidden)) == (Kind.NOT_FOUND, "not_found")
    listed = await game.List(game_pb2.ListRequest(actor=CONTESTANT))
    assert made.id not in [each.id for each in listed.games]

    sign_up = game_pb2.SignUpRequest(actor=CONTESTANT, game_id=made.id, display_name="Alice")
    assert await refusal(game.SignUp(sign_up)) == (Kind.NOT_FOUND, "not_found")
    sign_up.password = "guess"
    assert await refusal(game.SignUp(sign_up)) == (Kind.NOT_FOUND, "not_found")
    sign_up.password = "open sesame"
    assert (await game.SignUp(sign_up)).participant.display_name == "Alice"
    assert (await game.Get(hidden)).participant.account_id == CONTESTANT.account_id
    assert (await game.Get(hidden)).game.participants == 1
    invited = game_pb2.SignUpRequest(actor=OTHER, game_id=made.id, display_name="Bea")
    await game.SignUp(invited)
    assert await refusal(game.SignUp(invited)) == (Kind.PRECONDITION, "already_signed_up")
    mine = await game.List(game_pb2.ListRequest(actor=OTHER, mine=True))
    assert made.id in [each.id for each in mine.games]

    people = await game.ListParticipants(game_pb2.ListParticipantsRequest(actor=OTHER, game_id=made.id))
    assert sorted(each.display_name for each in people.participants) == ["Alice", "Bea"]
    await game.CancelSignUp(game_pb2.CancelSignUpRequest(actor=OTHER, game_id=made.id))
    assert (await game.Get(hidden)).game.participants == 1


async def test_check_sight_says_what_an_account_sees_of_the_submissions(game: GameServiceAsyncStub) -> None:
    async def sight(actor: common_pb2.Actor, game_id: str) -> tuple[bool, bool, bool]:
        told = await game.CheckSight(game_pb2.CheckSightRequest(actor=actor, game_id=game_id))
        return told.staff, told.shows_others, told.tells_verdicts

    draft = a_draft(OVER)
    draft.entry.virtual_allowed = True
    draft.format = game_pb2.FORMAT_OI
    made = (await game.Create(a_create(draft))).game
    assert await sight(JUDGE, made.id) == (True, True, True)
    assert await sight(OTHER, made.id) == (False, False, True), "over, and still frozen"
    await game.Unfreeze(game_pb2.UnfreezeRequest(actor=ORGANISER, game_id=made.id))
    assert await sight(OTHER, made.id) == await sight(GUEST, made.id) == (False, True, True)
    sign_up = game_pb2.SignUpRequest(actor=CONTESTANT, game_id=made.id, display_name="Alice", virtual=True)
    await game.SignUp(sign_up)
    assert await sight(CONTESTANT, made.id) == (False, True, False), "the end of a virtual run is its own"
    told = await game.CheckSight(game_pb2.CheckSightRequest(actor=OTHER, game_id=made.id))
    assert told.running_ids == [CONTESTANT.account_id]
    for actor, manages in ((ORGANISER, True), (ADMIN, True), (JUDGE, False), (OTHER, False), (GUEST, False)):
        told = await game.CheckSight(game_pb2.CheckSightRequest(actor=actor, game_id=made.id))
        assert told.manages is manages


async def test_of_a_private_game_a_stranger_sees_no_submissions(game: GameServiceAsyncStub) -> None:
    draft = a_draft(OVER)
    draft.entry.private = True
    draft.schedule.ClearField("freezes_at")
    made = (await game.Create(a_create(draft))).game
    for actor, shown in ((ADMIN, True), (OTHER, False), (GUEST, False)):
        told = await game.CheckSight(game_pb2.CheckSightRequest(actor=actor, game_id=made.id))
        assert told.shows_others is shown
    unknown = game_pb2.CheckSightRequest(actor=OTHER, game_id=str(uuid4()))
    assert await refusal(game.CheckSight(unknown)) == (Kind.NOT_FOUND, "not_found")


async def test_a_game_is_sealed_from_its_start_until_its_board_is_shown_in_full(
    game: GameServiceAsyncStub,
) -> None:
    async def sealed(made: game_pb2.Game) -> bool:
        return made.id in (await game.ListSealed(game_pb2.ListSealedRequest())).game_ids

    games = [
        (await game.Create(a_create(a_draft(when)))).game for when in (timedelta(hours=1), RUNNING, OVER)
    ]
    assert [await sealed(made) for made in games] == [False, True, True]
    await game.Unfreeze(game_pb2.UnfreezeRequest(actor=ORGANISER, game_id=games[-1].id))
    assert not await sealed(games[-1])
    draft = a_draft(OVER)
    draft.schedule.ClearField("freezes_at")
    assert not await sealed((await game.Create(a_create(draft))).game)


async def test_check_entry_says_whether_an_account_may_submit_now(game: GameServiceAsyncStub) -> None:
    answers: dict[str, tuple[Kind, str] | int] = {}
    for name, starts_in in (("before", timedelta(hours=1)), ("running", RUNNING), ("over", OVER)):
        draft = a_draft(starts_in)
        draft.entry.during_contest = True
        made = (await game.Create(a_create(draft))).game
        check = game_pb2.CheckEntryRequest(actor=CONTESTANT, game_id=made.id, question_id=QUESTIONS[0])
        assert await refusal(game.CheckEntry(check)) == (Kind.FORBIDDEN, "not_a_participant")
        if name == "over":
            continue
        await game.SignUp(game_pb2.SignUpRequest(actor=CONTESTANT, game_id=made.id, display_name="Alice"))
        if name == "running":
            answers[name] = (await game.CheckEntry(check)).phase
            check.question_id = str(uuid4())
            answers["other question"] = await refusal(game.CheckEntry(check))
        else:
            answers[name] = await refusal(game.CheckEntry(check))
    assert answers == {
        "before": (Kind.PRECONDITION, "not_started"),
        "running": game_pb2.PHASE_RUNNING,
        "other question": (Kind.PRECONDITION, "not_a_problem_of_the_game"),
    }
    check = game_pb2.CheckEntryRequest(actor=CONTESTANT, game_id=str(uuid4()), question_id=QUESTIONS[0])
    assert await refusal(game.CheckEntry(check)) == (Kind.NOT_FOUND, "not_found")


async def test_questions_reach_the_judges_and_answers_those_they_are_for(game: GameServiceAsyncStub) -> None:
    draft = a_draft(RUNNING)
    draft.entry.during_contest = True
    made = (await game.Create(a_create(draft))).game
    for actor, name in ((CONTESTANT, "Alice"), (OTHER, "Bea")):
        await game.SignUp(game_pb2.SignUpRequest(actor=actor, game_id=made.id, display_name=name))
    ask = game_pb2.AskRequest(
        actor=CONTESTANT, game_id=made.id, clarification_id=str(uuid4()), question_id=QUESTIONS[0], text="n?"
    )
    asked = (await game.Ask(ask)).clarification
    assert (await game.Ask(ask)).clarification == asked
    answer = game_pb2.AnswerRequest(
        actor=JUDGE, game_id=made.id, clarification_id=asked.id, answer="Positive.", public=False
    )
    told = game_pb2.BroadcastRequest(
        actor=JUDGE, game_id=made.id, clarification_id=str(uuid4()), text="Lunch is here."
    )
    assert (await game.Answer(answer)).clarification.answer == "Positive."
    await game.Broadcast(told)
    for wrong in (CONTESTANT, OTHER):
        answer.actor.CopyFrom(wrong)
        assert await refusal(game.Answer(answer)) == (Kind.FORBIDDEN, "not_allowed")

    async def read_by(actor: object) -> list[str]:
        request = game_pb2.ListClarificationsRequest(actor=actor, game_id=made.id)  # type: ignore[arg-type]  # an Actor
        return sorted(each.text for each in (await game.ListClarifications(request)).clarifications)

    both, broadcast = ["Lunch is here.", "n?"], ["Lunch is here."]
    assert [await read_by(actor) for actor in (JUDGE, CONTESTANT, OTHER, GUEST)] == [
        both,
        both,
        broadcast,
        broadcast,
    ]
    outsider = game_pb2.AskRequest(
        actor=ORGANISER, game_id=made.id, clarification_id=str(uuid4()), text="May I?"
    )
    assert await refusal(game.Ask(outsider)) == (Kind.FORBIDDEN, "not_a_participant")


async def test_an_admin_enrols_others_until_the_end_and_finds_them_by_name(
    game: GameServiceAsyncStub,
) -> None:
    request = a_create(a_draft(timedelta(minutes=-10)))
    request.draft.entry.private = True
    made = (await game.Create(request)).game

    async def enrol(*people: tuple[common_pb2.Actor, str]) -> list[str]:
        newcomers = [
            game_pb2.Newcomer(account_id=actor.account_id, display_name=name) for actor, name in people
        ]
        done = await game.Enrol(game_pb2.EnrolRequest(actor=ORGANISER, game_id=made.id, newcomers=newcomers))
        assert [each.account_id for each in done.enrolments] == [actor.account_id for actor, _ in people]
        return [each.refused for each in done.enrolments]

    assert await enrol((CONTESTANT, "Ada Lovelace"), (OTHER, "Bea")) == ["", ""]
    assert await enrol((OTHER, "Bea"), (JUDGE, "Cid")) == ["already_signed_up", ""]

    async def found(search: str) -> list[str]:
        which = game_pb2.ListParticipantsRequest(actor=CONTESTANT, game_id=made.id, search=search)
        return [each.display_name for each in (await game.ListParticipants(which)).participants]

    assert await found("LOVE") == ["Ada Lovelace"]
    assert await found("%") == []
    assert len(await found("")) == 3
    rulings = await game.ListRulings(game_pb2.ListRulingsRequest(actor=ORGANISER, game_id=made.id))
    assert [each.action for each in rulings.rulings] == ["enrol"] * 3


async def test_a_running_game_is_extended_cut_and_kept(game: GameServiceAsyncStub) -> None:
    made = (await game.Create(a_create(a_draft(RUNNING)))).game
    by = duration(timedelta(minutes=30))
    extended = (await game.Extend(game_pb2.ExtendRequest(actor=ORGANISER, game_id=made.id, by=by))).game
    assert extended.schedule.ends_at.ToSeconds() - made.schedule.ends_at.ToSeconds() == 1800
    assert extended.schedule.freezes_at.ToSeconds() - made.schedule.freezes_at.ToSeconds() == 1800
    start = made.schedule.starts_at.ToSeconds()
    remove = game_pb2.RemoveIntervalRequest(actor=ORGANISER, game_id=made.id, reason="power cut")
    getattr(remove.interval, "from").FromSeconds(start + 60)
    remove.interval.before.FromSeconds(start + 120)
    cut = (await game.RemoveInterval(remove)).game
    assert len(cut.schedule.removed) == 1
    assert await refusal(game.RemoveInterval(remove)) == (Kind.INVALID, "intervals_overlap")
    late = game_pb2.DeleteRequest(actor=ORGANISER, game_id=made.id, version=cut.version)
    assert await refusal(game.Delete(late)) == (Kind.PRECONDITION, "already_started")
    wrong = game_pb2.ExtendRequest(actor=JUDGE, game_id=made.id, by=by)
    assert await refusal(game.Extend(wrong)) == (Kind.FORBIDDEN, "not_allowed")
