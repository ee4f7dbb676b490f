"""What was kept of an attempt, read from the object store by those who may."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import uuid4

import pytest

from apps.record.tests.contract.test_queries import OTHER, OWNER, judged, seen
from apps.record.tests.fakes import MemoryGames, MemoryQuestions, MemorySamples
from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.ids import GameId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.logs import DATA, WHOLE, Log
from deepoj_domain.submission.visibility import GameRules
from deepoj_domain.testing import BOB, GAME, QUESTION, ROOT, a_result
from deepoj_kit.objects import ObjectStore
from deepoj_record.container import Container
from deepoj_record.outbound.objects.logs import MOST_BYTES
from deepoj_record.queries.access import QueryRefusal
from deepoj_record.queries.ports import Sample
from deepoj_record.queries.read_log import LogName, LogText

SAMPLE, HIDDEN = 1, 2
MANIFEST = b'{"host":"ours"}'
INPUT, ANSWER = b"1 2\n", b"3\n"
NOT_ALLOWED, NOT_FOUND = Refused(QueryRefusal.NOT_ALLOWED), Refused(QueryRefusal.NOT_FOUND)
RESULT = replace(
    a_result(), cases=(CaseResult.accepted("one"), CaseResult.accepted("two")), log_prefix="kept"
)
SETTER = Actor(BOB, Role.SETTER)


@pytest.fixture
async def store(container: Container) -> AsyncIterator[ObjectStore]:
    async with container.object_store() as store:
        for content in (INPUT, ANSWER):
            await store.put(f"data/{hash_of(content)}", content)
        yield store


@pytest.fixture(autouse=True)
def sample(samples: MemorySamples) -> None:
    samples.known[RevisionRef(QUESTION, 1)] = {"one": Sample(hash_of(INPUT), hash_of(ANSWER))}


async def kept(container: Container, store: ObjectStore, game: GameId | None = None) -> SubmissionId:
    job = await judged(container, game=game, result=RESULT)
    prefix = f"submissions/{job}/attempts/1/"
    await store.put(prefix + "compile.log", b"warning: \xff")
    await store.put(prefix + "manifest.json", MANIFEST)
    for number in (SAMPLE, HIDDEN):
        for name in (".stdout", ".stderr", ".checker", "_resource.json"):
            await store.put(f"{prefix}case_{number}{name}", f"{number}{name}".encode())
    return job


async def read(
    container: Container,
    actor: Actor | None,
    job: SubmissionId,
    log: Log,
    case: int = SAMPLE,
    attempt: int = 1,
) -> bytes | Refused[QueryRefusal]:
    name = LogName(log, attempt, 0 if log in WHOLE else case)
    found = await container.submission_use_cases().read_log(actor, job, name)
    return found.content if isinstance(found, LogText) else found


async def everything(
    container: Container, actor: Actor | None, job: SubmissionId
) -> dict[tuple[Log, int], bytes]:
    found = {(log, case): await read(container, actor, job, log, case) for log in Log for case in (1, 2)}
    return {key: text for key, text in found.items() if isinstance(text, bytes)}


async def test_the_owner_reads_the_samples_and_nothing_of_hidden_cases(
    container: Container, store: ObjectStore
) -> None:
    job = await kept(container, store)
    found = await everything(container, OWNER, job)
    compiled = found.pop((Log.COMPILE, SAMPLE)), found.pop((Log.COMPILE, HIDDEN))
    assert set(compiled) == {b"warning: \xff"}
    assert found == {
        (Log.STDOUT, SAMPLE): b"1.stdout",
        (Log.STDERR, SAMPLE): b"1.stderr",
        (Log.INPUT, SAMPLE): INPUT,
        (Log.ANSWER, SAMPLE): ANSWER,
    }
    assert (await seen(container, OWNER, job)).samples == {"one"}


async def test_whose_problem_it_is_reads_all_that_was_kept(
    container: Container, store: ObjectStore, questions: MemoryQuestions
) -> None:
    job = await kept(container, store)
    questions.owners[QUESTION] = BOB
    for actor in (SETTER, ROOT):
        found = await everything(container, actor, job)
        assert {key for key in found if key[1] == HIDDEN} == {(log, HIDDEN) for log in set(Log) - DATA}
        assert found[Log.RESOURCE, HIDDEN] == b"2_resource.json"


async def test_others_read_nothing(
    container: Container, store: ObjectStore, questions: MemoryQuestions
) -> None:
    job = await kept(container, store)
    for is_hidden in (False, True):
        questions.hidden_now = frozenset({QUESTION}) if is_hidden else frozenset()
        for actor in (OTHER, SETTER, None):
            assert await everything(container, actor, job) == {}


@pytest.mark.parametrize(
    "rules",
    [
        None,
        GameRules(),
        GameRules(tells_verdicts=False, shows_others=True),
        GameRules(tells_verdicts=True, shows_others=False),
        GameRules(tells_verdicts=True, shows_others=True, still_running=frozenset({OWNER.account_id})),
    ],
    ids=["unknown", "sealed", "blind", "running", "virtual"],
)
async def test_in_a_contest_that_is_not_over_nobody_reads_a_case(
    container: Container, store: ObjectStore, games: MemoryGames, rules: GameRules | None
) -> None:
    job = await kept(container, store, GAME)
    games.known = {} if rules is None else {GAME: rules}
    for actor in (OWNER, OTHER):
        assert {log for log, _ in await everything(container, actor, job)} <= {Log.COMPILE}
    if rules is None or not rules.tells_verdicts:
        assert await read(container, OWNER, job, Log.COMPILE) == NOT_ALLOWED


async def test_who_judges_in_a_contest_reads_no_run_on_data_that_is_not_open_to_them(
    container: Container, store: ObjectStore, games: MemoryGames
) -> None:
    job = await kept(container, store, GAME)
    games.known[GAME] = GameRules(staff=True, shows_others=True, tells_verdicts=True)
    found = await everything(container, OTHER, job)
    assert {key for key in found if key[1] == HIDDEN} == {(log, HIDDEN) for log in WHOLE}
    assert (Log.CHECKER, SAMPLE) not in found


async def test_after_a_contest_the_owner_reads_samples_of_a_problem_that_stays_hidden_without_its_data(
    container: Container, store: ObjectStore, games: MemoryGames, questions: MemoryQuestions
) -> None:
    job = await kept(container, store, GAME)
    games.known[GAME] = GameRules(shows_others=True, tells_verdicts=True)
    questions.hidden_now = frozenset({QUESTION})
    assert await read(container, OWNER, job, Log.STDOUT) == b"1.stdout"
    assert await read(container, OWNER, job, Log.INPUT) == NOT_ALLOWED


async def test_what_is_not_there_is_not_found(container: Container, store: ObjectStore) -> None:
    job = await kept(container, store)
    assert await read(container, ROOT, job, Log.STDOUT, attempt=2) == NOT_FOUND
    assert await read(container, ROOT, job, Log.STDOUT, case=3) == NOT_FOUND
    assert await read(container, ROOT, job, Log.STDOUT, case=0) == NOT_FOUND
    assert await read(container, ROOT, SubmissionId(uuid4()), Log.COMPILE) == NOT_FOUND
    await store.delete(f"submissions/{job}/attempts/1/case_1.stdout")
    assert await read(container, ROOT, job, Log.STDOUT) == NOT_FOUND


async def test_of_a_long_log_the_beginning_is_read(container: Container, store: ObjectStore) -> None:
    job = await kept(container, store)
    await store.put(f"submissions/{job}/attempts/1/compile.log", b"x" * (MOST_BYTES + 1))
    found = await container.submission_use_cases().read_log(ROOT, job, LogName(Log.COMPILE, 1, 0))
    assert found == LogText(b"x" * MOST_BYTES, truncated=True)
