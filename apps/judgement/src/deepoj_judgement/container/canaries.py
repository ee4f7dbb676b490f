"""Known solutions on the sandbox of this host, after its jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from redis.exceptions import RedisError

from deepoj_judgement.commands.judge.judge import Judge
from deepoj_judgement.commands.judge.sandbox_port import Sandbox
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.tally import Tally
from deepoj_judgement.commands.worker.canary.hear import HearCanary
from deepoj_judgement.commands.worker.canary.ports import Colleague
from deepoj_judgement.commands.worker.canary.problem import CanaryProblem
from deepoj_judgement.commands.worker.canary.sing import SingCanary
from deepoj_judgement.commands.worker.canary.watch import WatchCanaries
from deepoj_judgement.commands.worker.gate import Gate
from deepoj_judgement.commands.worker.slots import Slots
from deepoj_judgement.outbound.cache.canaries import CanaryData, DiskBaselines
from deepoj_judgement.outbound.cache.programs import DiskPrograms
from deepoj_judgement.outbound.machine import judge_host
from deepoj_judgement.outbound.noop_stores import NoJudgeCache, NoLogs
from deepoj_judgement.outbound.redis.presence import Presence
from deepoj_judgement.outbound.sandbox.alone import AloneSandbox
from deepoj_judgement.outbound.telemetry.canaries import CanaryTelemetry
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_judgement.settings import JudgementSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryJudges:
    """Makes the judge of one canary: the judge of submissions, with nothing around it."""

    settings: JudgementSettings
    toolchains: InstalledToolchains
    sandbox: Sandbox
    programs: DiskPrograms
    clock: Callable[[], datetime]
    new_id: Callable[[], UUID]

    def __call__(self, problem: CanaryProblem, *, alone: bool) -> Judge:
        return Judge(
            specs=problem,
            data=CanaryData(self.settings.run_directory / "canary", problem.contents),
            programs=self.programs,
            cache=NoJudgeCache(),
            toolchains=self.toolchains,
            sandbox=AloneSandbox(self.sandbox) if alone else self.sandbox,
            logs=NoLogs(),
            observer=Tally(),
            clock=self.clock,
            new_id=self.new_id,
        )


@dataclass(frozen=True, slots=True)
class OtherWorkers:
    presence: Presence
    own_name: str

    async def __call__(self) -> Sequence[Colleague]:
        try:
            alive = await self.presence.workers()
        except RedisError:
            return ()
        return [
            Colleague(each.name, frozenset(each.languages), bool(each.trouble))
            for each in alive
            if each.name != self.own_name and not each.drained
        ]


def watch_canaries(
    settings: JudgementSettings,
    judges: CanaryJudges,
    slots: Slots,
    gate: Gate,
    presence: Presence,
) -> WatchCanaries:
    observer = CanaryTelemetry()
    host = judge_host(settings.worker, settings.capacity)
    chosen = frozenset(settings.canary_languages)

    def toolchains() -> Sequence[Toolchain]:
        found = judges.toolchains.installed()
        return [each for each in found if not chosen or each.language.slug in chosen]

    return WatchCanaries(
        HearCanary(
            SingCanary(slots, judges, judges.new_id),
            DiskBaselines(settings.directory / "canaries.json"),
            observer,
            f"{host.architecture} {host.processor} {host.kernel}",
            settings.canary_drift,
        ),
        toolchains,
        gate,
        OtherWorkers(presence, settings.worker),
        observer,
        settings.canary_interval,
        settings.canary_times_right,
    )
