"""When a worker believes its canaries, when it holds back, and when it takes jobs again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from deepoj_domain.judgement.result import CaseResult, JudgeResult, Usage
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.verdict import Verdict
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.worker.canary.hear import HearCanary
from deepoj_judgement.commands.worker.canary.ports import (
    Baseline,
    CanaryFailedError,
    CanarySkippedError,
    Colleague,
)
from deepoj_judgement.commands.worker.canary.problem import CanaryProblem, Reading, read
from deepoj_judgement.commands.worker.canary.watch import WatchCanaries
from deepoj_judgement.commands.worker.gate import Gate, Hold
from deepoj_judgement.outbound.cache.canaries import DiskBaselines
from deepoj_kit.testing.conditions import eventually
from deepoj_languages.canaries import canary_of
from deepoj_languages.table import language_table

PYTHON, C = (
    Toolchain(row, "1", f"{row.slug} 1") for row in language_table() if row.slug in {"python3", "c11"}
)
PYTHON, C = sorted((PYTHON, C), key=lambda each: each.language.slug, reverse=True)
RIGHT, SLOW, WRONG = Reading("", 100), Reading("", 200), Reading("case 'right 1' is WA and not AC", 100)
BROKEN = CanaryFailedError("no sandbox")
BOTH = frozenset({"python3", "c11"})
Song = Reading | Exception


@dataclass
class Bird:
    """Sings what it was taught, and then the last of it again and again."""

    songs: dict[str, list[Song]] = field(default_factory=dict)
    alone: list[bool] = field(default_factory=list)

    def learns(self, *songs: Song, language: str = "python3") -> None:
        self.songs[language] = list(songs)

    async def __call__(self, toolchain: Toolchain, *, alone: bool) -> Reading:
        self.alone.append(alone)
        songs = self.songs.setdefault(toolchain.language.slug, [RIGHT])
        song = songs.pop(0) if len(songs) > 1 else songs[0]
        if isinstance(song, Exception):
            raise song
        return song


@dataclass
class Ears:
    heard_: list[tuple[str, str]] = field(default_factory=list)
    paces: list[float] = field(default_factory=list)
    closed: bool = False
    rounds: int = 0

    def heard(self, language: str, outcome: str) -> None:
        self.heard_.append((language, outcome))

    def pace(self, language: str, ratio: float) -> None:
        del language
        self.paces.append(ratio)

    def held_back(self, *, yes: bool) -> None:
        self.closed = yes

    def round_done(self) -> None:
        self.rounds += 1


class Permits:
    left = 1

    def __init__(self) -> None:
        self.taken = 0

    async def acquire(self) -> None:
        self.taken += 1

    async def try_acquire(self) -> bool:
        self.taken += 1
        return True

    def release(self) -> None:
        self.taken -= 1


@dataclass
class Worker:
    baselines: DiskBaselines
    toolchains: Sequence[Toolchain] = (PYTHON,)
    bird: Bird = field(default_factory=Bird)
    ears: Ears = field(default_factory=Ears)
    others: list[Colleague] = field(default_factory=list)
    times_right: int = 2
    machine: str = "x86_64"

    def __post_init__(self) -> None:
        self.handing_back, self.stopping = asyncio.Event(), asyncio.Event()
        self.permits = Permits()
        self.gate = Gate(self.permits, self.handing_back, self.stopping)
        hear = HearCanary(self.bird, self.baselines, self.ears, self.machine, 1.5)
        interval = timedelta(seconds=30)
        self.watch = WatchCanaries(
            hear, lambda: self.toolchains, self.gate, self._others, self.ears, interval, self.times_right
        )

    def takes_jobs(self) -> bool:
        return self.gate.is_open

    async def _others(self) -> Sequence[Colleague]:
        return self.others

    async def look(self, *songs: Song, language: str = "python3") -> None:
        if songs:
            self.bird.learns(*songs, language=language)
        self.bird.alone.clear()
        await self.watch.look()


@pytest.fixture
def worker(tmp_path: Path) -> Worker:
    return Worker(DiskBaselines(tmp_path / "canaries.json"))


async def test_the_first_song_becomes_the_baseline_measured_with_nothing_beside_it(worker: Worker) -> None:
    await worker.look(SLOW, RIGHT)
    assert worker.bird.alone == [False, True]
    assert worker.baselines.find("python3") == Baseline("python3 1 on x86_64", 100)
    assert worker.watch.trouble == ""
    assert worker.takes_jobs()
    assert (worker.ears.heard_, worker.ears.rounds) == ([("python3", "right")], 1)


async def test_a_wrong_verdict_is_believed_when_it_comes_alone_too_and_twice(worker: Worker) -> None:
    await worker.look(RIGHT)
    await worker.look(WRONG, RIGHT)
    assert worker.takes_jobs(), "one wrong verdict may be an accident"
    await worker.look(WRONG, WRONG, RIGHT)
    assert worker.takes_jobs()
    await worker.look(WRONG)
    assert worker.bird.alone == [False, True, True]
    assert not worker.takes_jobs()
    assert worker.ears.closed
    assert worker.watch.trouble == "python3: case 'right 1' is WA and not AC"
    assert worker.handing_back.is_set(), "what runs would get a wrong verdict too"
    assert not worker.gate.is_trusted


async def test_what_cannot_be_judged_at_all_is_as_bad_as_a_wrong_verdict(worker: Worker) -> None:
    await worker.look(BROKEN, RIGHT)
    assert worker.takes_jobs()
    await worker.look(BROKEN)
    assert not worker.takes_jobs()
    assert worker.watch.trouble == "python3: it could not be judged: no sandbox"


async def test_it_takes_jobs_again_when_it_was_right_often_enough(worker: Worker) -> None:
    await worker.look(WRONG)
    await worker.look(RIGHT)
    assert not worker.takes_jobs()
    await worker.look(WRONG)
    await worker.look(RIGHT)
    assert not worker.takes_jobs(), "in a row"
    await worker.look()
    assert worker.takes_jobs()
    assert worker.watch.trouble == ""
    assert not worker.handing_back.is_set()
    assert not worker.ears.closed


async def test_who_is_slow_alone_too_holds_back_while_others_can_do_its_work(worker: Worker) -> None:
    worker.others = [Colleague("other", BOTH, has_trouble=False)]
    await worker.look(RIGHT)
    await worker.look(SLOW, SLOW, RIGHT)
    assert worker.takes_jobs()
    await worker.look(SLOW)
    assert worker.bird.alone == [False, True, True, True]
    assert not worker.takes_jobs()
    assert not worker.handing_back.is_set(), "its verdicts are right"
    assert worker.gate.is_trusted
    assert worker.watch.trouble == "python3 takes 200 ms of CPU time, 2.0 times its 100 ms"
    assert worker.ears.paces[-1] == 2.0


@pytest.mark.parametrize(
    "others",
    [
        [],
        [Colleague("drifts too", BOTH, has_trouble=True)],
        [Colleague("lacks C", frozenset({"python3"}), has_trouble=False)],
    ],
    ids=["nobody", "trouble", "language"],
)
async def test_who_is_slow_and_cannot_be_replaced_goes_on_and_tells(
    tmp_path: Path, others: list[Colleague]
) -> None:
    """A late verdict is better than none; all workers of a slow room must not hold back at once."""
    worker = Worker(DiskBaselines(tmp_path / "canaries.json"), (PYTHON, C), others=others)
    await worker.look(RIGHT)
    await worker.look(SLOW)
    assert worker.takes_jobs()
    assert worker.watch.trouble
    worker.others = [
        Colleague("one", frozenset({"python3"}), has_trouble=False),
        Colleague("two", frozenset({"c11", "go"}), has_trouble=False),
    ]
    await worker.look()
    assert not worker.takes_jobs(), "two together can"
    worker.others = []
    await worker.look()
    assert worker.takes_jobs(), "and goes on when they leave"


async def test_a_wrong_verdict_holds_back_whoever_else_is_there(worker: Worker) -> None:
    worker.others = []
    await worker.look(WRONG)
    assert not worker.takes_jobs()


async def test_another_machine_or_toolchain_has_a_baseline_of_its_own(tmp_path: Path) -> None:
    baselines = DiskBaselines(tmp_path / "canaries.json")
    await Worker(baselines).look(RIGHT)
    moved = Worker(baselines, machine="aarch64")
    await moved.look(SLOW)
    assert moved.takes_jobs()
    assert baselines.find("python3") == Baseline("python3 1 on aarch64", 200)


@pytest.mark.parametrize("left", [b"", b"nonsense", b'{"python3": 1}'])
async def test_baselines_that_cannot_be_read_are_measured_anew(tmp_path: Path, left: bytes) -> None:
    file = tmp_path / "canaries.json"
    file.write_bytes(left)
    await Worker(DiskBaselines(file)).look(RIGHT)
    assert DiskBaselines(file).find("python3") == Baseline("python3 1 on x86_64", 100)


async def test_a_home_that_cannot_be_written_costs_no_verdict(tmp_path: Path) -> None:
    worker = Worker(DiskBaselines(tmp_path / "gone" / "canaries.json"))
    await worker.look(RIGHT)
    assert worker.takes_jobs()


async def test_a_canary_for_which_there_is_no_room_says_nothing(worker: Worker) -> None:
    await worker.look(WRONG)
    await worker.look(CanarySkippedError())
    assert not worker.takes_jobs()
    assert worker.ears.heard_[-1] == ("python3", "skipped")


async def test_of_a_trouble_only_that_language_is_heard_again_in_between(tmp_path: Path) -> None:
    worker = Worker(DiskBaselines(tmp_path / "canaries.json"), (PYTHON, C))
    await worker.look(WRONG)
    worker.ears.heard_.clear()
    await worker.watch.look(only_troubles=True)
    assert worker.ears.heard_ == [("python3", "wrong")]
    assert worker.ears.rounds == 1


async def test_nobody_gets_a_permit_while_the_gate_is_closed(worker: Worker) -> None:
    gate = worker.gate
    gate.close(Hold.CANARIES, hand_back=False)
    assert not await gate.try_acquire()
    assert gate.left == 0
    waiting = asyncio.create_task(gate.acquire())
    await asyncio.sleep(0)
    assert not waiting.done()
    gate.open(Hold.CANARIES)
    await waiting
    assert worker.permits.taken == 1


async def test_a_permit_that_comes_when_the_gate_has_closed_is_given_back(worker: Worker) -> None:
    gate, permits, come = worker.gate, worker.permits, asyncio.Event()

    async def acquire() -> None:
        await come.wait()
        permits.taken += 1

    permits.acquire = acquire  # type: ignore[method-assign]  # a slot that takes its time
    waiting = asyncio.create_task(gate.acquire())
    await asyncio.sleep(0)
    gate.close(Hold.CANARIES, hand_back=False)
    come.set()
    await eventually(lambda: permits.taken == 0)
    assert not waiting.done()
    gate.open(Hold.CANARIES)
    await waiting
    assert permits.taken == 1


async def test_at_the_end_of_the_process_nothing_stops_the_handing_back(worker: Worker) -> None:
    worker.gate.close(Hold.CANARIES, hand_back=True)
    worker.stopping.set()
    worker.gate.open(Hold.CANARIES)
    assert worker.handing_back.is_set()


def test_what_a_canary_comes_to_is_compared_case_by_case() -> None:
    canary = canary_of(language_slug("python3"))
    assert canary is not None
    names = {case.name for case in CanaryProblem(canary)._spec.suite.cases}  # noqa: SLF001 — whole problem
    right = tuple(CaseResult.accepted(f"right {number}", Usage(number * 10)) for number in (3, 1, 2))
    ends = {"wrong": Verdict.WRONG_ANSWER, "bad end": Verdict.RUNTIME_ERROR, "endless": Verdict.TIME_LIMIT}
    others = tuple(CaseResult.failed(name, verdict) for name, verdict in ends.items())
    assert {case.case for case in (*right, *others)} == names
    assert read(JudgeResult(Verdict.WRONG_ANSWER, cases=(*right, *others))) == Reading("", 10)
    deaf = CaseResult.accepted("wrong")
    found = read(JudgeResult(Verdict.RUNTIME_ERROR, cases=(*right, deaf, *others[1:])))
    assert found.wrong == "case 'wrong' is AC and not WA"
    assert "CE: no such header" in read(JudgeResult.compile_error("no such header")).wrong
