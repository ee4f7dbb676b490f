"""What is shown to whom, in which order, and how it is counted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import cast
from uuid import uuid4

import pytest

from apps.record.tests.fakes import (
    MemoryCatalogue,
    MemoryGames,
    MemoryLanguages,
    MemoryQuestions,
    StoppedClock,
)
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId, WorkerId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.paging import MAX_SIZE, Page, PageRequest, cursor_of, page_request
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Band, Lane, Route
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.states import Cause, Status
from deepoj_domain.submission.visibility import GameRules, SealedGames
from deepoj_domain.testing import ALICE, BOB, GAME, QUESTION, ROOT, a_result
from deepoj_record.commands.finalize import FinishedAttempt
from deepoj_record.commands.ports import LanguageFacts
from deepoj_record.commands.report_failure import FailedAttempt
from deepoj_record.commands.submit import Accepted, SubmitRequest
from deepoj_record.container import Container
from deepoj_record.outbound.postgres.submission_reader import list_statement
from deepoj_record.queries.access import QueryRefusal
from deepoj_record.queries.explain import Explanation
from deepoj_record.queries.marks import QuestionMark, QuestionPeople, Solvers
from deepoj_record.queries.ports import AccountLoad, RevisionCount, Tally
from deepoj_record.queries.views import Detail, SubmissionView

WORKER = WorkerId("judge-1")
OWNER, OTHER = Actor(ALICE, Role.CONTESTANT), Actor(BOB, Role.CONTESTANT)
CPP = language_slug("cpp17")
OTHER_QUESTION = QuestionId(uuid4())


async def test_the_owner_gets_source_and_attempts_but_no_machine_names(container: Container) -> None:
    job = await judged(container)
    mine = await seen(container, OWNER, job)
    assert mine.source == "int main() {}"
    assert [(each.attempt_id, each.worker, each.outcome) for each in mine.attempts] == [(1, "", "finished")]
    staff = await seen(container, ROOT, job)
    assert staff.attempts[0].worker == WORKER
    assert staff.submission.result == a_result()


async def test_what_it_was_judged_with_is_for_the_staff(
    container: Container, questions: MemoryQuestions
) -> None:
    job = await submitted(container)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    await workers.finalize(WORKER, [FinishedAttempt(job, 1, a_result(), "Python 3.11")])
    questions.owners[QUESTION] = BOB
    stranger = Actor(AccountId(uuid4()), Role.CONTESTANT)
    told = [
        [each.toolchain for each in (await seen(container, who, job)).attempts]
        for who in (OWNER, stranger, Actor(BOB, Role.SETTER), ROOT)
    ]
    assert told == [[""], [], ["Python 3.11"], ["Python 3.11"]]


@pytest.mark.parametrize("game", [None, GAME])
async def test_what_the_checker_said_is_for_the_staff(container: Container, game: GameId | None) -> None:
    said = "line 3, column 1: expected '42', got '41'"
    wrong = a_result(Verdict.WRONG_ANSWER)
    job = await judged(
        container, game=game, result=replace(wrong, cases=(replace(wrong.cases[0], message=said),))
    )
    messages = {}
    for actor in (OWNER, ROOT):
        result = (await seen(container, actor, job)).submission.result
        messages[actor] = [case.message for case in result.cases] if result else []
    assert messages[ROOT] == [said]
    assert not any(messages[OWNER])


@pytest.mark.parametrize("game", [None, GAME])
async def test_what_the_checker_said_is_for_those_who_may_see_the_test_data(
    container: Container, games: MemoryGames, questions: MemoryQuestions, game: GameId | None
) -> None:
    wrong = a_result(Verdict.WRONG_ANSWER)
    wrong = replace(wrong, cases=(replace(wrong.cases[0], message="expected '42'"),))
    job = await judged(container, game=game, result=wrong)
    games.known[GAME] = GameRules(staff=True, tells_verdicts=True)

    async def told(actor: Actor) -> list[str]:
        result = (await seen(container, actor, job)).submission.result
        return [] if result is None else [case.message for case in result.cases]

    setter = Actor(BOB, Role.SETTER)
    assert not any(await told(setter)), "a game of one's own opens nobody else's test data"
    assert not any(await told(OWNER))
    questions.owners[QUESTION] = BOB
    assert await told(setter) == ["expected '42'"]


async def test_what_was_sent_to_a_hidden_question_is_shown_to_nobody_else(
    container: Container, questions: MemoryQuestions
) -> None:
    job = await judged(container)
    everybody = [OTHER, Actor(BOB, Role.SETTER)]
    for hidden in (frozenset({QUESTION}), None):
        questions.hidden_now = hidden
        for actor in everybody:
            assert await listed(container, actor, Selection()) == []
            assert await container.submission_use_cases().get(actor, job) == Refused(QueryRefusal.NOT_FOUND)
        assert await listed(container, OWNER, Selection()) == [job]
        counts = container.count_use_cases()
        assert await counts.passed(ALICE, None) == 0
    questions.hidden_now = frozenset({QUESTION})
    questions.owners[QUESTION] = BOB
    assert [await listed(container, actor, Selection()) for actor in everybody] == [[job]] * 2
    assert (await seen(container, Actor(BOB, Role.SETTER), job)).source == "int main() {}"


VERDICTS = frozenset({Verdict.ACCEPTED})
FILTERS = [
    Selection(account_id=ALICE, verdicts=VERDICTS),
    Selection(verdicts=VERDICTS),
    Selection(game_id=GAME, verdicts=VERDICTS),
    Selection(game_id=GAME, account_id=ALICE, verdicts=VERDICTS),
]


@pytest.mark.parametrize("selection", FILTERS)
@pytest.mark.parametrize("known", [True, False], ids=["sealed", "nobody knows"])
async def test_no_cursor_names_a_verdict_that_is_not_shown(
    container: Container, games: MemoryGames, selection: Selection, *, known: bool
) -> None:
    games.known[GAME] = GameRules()
    games.sealed_now = SealedGames(frozenset({GAME})) if known else None
    for _ in range(2):
        await judged(container, game=GAME)
    for actor in (OWNER, OTHER, Actor(BOB, Role.SETTER)):
        found = await container.submission_use_cases().list(actor, selection, PageRequest(1))
        assert found == Page([], None)


async def test_no_cursor_tells_of_somebody_who_is_still_on_a_clock_of_their_own(
    container: Container, games: MemoryGames
) -> None:
    games.known[GAME] = GameRules(shows_others=True, tells_verdicts=True, still_running=frozenset({ALICE}))
    mine = await judged(container, game=GAME, account=BOB)
    for _ in range(2):
        await judged(container, game=GAME)
    found = await container.submission_use_cases().list(OTHER, Selection(game_id=GAME), PageRequest(1))
    assert isinstance(found, Page)
    assert ([each.id for each in found.items], found.next) == ([mine], None)


async def test_others_get_an_outline_outside_games_and_nothing_inside(container: Container) -> None:
    practice, contest = await judged(container), await judged(container, game=GAME)
    outline = await seen(container, OTHER, practice)
    assert (outline.source, outline.attempts) == (None, ())
    assert outline.submission.result is not None
    assert (outline.submission.result.verdict, outline.submission.result.cases) == (Verdict.ACCEPTED, ())
    get = container.submission_use_cases().get
    for actor, job in ((OTHER, contest), (None, practice), (OTHER, SubmissionId(uuid4()))):
        assert await get(actor, job) == Refused("not_found")  # type: ignore[type-var]  # equal to the enum


async def test_a_game_that_keeps_its_verdicts_hides_them_from_their_owners(
    container: Container, games: MemoryGames
) -> None:
    games.personal = {ALICE: GameRules(), BOB: GameRules(staff=True)}
    job = await judged(container, game=GAME)
    mine = await seen(container, OWNER, job)
    assert (mine.submission.status, mine.submission.result) == (Status.FINISHED, None)
    assert mine.source == "int main() {}"
    assert [attempt.reason for attempt in mine.attempts] == [""]
    explained = await container.submission_use_cases().explain(OWNER, job)
    assert isinstance(explained, Explanation)
    assert "AC" not in explained.summary
    accepted = Selection(verdicts=frozenset({Verdict.ACCEPTED}))
    assert await listed(container, OWNER, accepted) == []
    assert await listed(container, OWNER, Selection()) == [job]
    staff = await seen(container, OTHER, job)
    assert staff.submission.result == a_result()
    assert await listed(container, OTHER, Selection(game_id=GAME)) == [job]


async def test_a_game_that_is_over_but_still_frozen_shows_nobody_the_others(
    container: Container, games: MemoryGames
) -> None:
    games.known[GAME] = GameRules(tells_verdicts=True)
    job = await judged(container, game=GAME)
    assert await listed(container, OTHER, Selection(game_id=GAME)) == []
    use_cases = container.submission_use_cases()
    assert await use_cases.get(OTHER, job) == Refused(QueryRefusal.NOT_FOUND)
    assert await use_cases.explain(OTHER, job) == Refused(QueryRefusal.NOT_FOUND)
    assert (await seen(container, OWNER, job)).submission.result is not None


async def test_after_a_game_everybody_sees_outlines_of_it(container: Container, games: MemoryGames) -> None:
    job = await judged(container, game=GAME)
    assert await listed(container, OTHER, Selection(game_id=GAME)) == []
    games.known[GAME] = GameRules(shows_others=True, tells_verdicts=True)
    assert await listed(container, OTHER, Selection(game_id=GAME)) == [job]
    outline = await seen(container, OTHER, job)
    assert outline.source is None
    assert outline.submission.result is not None
    assert (await seen(container, OWNER, job)).submission.result is not None


async def listed(container: Container, actor: Actor, selection: Selection) -> list[SubmissionId]:
    page = await container.submission_use_cases().list(actor, selection, PageRequest())
    assert isinstance(page, Page)
    return [view.id for view in page.items]


async def test_a_list_is_in_order_of_submission_and_cut_into_pages(
    container: Container, clock: StoppedClock
) -> None:
    ids = []
    for _ in range(5):
        ids.append(await submitted(container))
        clock.advance(1)
    everything = await walk(container, OWNER, Selection(account_id=ALICE), size=2)
    assert everything == ids[::-1]
    assert await walk(container, OWNER, Selection(account_id=ALICE), size=2, ascending=True) == ids


async def test_a_list_shows_each_viewer_what_they_may_see(container: Container) -> None:
    practice = await judged(container)
    contest = await judged(container, game=GAME)
    mine = await judged(container, account=BOB, game=GAME)
    assert set(await walk(container, OTHER, Selection())) == {practice, mine}
    assert set(await walk(container, OWNER, Selection())) == {practice, contest}
    assert set(await walk(container, ROOT, Selection())) == {practice, contest, mine}
    assert await walk(container, OTHER, Selection(game_id=GAME)) == [mine]
    guest = await container.submission_use_cases().list(None, Selection(), PageRequest())
    assert isinstance(guest, Refused)
    assert guest.reason == "sign_in_required"


async def test_a_list_is_filtered_by_everything_a_selection_has(
    container: Container, clock: StoppedClock
) -> None:
    start = clock()
    wrong = await judged(container, verdict=Verdict.WRONG_ANSWER)
    clock.advance(10)
    waiting = await submitted(container, language="python3")
    both = [waiting, wrong]
    for selection, found in (
        (Selection(account_id=ALICE, question_id=QUESTION), both),
        (Selection(account_id=BOB), []),
        (Selection(question_id=OTHER_QUESTION), []),
        (Selection(language=(await view(container, waiting)).language), [waiting]),
        (Selection(statuses=frozenset({Status.PENDING, Status.DEAD})), [waiting]),
        (Selection(verdicts=frozenset({Verdict.WRONG_ANSWER})), [wrong]),
        (Selection(submitted_before=start + timedelta(seconds=1)), [wrong]),
        (Selection(submitted_from=start + timedelta(seconds=1)), [waiting]),
        (Selection(submission_id=wrong), [wrong]),
    ):
        assert await walk(container, ROOT, selection) == found, selection


@pytest.mark.parametrize("cursor", ["x", "bm90IGEgY3Vyc29y", "é"])
def test_a_cursor_nobody_gave_out_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        list_statement(
            Selection(), page_request(10, cursor), ascending=False, with_archived=False, restriction=None
        )
    assert refused.value.code == "cursor_malformed"


def test_a_page_has_a_size_limit() -> None:
    with pytest.raises(InvalidValueError, match=str(MAX_SIZE)):
        page_request(MAX_SIZE + 1, "")


async def test_explain_says_where_it_is_and_why(container: Container, clock: StoppedClock) -> None:
    first, job = await submitted(container), await submitted(container)
    if first > job:
        first, job = job, first
    waiting = await explained(container, job)
    assert (waiting.position, waiting.submission.route) == (1, Route(Lane.HEAVY, Band.NORMAL))
    assert waiting.summary == "Waits to be put into the heavy normal queue; 1 wait before it."
    await container.relay().deliver_due()
    assert "for a worker in the heavy normal queue" in (await explained(container, job)).summary
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    running = await explained(container, job, ROOT)
    assert running.submission.lease_owner == WORKER
    assert running.summary == "Attempt 1 is being judged by judge-1."
    assert "judge-1" not in (await explained(container, job)).summary
    await workers.report_failure(WORKER, [FailedAttempt(job, 1, Failure.SANDBOX_CRASH, "oops")])
    retry = await explained(container, job)
    assert retry.next_retry_at == clock() + timedelta(seconds=2)
    assert retry.summary == "Attempt 1 failed on our side; the next begins in 2 s."
    await workers.claim(WORKER, [job])
    clock.advance(61)
    assert "was lost" in (await explained(container, job)).summary
    await container.submission_use_cases().cancel(ROOT, job)
    assert (await explained(container, job)).summary == "Stopped: cancelled_by_staff."


async def test_explain_names_the_cause_and_how_long_it_will_be(
    container: Container, clock: StoppedClock
) -> None:
    jobs = sorted([await submitted(container), await submitted(container)])
    first, last = [await explained(container, job) for job in jobs]
    assert (first.cause, first.estimate) == (Cause.WAITING_BEHIND, None), "nothing was judged of late"
    for _ in range(4):
        await judged(container)
    clock.advance(60)
    first, last = [await explained(container, job) for job in jobs]
    each = timedelta(minutes=10) / 4
    assert (first.position, first.estimate) == (0, each)
    assert (last.position, last.estimate) == (1, 2 * each)
    cast("MemoryLanguages", container.languages()).known[CPP] = LanguageFacts(
        lane=Lane.HEAVY, is_unserved=True
    )
    alone = await explained(container, jobs[1])
    assert (alone.cause, alone.position, alone.estimate) == (Cause.NO_WORKER_FOR_LANGUAGE, 1, None)
    assert alone.summary == "Waits for a worker that has cpp17; none is there now."
    workers = container.worker_use_cases()
    await workers.claim(WORKER, jobs)
    assert [(await explained(container, jobs[0], who)).worker for who in (ROOT, OWNER)] == [WORKER, ""]
    assert (await explained(container, jobs[0])).cause is Cause.RUNNING
    clock.advance(61)
    assert (await explained(container, jobs[0])).cause is Cause.WORKER_LOST
    await container.submission_use_cases().cancel(ROOT, jobs[0])
    stopped = await explained(container, jobs[0])
    assert (stopped.cause, stopped.reason_code) == (Cause.CANCELLED, "cancelled_by_staff")


async def test_explain_tells_no_verdict_that_the_game_keeps_back(
    container: Container, games: MemoryGames
) -> None:
    games.known[GAME] = GameRules()
    told = [
        await explained(container, await judged(container, game=GAME, verdict=verdict))
        for verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)
    ]
    assert {(each.cause, each.reason_code, each.worker, each.summary) for each in told} == {
        (Cause.FINISHED, "", "", "Judged in attempt 1; the game tells the verdict after its end.")
    }


async def test_explain_is_for_the_owner_and_the_staff(container: Container) -> None:
    job = await submitted(container)
    explain = container.submission_use_cases().explain
    refused = await explain(OTHER, job)
    assert isinstance(refused, Refused)
    assert refused.reason == "not_allowed"


async def test_counts_follow_the_heads(
    container: Container, catalogue: MemoryCatalogue, clock: StoppedClock
) -> None:
    catalogue.questions[OTHER_QUESTION] = catalogue.questions[QUESTION]
    wrong = await judged(container, verdict=Verdict.WRONG_ANSWER)
    right = await judged(container)
    clock.advance(86400)
    await judged(container)
    in_game = await judged(container, game=GAME)
    await submitted(container)
    counts = container.count_use_cases()
    assert await counts.passed(ALICE, None) == 1
    assert await counts.passed(BOB, None) == 0
    best = await counts.best(OWNER, ALICE, QUESTION, None)
    assert best is not None
    assert best.id == right != wrong
    game_best = await counts.best(ROOT, ALICE, QUESTION, GAME)
    assert game_best is not None
    assert game_best.id == in_game
    tallies = await counts.by_question([QUESTION, OTHER_QUESTION], None)
    assert tallies == {QUESTION: Tally(5, 3), OTHER_QUESTION: Tally(0, 0)}
    days = await counts.by_day(ALICE, datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 3, tzinfo=UTC))
    assert days == {date(2026, 1, 1): Tally(2, 1), date(2026, 1, 2): Tally(3, 2)}
    assert await counts.load(ALICE) == AccountLoad(in_flight=1, submitted_today=3)


async def test_the_best_is_told_to_those_who_may_see_its_verdict(
    container: Container, games: MemoryGames
) -> None:
    job = await judged(container, game=GAME)
    best = container.count_use_cases().best

    async def told(actor: Actor | None) -> bool:
        found = await best(actor, ALICE, QUESTION, None)
        return found is not None and found.id == job

    games.known[GAME] = GameRules()
    assert [await told(actor) for actor in (None, OTHER, OWNER, ROOT)] == [False, False, False, True]
    games.known[GAME] = GameRules(shows_others=True, tells_verdicts=True)
    assert [await told(actor) for actor in (None, OTHER, OWNER, ROOT)] == [False, True, True, True]


@pytest.mark.parametrize(
    "sealed",
    [SealedGames(frozenset({GAME})), SealedGames(running=frozenset({(GAME, ALICE)})), None],
    ids=["sealed", "running", "nobody knows"],
)
async def test_counts_tell_nothing_of_a_game_whose_results_are_kept_back(
    container: Container, games: MemoryGames, sealed: SealedGames | None
) -> None:
    job = await judged(container, game=GAME)
    counts = container.count_use_cases()
    period = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 3, tzinfo=UTC))

    async def counted(game_id: GameId | None) -> tuple[int, Tally, bool]:
        best = await counts.best(ROOT, ALICE, QUESTION, game_id)
        tallies = await counts.by_question([QUESTION], game_id)
        return await counts.passed(ALICE, game_id), tallies[QUESTION], best is not None and best.id == job

    shown, nothing = (1, Tally(1, 1), True), (0, Tally(0, 0), False)
    assert await counted(None) == shown
    assert await counts.by_day(None, *period) == {date(2026, 1, 1): Tally(1, 1)}
    games.sealed_now = sealed
    assert await counted(None) == nothing
    assert await counts.by_day(ALICE, *period) == await counts.by_day(None, *period) == {}
    assert await counted(GAME) == shown, "the game itself counts all of it"


async def test_judged_submissions_are_counted_by_revision_for_whose_question_it_is(
    container: Container, games: MemoryGames, questions: MemoryQuestions
) -> None:
    await judged(container)
    await judged(container, game=GAME)
    await submitted(container)
    by_revision, setter = container.count_use_cases().by_revision, Actor(BOB, Role.SETTER)
    assert await by_revision(setter, QUESTION) == Refused(QueryRefusal.NOT_ALLOWED)
    questions.owners[QUESTION] = BOB
    assert await by_revision(setter, QUESTION) == [RevisionCount(QUESTION, 1, 2)]
    games.sealed_now = SealedGames(frozenset({GAME}))
    assert await by_revision(setter, QUESTION) == [RevisionCount(QUESTION, 1, 1)]
    assert await by_revision(ROOT, QUESTION) == [RevisionCount(QUESTION, 1, 2)]


async def test_marks_and_people_leave_out_what_is_sealed_or_hidden(
    container: Container, games: MemoryGames, questions: MemoryQuestions
) -> None:
    await judged(container, verdict=Verdict.WRONG_ANSWER)
    marks = container.mark_use_cases()
    assert await marks.marks(ALICE, []) == [QuestionMark(QUESTION, solved=False)]
    assert await marks.people([QUESTION, OTHER_QUESTION]) == [QuestionPeople(QUESTION, 1, 0)]
    await judged(container, game=GAME)
    await submitted(container)
    assert await marks.marks(ALICE, [QUESTION]) == [QuestionMark(QUESTION, solved=True)]
    assert await marks.marks(ALICE, [OTHER_QUESTION]) == await marks.marks(BOB, []) == []
    assert await marks.people([QUESTION]) == [QuestionPeople(QUESTION, 1, 1)]
    assert await marks.solvers() == [Solvers(QUESTION, 1)]
    games.sealed_now = SealedGames(frozenset({GAME}))
    assert await marks.marks(ALICE, []) == [QuestionMark(QUESTION, solved=False)]
    assert await marks.people([QUESTION]) == [QuestionPeople(QUESTION, 1, 0)]
    assert await marks.solvers() == []
    games.sealed_now = SealedGames()
    questions.hidden_now = frozenset({QUESTION})
    assert await marks.marks(ALICE, []) == []
    assert await marks.people([QUESTION]) == []
    assert await marks.solvers() == []
    questions.hidden_now = None
    assert await marks.marks(ALICE, []) == ()
    assert await marks.people([QUESTION]) == ()
    assert await marks.solvers() == ()


async def test_queue_stats_count_what_waits_runs_and_is_stalled(
    container: Container, clock: StoppedClock
) -> None:
    waiting, running = await submitted(container), await submitted(container, language="python3")
    await container.worker_use_cases().claim(WORKER, [running])
    clock.advance(61)
    state = await container.count_use_cases().queue_stats.state()
    assert [(depth.route, depth.waiting, depth.oldest_wait) for depth in state.queues] == [
        (Route(Lane.HEAVY, Band.NORMAL), 1, timedelta(seconds=61))
    ]
    assert (state.running, state.stalled, state.dead) == (1, 1, 0)
    # Two jobs, two submitted events, one started.
    assert state.outbox_pending == 5
    assert waiting != running


async def submitted(
    container: Container, *, game: GameId | None = None, account: AccountId = ALICE, language: str = "cpp17"
) -> SubmissionId:
    request = SubmitRequest(
        actor=replace(OWNER, account_id=account),
        submission_id=SubmissionId(uuid4()),
        idempotency_key="",
        question_id=QUESTION,
        game_id=game,
        language=language,
        source="int main() {}",
    )
    outcome = await container.submission_use_cases().submit(request)
    assert isinstance(outcome, Accepted)
    return outcome.submission_id


async def judged(
    container: Container,
    *,
    verdict: Verdict = Verdict.ACCEPTED,
    game: GameId | None = None,
    account: AccountId = ALICE,
    result: JudgeResult | None = None,
) -> SubmissionId:
    job = await submitted(container, game=game, account=account)
    workers = container.worker_use_cases()
    await workers.claim(WORKER, [job])
    [outcome] = await workers.finalize(WORKER, [FinishedAttempt(job, 1, result or a_result(verdict))])
    assert isinstance(outcome, Changed)
    return job


async def seen(container: Container, actor: Actor, job: SubmissionId) -> Detail:
    detail = await container.submission_use_cases().get(actor, job)
    assert isinstance(detail, Detail)
    return detail


async def view(container: Container, job: SubmissionId) -> SubmissionView:
    return (await seen(container, ROOT, job)).submission


async def explained(container: Container, job: SubmissionId, actor: Actor = OWNER) -> Explanation:
    found = await container.submission_use_cases().explain(actor, job)
    assert isinstance(found, Explanation)
    return found


async def walk(
    container: Container, actor: Actor, selection: Selection, *, size: int = 50, ascending: bool = False
) -> list[SubmissionId]:
    ids: list[SubmissionId] = []
    cursor = ""
    while True:
        page = await container.submission_use_cases().list(
            actor, selection, page_request(size, cursor), ascending=ascending
        )
        assert isinstance(page, Page)
        assert len(page.items) <= size
        ids += [each.id for each in page.items]
        if page.next is None:
            return ids
        cursor = cursor_of(page.next)
