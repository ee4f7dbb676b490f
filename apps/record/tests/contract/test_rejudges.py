"""Rejudge: new ids, a preview, then all at once or not at all. Replay of a dead letter."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import cast
from uuid import uuid4

import msgspec
import pytest
from dependency_injector import providers

from apps.record.tests.fakes import MemoryCatalogue, MemoryGames, MemoryJournal, StoppedClock
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId, RejudgeId, SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.rejudge_batch import BatchStatus, RejudgeBatch
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Band
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Standing, Submission
from deepoj_domain.submission.visibility import GameRules
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION, ROOT, a_result, uuid
from deepoj_record.commands.close_rejudge import RejudgeClosed
from deepoj_record.commands.finalize import FinishedAttempt
from deepoj_record.commands.rejudge_ports import Rejudge
from deepoj_record.commands.replay_dead_letter import Replayed
from deepoj_record.commands.replay_dead_letters import ReplayedMany
from deepoj_record.commands.report_failure import FailedAttempt
from deepoj_record.commands.start_rejudge import RejudgeStarted
from deepoj_record.commands.submit import Accepted, SubmitRequest
from deepoj_record.container import Container
from deepoj_record.outbound.postgres.rejudge_repository import PostgresRejudges
from deepoj_record.queries.ports import Fate, GameCount, RejudgeSize, RevisionCount, VerdictChange
from deepoj_record.queries.rejudges import Preview

WORKER = WorkerId("judge-1")
ALL = Selection(question_id=QUESTION)
ONE_PAGE = timedelta(0)
MANAGER = Actor(BOB, Role.SETTER)
ELSEWHERE = GameId(uuid(21))


async def test_a_rejudge_changes_nothing_before_it_is_applied_and_everything_then(
    container: Container, clock: StoppedClock, catalogue: MemoryCatalogue
) -> None:
    ids = [await judged(container) for _ in range(3)]
    catalogue.questions[QUESTION] = replace(catalogue.questions[QUESTION], revision=RevisionRef(QUESTION, 2))
    clock.advance(100)
    rejudge = await started(container, ALL)
    candidates = await members(container, rejudge)
    assert {candidate.rejudge_of for candidate in candidates} == set(ids)
    assert {candidate.order.revision.number for candidate in candidates} == {2}
    assert {candidate.route.band for candidate in candidates} == {Band.BULK}
    assert [head.id for head in await heads(container, ids)] == ids

    assert reason(await container.rejudge_use_cases().apply(ROOT, rejudge)) == "still_judging"
    await judge(container, candidates[0].id, Verdict.WRONG_ANSWER)
    await judge(container, candidates[1].id, Verdict.ACCEPTED)
    assert (await preview(container, rejudge)).progress.changed == 1
    await judge(container, candidates[2].id, Verdict.WRONG_ANSWER)
    seen = await preview(container, rejudge)
    assert (seen.progress.submissions, seen.progress.judged, seen.progress.changed) == (3, 3, 2)
    assert [each.groups for each in seen.effects.items] == [
        a_result(verdict).groups for verdict in (Verdict.WRONG_ANSWER, Verdict.ACCEPTED, Verdict.WRONG_ANSWER)
    ]
    assert seen.matrix == [
        VerdictChange(Verdict.ACCEPTED, Verdict.WRONG_ANSWER, 2),
        VerdictChange(Verdict.ACCEPTED, Verdict.ACCEPTED, 1),
    ]
    assert seen.progress.selection == ALL
    assert [(e.old_verdict, e.new_verdict) for e in seen.effects.items] == [
        ("AC", "WA"), ("AC", "AC"), ("AC", "WA"),
    ]  # fmt: skip

    assert await container.rejudge_use_cases().apply(ROOT, rejudge) == RejudgeClosed(
        3, 0, BatchStatus.APPLIED
    )
    new_heads = await heads(container, ids)
    assert {head.id for head in new_heads} == {candidate.id for candidate in candidates}
    assert {head.order.submitted_at for head in new_heads} == {StoppedClock().moment}
    assert {each.standing for each in await loaded(container, ids)} == {Standing.ARCHIVED}
    assert await told(container, "submission.superseded.v1") == 3
    assert reason(await container.rejudge_use_cases().apply(ROOT, rejudge)) == "already_closed"


async def test_a_candidate_that_died_is_shown_as_failed_and_dropped_when_the_rest_is_applied(
    container: Container,
) -> None:
    ids = [await judged(container) for _ in range(2)]
    rejudge = await started(container, ALL)
    right, broken = await members(container, rejudge)
    await judge(container, right.id, Verdict.WRONG_ANSWER)
    progress = (await preview(container, rejudge)).progress
    assert (progress.submissions, progress.judged, progress.failed) == (2, 1, 0)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [broken.id])
    await workers.report_failure(WORKER, [FailedAttempt(broken.id, 1, Failure.MALFORMED_JOB, "bad")])
    progress = (await preview(container, rejudge)).progress
    assert (progress.submissions, progress.judged, progress.failed) == (2, 1, 1)
    applied = await container.rejudge_use_cases().apply(ROOT, rejudge)
    assert applied == RejudgeClosed(1, 1, BatchStatus.APPLIED)
    assert {head.id for head in await heads(container, ids)} == {right.id, broken.rejudge_of}
    [dropped] = await loaded(container, [broken.id])
    assert (dropped.standing, dropped.status) == (Standing.DISCARDED, Status.DEAD)


async def test_a_rejudge_thrown_away_stops_what_runs_and_keeps_the_heads(container: Container) -> None:
    ids = [await judged(container) for _ in range(2)]
    rejudge = await started(container, ALL)
    candidates = await members(container, rejudge)
    await judge(container, candidates[0].id, Verdict.WRONG_ANSWER)
    assert await container.rejudge_use_cases().discard(ROOT, rejudge) == RejudgeClosed(
        0, 2, BatchStatus.DISCARDED
    )
    after = await members(container, rejudge)
    assert {each.standing for each in after} == {Standing.DISCARDED}
    assert {each.status for each in after} == {Status.FINISHED, Status.CANCELLED}
    assert [head.id for head in await heads(container, ids)] == ids
    [late] = await container.worker_use_cases().claim(WORKER, [candidates[1].id])
    assert reason(late) == "already_finished"


async def test_starting_again_with_the_same_id_changes_nothing(container: Container) -> None:
    await judged(container)
    rejudge = await started(container, ALL)
    start = container.rejudge_use_cases().start
    assert await start(ROOT, rejudge, ALL, "again") == RejudgeStarted(1)
    other = Selection(account_id=ALICE)
    assert reason(await start(ROOT, rejudge, other, "")) == "rejudge_id_reused"


@pytest.mark.parametrize(
    ("selection", "why"),
    [
        (Selection(), "selects_everything"),
        (Selection(game_id=GAME), "selects_nothing"),
        (Selection(verdicts=frozenset({Verdict.WRONG_ANSWER})), "selects_nothing"),
    ],
)
async def test_a_selection_is_checked_before_anything_is_stored(
    container: Container, selection: Selection, why: str
) -> None:
    await judged(container)
    outcome = await container.rejudge_use_cases().start(ROOT, RejudgeId(uuid4()), selection, "")
    assert reason(outcome) == why


async def test_a_rejudge_is_counted_by_revision_before_it_is_started(
    container: Container, catalogue: MemoryCatalogue
) -> None:
    for _ in range(2):
        await judged(container)
    catalogue.questions[QUESTION] = replace(catalogue.questions[QUESTION], revision=RevisionRef(QUESTION, 2))
    await judged(container)
    await submitted(container)
    count = container.rejudge_use_cases().count
    assert await count(ROOT, ALL) == RejudgeSize(
        3, [RevisionCount(QUESTION, 1, 2), RevisionCount(QUESTION, 2, 1)]
    )
    old = replace(ALL, question_revisions=frozenset({1}))
    assert await count(ROOT, old) == RejudgeSize(2, [RevisionCount(QUESTION, 1, 2)])
    assert len(await members(container, await started(container, old))) == 2
    assert await count(ROOT, Selection(game_id=GAME)) == RejudgeSize(0, [])
    with pytest.raises(InvalidValueError, match="restriction"):
        await count(ROOT, Selection())
    for role in (Role.CONTESTANT, Role.SETTER):
        assert reason(await count(Actor(ALICE, role), ALL)) == "not_allowed"


async def test_dead_letters_of_the_same_error_are_replayed_together(container: Container) -> None:
    errors = ["no disk 17", "no disk 4", "no memory"]
    dead = [await died(container, await submitted(container), error) for error in errors]
    use_cases = container.rejudge_use_cases()
    groups = await use_cases.dead_letter_groups(ROOT)
    assert not isinstance(groups, Refused)
    assert [
        (each.last_error.removeprefix(f"{Failure.MALFORMED_JOB}: "), each.submissions, each.languages)
        for each in groups
    ] == [("no disk 4", 2, ("cpp17",)), ("no memory", 1, ("cpp17",))]
    assert await waiting(container, groups[0].group) == {dead[0], dead[1]}
    assert await use_cases.replay_many(ROOT, [], groups[0].group) == ReplayedMany(2, 0)
    assert await waiting(container, groups[0].group) == set()
    assert len(await letters(container)) == 3, "those that were replayed too"
    assert await use_cases.replay_many(ROOT, [], groups[0].group) == ReplayedMany(0, 0)
    assert await use_cases.replay_many(ROOT, [dead[2], dead[0], dead[2]], "") == ReplayedMany(1, 1)
    assert await use_cases.dead_letter_groups(ROOT) == []
    heads_now = {head.status for head in await heads(container, dead)}
    assert heads_now == {Status.PENDING}


async def test_what_broke_is_told_admins_only_and_replayed_by_them(container: Container) -> None:
    dead = await died(container, await submitted(container), "secret place")
    use_cases = container.rejudge_use_cases()
    for role in (Role.CONTESTANT, Role.SETTER, Role.JUDGE):
        actor = Actor(ALICE, role)
        assert reason(await use_cases.dead_letter_groups(actor)) == "not_allowed"
        assert reason(await use_cases.replay_many(actor, [dead], "")) == "not_owner"
    for ids, group in (([], ""), ([dead], "x"), ([dead] * 501, "")):
        with pytest.raises(InvalidValueError):
            await use_cases.replay_many(ROOT, ids, group)


async def test_contestants_and_setters_may_not_rejudge(container: Container) -> None:
    for role in (Role.CONTESTANT, Role.SETTER):
        actor, rejudges = Actor(ALICE, role), container.rejudge_use_cases()
        some_id = RejudgeId(uuid4())
        assert reason(await rejudges.start(actor, some_id, ALL, "")) == "not_allowed"
        assert reason(await rejudges.apply(actor, some_id)) == "not_allowed"
        assert reason(await rejudges.discard(actor, some_id)) == "not_allowed"
    assert reason(await container.rejudge_use_cases().apply(ROOT, RejudgeId(uuid4()))) == "not_found"


@pytest.fixture
def managed(games: MemoryGames) -> MemoryGames:
    """Let BOB manage one of two games, and judge in the other."""
    games.of[GAME, BOB] = GameRules(staff=True, manages=True)
    games.of[ELSEWHERE, BOB] = GameRules(staff=True)
    return games


@pytest.mark.usefixtures("managed")
async def test_who_manages_a_game_rejudges_what_was_sent_to_it_from_start_to_end(
    container: Container,
) -> None:
    inside = await judged(container, GAME)
    for game_id in (None, ELSEWHERE):
        await judged(container, game_id)
    use_cases = container.rejudge_use_cases()
    wanted = Selection(game_id=GAME, question_id=QUESTION)
    assert await use_cases.count(MANAGER, wanted) == RejudgeSize(1, [RevisionCount(QUESTION, 1, 1)])
    for selection in (wanted, Selection(submission_id=inside)):
        rejudge = RejudgeId(uuid4())
        assert await use_cases.start(MANAGER, rejudge, selection, "") == RejudgeStarted(1)
        assert await use_cases.start(MANAGER, rejudge, selection, "") == RejudgeStarted(1)
        [candidate] = await members(container, rejudge)
        assert candidate.order.game_id == GAME
        seen = await use_cases.preview(MANAGER, rejudge, PageRequest())
        assert isinstance(seen, Preview)
        assert seen.games == [GameCount(GAME, 1)]
        assert [each.new_id for each in seen.effects.items] == [candidate.id]
        assert await use_cases.discard(MANAGER, rejudge) == RejudgeClosed(0, 1, BatchStatus.DISCARDED)
    rejudge = await started(container, wanted)
    await judge(container, (await members(container, rejudge))[0].id, Verdict.WRONG_ANSWER)
    assert await use_cases.apply(MANAGER, rejudge) == RejudgeClosed(1, 0, BatchStatus.APPLIED)


@pytest.mark.usefixtures("managed")
async def test_a_preview_counts_what_is_judged_again_of_each_game(container: Container) -> None:
    for game_id in (ELSEWHERE, GAME, GAME, None):
        await judged(container, game_id)
    rejudge = await started(container, ALL)
    assert (await preview(container, rejudge)).games == [GameCount(GAME, 2), GameCount(ELSEWHERE, 1)]
    await container.rejudge_use_cases().discard(ROOT, rejudge)
    outside = await started(container, Selection(submission_id=await judged(container)))
    assert (await preview(container, outside)).games == []


@pytest.mark.usefixtures("managed")
async def test_who_manages_a_game_reaches_nothing_outside_it(container: Container) -> None:
    practice, foreign = await judged(container), await judged(container, ELSEWHERE)
    await judged(container, GAME)
    use_cases = container.rejudge_use_cases()
    for selection in (
        Selection(),
        ALL,
        Selection(account_id=ALICE, question_id=QUESTION),
        Selection(game_id=ELSEWHERE),
        Selection(game_id=GameId(uuid4())),
        Selection(submission_id=practice),
        Selection(submission_id=foreign),
        Selection(submission_id=foreign, game_id=GAME),
        Selection(submission_id=SubmissionId(uuid4())),
    ):
        rejudge = RejudgeId(uuid4())
        assert reason(await use_cases.start(MANAGER, rejudge, selection, "")) == "not_allowed"
        assert await container.rejudges().find(rejudge) is None
        if selection.submission_id is None:
            assert reason(await use_cases.count(MANAGER, selection)) == "not_allowed"
            if selection.is_everything:
                continue
        opened = RejudgeId(uuid4())
        await use_cases.start(ROOT, opened, selection, "")
        for answer in (
            await use_cases.preview(MANAGER, opened, PageRequest()),
            await use_cases.apply(MANAGER, opened),
            await use_cases.discard(MANAGER, opened),
        ):
            assert reason(answer) == "not_allowed", "whether there is such a rejudge or not"


@pytest.mark.usefixtures("managed")
async def test_who_manages_a_game_has_only_so_many_judged_again_in_a_day(
    container: Container, clock: StoppedClock
) -> None:
    for _ in range(2):
        await judged(container, GAME)
    container.settings.override(msgspec.structs.replace(container.settings(), rejudge_allowance=3))
    start, wanted = container.rejudge_use_cases().start, Selection(game_id=GAME)
    ids = [RejudgeId(uuid4()) for _ in range(5)]
    # At once: looking first and storing later would let all of them in.
    outcomes = await asyncio.gather(*(start(MANAGER, each, wanted, "") for each in ids))
    refused = [each for each in outcomes if isinstance(each, Refused)]
    assert [(each.reason, each.detail) for each in refused] == [("allowance_spent", "2 of 3")] * 4
    [let_in] = [key for key, each in zip(ids, outcomes, strict=True) if isinstance(each, RejudgeStarted)]
    assert await start(MANAGER, let_in, wanted, "") == RejudgeStarted(2), "repeated, it costs nothing"
    assert await start(ROOT, RejudgeId(uuid4()), wanted, "") == RejudgeStarted(2), "the staff has no limit"
    await container.rejudge_use_cases().discard(MANAGER, let_in)
    assert reason(await start(MANAGER, RejudgeId(uuid4()), wanted, "")) == "allowance_spent"
    clock.advance(24 * 3600)
    assert await start(MANAGER, RejudgeId(uuid4()), wanted, "") == RejudgeStarted(2)


async def test_rejudges_are_listed_by_game_for_those_who_manage_it(
    container: Container, managed: MemoryGames
) -> None:
    inside = await judged(container, GAME)
    await judged(container, ELSEWHERE)
    in_game = await started(container, Selection(game_id=GAME))
    of_one = await started(container, Selection(submission_id=inside))
    elsewhere = await started(container, Selection(game_id=ELSEWHERE))
    everywhere = await started(container, ALL)
    assert await listed(container, MANAGER, GAME) == {in_game, of_one}
    assert await listed(container, ROOT, GAME) == {in_game, of_one}
    assert await listed(container, ROOT, None) == {in_game, of_one, elsewhere, everywhere}
    use_cases = container.rejudge_use_cases()
    for game_id in (None, ELSEWHERE, GameId(uuid4())):
        assert reason(await use_cases.list(MANAGER, game_id, PageRequest())) == "not_allowed"
    managed.of.clear()
    assert reason(await use_cases.list(MANAGER, GAME, PageRequest())) == "not_allowed"
    assert reason(await use_cases.discard(MANAGER, in_game)) == "not_allowed", (
        "managed it when it was started"
    )


async def listed(container: Container, actor: Actor, game_id: GameId | None) -> set[RejudgeId]:
    """Turn every page."""
    found, page = set[RejudgeId](), PageRequest(size=1)
    while True:
        answer = await container.rejudge_use_cases().list(actor, game_id, page)
        assert isinstance(answer, Page)
        found |= {each.id for each in answer.items}
        if answer.next is None:
            return found
        page = PageRequest(size=1, after=answer.next)


async def test_of_two_rejudges_of_one_submission_the_second_to_be_applied_is_dropped(
    container: Container,
) -> None:
    [job] = [await judged(container)]
    first, second = await started(container, ALL), await started(container, ALL)
    for rejudge in (first, second):
        await judge(container, (await members(container, rejudge))[0].id, Verdict.WRONG_ANSWER)
    apply = container.rejudge_use_cases().apply
    done = await asyncio.gather(apply(ROOT, first), apply(ROOT, second), return_exceptions=True)
    closed = [outcome for outcome in done if isinstance(outcome, RejudgeClosed)]
    assert sum(outcome.applied for outcome in closed) == 1
    assert all(outcome.applied + outcome.dropped == 1 for outcome in closed)
    [head] = await heads(container, [job])
    assert head.status is Status.FINISHED


async def test_a_dead_letter_is_replayed_in_its_place_and_once(container: Container) -> None:
    dead = await submitted(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [dead])
    await workers.report_failure(WORKER, [FailedAttempt(dead, 1, Failure.MALFORMED_JOB, "bad")])
    replay, new_id = container.rejudge_use_cases().replay, SubmissionId(uuid4())
    assert await replay(ROOT, dead, new_id) == Replayed(new_id)
    assert await replay(ROOT, dead, new_id) == Replayed(new_id)
    assert reason(await replay(ROOT, dead, SubmissionId(uuid4()))) == "not_head"
    [head] = await heads(container, [dead])
    assert (head.id, head.status, head.rejudge_of) == (new_id, Status.PENDING, dead)
    letters = await container.rejudge_use_cases().dead_letters(ROOT, "", PageRequest())
    assert not isinstance(letters, Refused)
    assert [(letter.submission_id, letter.replayed_as) for letter in letters.items] == [(dead, new_id)]
    await judge(container, new_id, Verdict.ACCEPTED)
    assert reason(await replay(ROOT, new_id, SubmissionId(uuid4()))) == "not_in_expected_state"
    assert reason(await replay(Actor(ALICE, Role.CONTESTANT), dead, new_id)) == "not_owner"
    assert reason(await replay(ROOT, SubmissionId(uuid4()), SubmissionId(uuid4()))) == "not_found"


async def test_a_replay_that_dies_again_is_told_with_its_own_reason(container: Container) -> None:
    first = await died(container, await submitted(container), "the data is gone")
    again = SubmissionId(uuid4())
    await container.rejudge_use_cases().replay(ROOT, first, again)
    assert await letters(container) == [(first, "the data is gone", again, Status.PENDING, None)]
    await died(container, again, "the disk is full")
    assert await letters(container) == [
        (again, "the disk is full", None, None, first),
        (first, "the data is gone", again, Status.DEAD, None),
    ]


async def died(container: Container, job: SubmissionId, error: str) -> SubmissionId:
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    await workers.report_failure(WORKER, [FailedAttempt(job, 1, Failure.MALFORMED_JOB, error)])
    cast("StoppedClock", container.clock()).advance(1)
    return job


async def waiting(container: Container, group: str) -> set[SubmissionId]:
    """Turn every page of a group."""
    found, page = set[SubmissionId](), PageRequest(size=1)
    while True:
        answer = await container.rejudge_use_cases().dead_letters(ROOT, group, page)
        assert isinstance(answer, Page)
        found |= {each.submission_id for each in answer.items}
        if answer.next is None:
            return found
        page = PageRequest(size=1, after=answer.next)


async def letters(container: Container) -> list[tuple[object, ...]]:
    found = await container.rejudge_use_cases().dead_letters(ROOT, "", PageRequest())
    assert not isinstance(found, Refused)
    return [
        (
            each.submission_id,
            each.last_error.removeprefix(f"{Failure.MALFORMED_JOB}: "),
            each.replayed_as,
            each.replayed_status,
            each.replay_of,
        )
        for each in found.items
    ]


async def test_every_refusal_of_a_rejudge_or_a_replay_is_journalled(container: Container) -> None:
    journal = MemoryJournal()
    container.journal.override(providers.Object(journal))
    job, rejudge = await judged(container), RejudgeId(uuid4())
    rejudges, nobody, unknown = (
        container.rejudge_use_cases(),
        Actor(ALICE, Role.CONTESTANT),
        SubmissionId(uuid4()),
    )
    await rejudges.start(ROOT, rejudge, ALL, "")
    journal.lines.clear()
    await rejudges.start(nobody, rejudge, ALL, "")
    await rejudges.start(ROOT, rejudge, Selection(account_id=ALICE), "")
    await rejudges.apply(nobody, rejudge)
    await rejudges.apply(ROOT, rejudge)
    await rejudges.discard(nobody, rejudge)
    await rejudges.discard(ROOT, RejudgeId(uuid4()))
    await rejudges.replay(nobody, job, unknown)
    await rejudges.replay(ROOT, unknown, SubmissionId(uuid4()))
    await rejudges.replay(ROOT, job, unknown)
    assert journal.lines == [
        ("rejudge", "not_allowed"), ("rejudge", "rejudge_id_reused"),
        ("apply_rejudge", "not_allowed"), ("apply_rejudge", "still_judging"),
        ("discard_rejudge", "not_allowed"), ("discard_rejudge", "not_found"),
        ("replay", "not_owner"), ("replay", "not_found"), ("replay", "not_in_expected_state"),
    ]  # fmt: skip


async def test_two_starts_of_the_same_rejudge_journal_each_candidate_once(container: Container) -> None:
    journal = MemoryJournal()
    container.journal.override(providers.Object(journal))
    for _ in range(5):
        await judged(container)
    start, rejudge = container.rejudge_use_cases().start, RejudgeId(uuid4())
    journal.lines.clear()
    both = await asyncio.gather(start(ROOT, rejudge, ALL, ""), start(ROOT, rejudge, ALL, ""))
    assert set(both) == {RejudgeStarted(5)}
    assert journal.lines == [("rejudge", "PENDING")] * 5


async def test_a_rejudge_cut_anywhere_goes_on_where_it_stopped_and_is_neither_applied_nor_lost_in_half(
    container: Container, clock: StoppedClock
) -> None:
    in_pages_of(container, 2)
    ids = [await judged(container) for _ in range(5)]
    rejudge = await opening(container, selected=5)
    advance, use_cases = container.advance_rejudge(), container.rejudge_use_cases()
    sizes = []
    for _ in range(3):
        await advance(rejudge, ONE_PAGE)
        progress = (await preview(container, rejudge)).progress
        sizes.append((progress.submissions, progress.selected, progress.status))
        refused = await use_cases.apply(ROOT, rejudge)
        assert isinstance(refused, Refused)
        assert (refused.reason, refused.detail) == ("still_opening", f"{progress.submissions} of 5")
    assert sizes == [(2, 5, "opening"), (4, 5, "opening"), (5, 5, "opening")]
    clock.advance(2)
    await container.continue_rejudges()()
    assert (await preview(container, rejudge)).progress.status is BatchStatus.OPEN

    for candidate in await members(container, rejudge):
        await judge(container, candidate.id, Verdict.WRONG_ANSWER)
    await decide(container, rejudge, "applying")
    await advance(rejudge, ONE_PAGE)
    progress = (await preview(container, rejudge)).progress
    assert (progress.status, progress.applied, progress.changed) == (BatchStatus.APPLYING, 2, 5)
    assert reason(await use_cases.discard(ROOT, rejudge)) == "already_closed"
    clock.advance(2)
    await container.continue_rejudges()()
    progress = (await preview(container, rejudge)).progress
    assert (progress.status, progress.applied, progress.dropped) == (BatchStatus.APPLIED, 5, 0)
    assert {head.rejudge_of for head in await heads(container, ids)} == set(ids)
    assert await told(container, "submission.superseded.v1") == 5


async def test_a_rejudge_discarded_while_it_is_opened_gets_no_more_candidates(
    container: Container, clock: StoppedClock
) -> None:
    in_pages_of(container, 2)
    ids = [await judged(container) for _ in range(5)]
    rejudge = await opening(container, selected=5)
    await container.advance_rejudge()(rejudge, ONE_PAGE)
    gone = await container.rejudge_use_cases().discard(ROOT, rejudge)
    assert gone == RejudgeClosed(0, 2, BatchStatus.DISCARDED)
    clock.advance(2)
    await container.continue_rejudges()()
    assert {each.standing for each in await members(container, rejudge)} == {Standing.DISCARDED}
    assert [head.id for head in await heads(container, ids)] == ids


async def test_several_who_open_and_apply_the_same_rejudge_do_it_once(container: Container) -> None:
    in_pages_of(container, 2)
    ids = [await judged(container) for _ in range(9)]
    rejudge = await opening(container, selected=9)
    advance, hour = container.advance_rejudge(), timedelta(hours=1)
    await asyncio.gather(*(advance(rejudge, hour) for _ in range(3)))
    candidates = await members(container, rejudge)
    assert sorted(str(each.rejudge_of) for each in candidates) == sorted(map(str, ids))
    for candidate in candidates:
        await judge(container, candidate.id, Verdict.WRONG_ANSWER)
    await decide(container, rejudge, "applying")
    await asyncio.gather(*(advance(rejudge, hour) for _ in range(3)))
    progress = (await preview(container, rejudge)).progress
    assert (progress.status, progress.applied, progress.dropped) == (BatchStatus.APPLIED, 9, 0)
    assert await told(container, "submission.superseded.v1") == 9


async def test_what_is_sent_after_the_start_is_not_part_of_a_rejudge(
    container: Container, clock: StoppedClock
) -> None:
    await judged(container)
    rejudge = await opening(container, selected=1)
    clock.advance(1)
    await judged(container)
    await container.advance_rejudge()(rejudge, timedelta(hours=1))
    assert len(await members(container, rejudge)) == 1


async def test_a_rejudge_whose_question_cannot_be_asked_for_waits_for_it(
    container: Container, clock: StoppedClock, catalogue: MemoryCatalogue
) -> None:
    await judged(container)
    catalogue.is_away = True
    rejudge = RejudgeId(uuid4())
    outcome = await container.rejudge_use_cases().start(ROOT, rejudge, ALL, "")
    assert outcome == RejudgeStarted(0, BatchStatus.OPENING)
    catalogue.is_away = False
    clock.advance(2)
    await container.continue_rejudges()()
    assert len(await members(container, rejudge)) == 1


async def test_the_preview_promises_only_what_applying_would_do(container: Container) -> None:
    await judged(container)
    first, second, third = [await started(container, ALL) for _ in range(3)]
    for rejudge in (first, second, third):
        [candidate] = await members(container, rejudge)
        await judge(container, candidate.id, Verdict.WRONG_ANSWER)
        assert await promised(container, rejudge) == (1, 0, 0, Fate.OPEN)
    use_cases = container.rejudge_use_cases()
    assert await use_cases.apply(ROOT, first) == RejudgeClosed(1, 0, BatchStatus.APPLIED)
    assert await promised(container, first) == (1, 1, 0, Fate.APPLIED)
    assert await promised(container, second) == (0, 0, 1, Fate.DROPPED)
    assert await use_cases.apply(ROOT, second) == RejudgeClosed(0, 1, BatchStatus.APPLIED)
    assert await use_cases.discard(ROOT, third) == RejudgeClosed(0, 1, BatchStatus.DISCARDED)
    for closed in (second, third):
        assert await promised(container, closed) == (0, 0, 1, Fate.DROPPED)


async def promised(container: Container, rejudge: RejudgeId) -> tuple[int, int, int, Fate]:
    seen = await preview(container, rejudge)
    [effect] = seen.effects.items
    return seen.progress.changed, seen.progress.applied, seen.progress.dropped, effect.fate


def in_pages_of(container: Container, page: int) -> None:
    container.rejudges.override(
        providers.Singleton(
            PostgresRejudges, container.database, container.messages, container.publish, page=page
        )
    )


async def opening(container: Container, selected: int) -> RejudgeId:
    """Store a rejudge of which nothing is opened yet."""
    batch = RejudgeBatch(id=RejudgeId(uuid4()), opened_by=ALICE, opened_at=container.clock()())
    await container.rejudges().add(Rejudge(batch=batch, selection=ALL, selected=selected), "", None)
    return batch.id


async def decide(container: Container, rejudge: RejudgeId, status: str) -> None:
    statement = "UPDATE record.rejudges SET status = %s, decided_by = started_by WHERE id = %s"
    async with container.database().connection() as connection:
        await connection.execute(statement, (status, rejudge))


async def submitted(container: Container, game_id: GameId | None = None) -> SubmissionId:
    request = SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key="",
        question_id=QUESTION,
        game_id=game_id,
        language="cpp17",
        source="int main() {}",
    )
    outcome = await container.submission_use_cases().submit(request)
    assert isinstance(outcome, Accepted)
    return outcome.submission_id


async def judged(container: Container, game_id: GameId | None = None) -> SubmissionId:
    job = await submitted(container, game_id)
    await judge(container, job, Verdict.ACCEPTED)
    return job


async def judge(container: Container, job: SubmissionId, verdict: Verdict) -> None:
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    [outcome] = await workers.finalize(WORKER, [FinishedAttempt(job, 1, a_result(verdict))])
    assert isinstance(outcome, Changed)


async def started(container: Container, selection: Selection) -> RejudgeId:
    rejudge = RejudgeId(uuid4())
    outcome = await container.rejudge_use_cases().start(ROOT, rejudge, selection, "new data")
    assert isinstance(outcome, RejudgeStarted)
    return rejudge


async def preview(container: Container, rejudge: RejudgeId) -> Preview:
    seen = await container.rejudge_use_cases().preview(ROOT, rejudge, PageRequest())
    assert isinstance(seen, Preview)
    return seen


async def loaded(container: Container, ids: list[SubmissionId]) -> list[Submission]:
    found = await container.submissions().load(ids)
    return [found[key].submission for key in ids]


async def members(container: Container, rejudge: RejudgeId) -> list[Submission]:
    statement = "SELECT id FROM record.submissions WHERE rejudge_id = %s ORDER BY id"
    async with container.database().connection() as connection:
        rows = await (await connection.execute(statement, (rejudge,))).fetchall()
    return await loaded(container, [row[0] for row in rows])


async def heads(container: Container, origins: list[SubmissionId]) -> list[Submission]:
    statement = "SELECT id FROM record.submissions WHERE origin_id = ANY(%s) AND standing = 'head'"
    async with container.database().connection() as connection:
        rows = await (await connection.execute(statement, (origins,))).fetchall()
    found = await loaded(container, [row[0] for row in rows])
    return sorted(found, key=lambda head: origins.index(head.origin_id))


async def told(container: Container, name: str) -> int:
    statement = "SELECT count(*) FROM record.outbox WHERE payload->>'type' = %s"
    async with container.database().connection() as connection:
        return int((await (await connection.execute(statement, (name,))).fetchall())[0][0])


def reason(outcome: object) -> str:
    assert isinstance(outcome, Refused), outcome
    return str(outcome.reason)
