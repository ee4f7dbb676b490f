"""The composition root of the service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from dependency_injector import containers, providers
from redis.asyncio import Redis

from deepoj_domain.judgement.manifest import JudgeHost
from deepoj_domain.submission.route import Lane
from deepoj_judgement.commands.judge.describe import Describe
from deepoj_judgement.commands.judge.judge import Judge
from deepoj_judgement.commands.judge.run import Run
from deepoj_judgement.commands.judge.try_sample import TrySample
from deepoj_judgement.commands.setter.tally import Tally
from deepoj_judgement.commands.setter.verify_revision import VerifyRevision
from deepoj_judgement.commands.worker.core import Dormitory
from deepoj_judgement.commands.worker.gate import Gate, Hold
from deepoj_judgement.commands.worker.leases import Leases
from deepoj_judgement.commands.worker.log_uploads import LogUploads
from deepoj_judgement.commands.worker.measure_speed import MeasureSpeed
from deepoj_judgement.commands.worker.orders import FollowOrders
from deepoj_judgement.commands.worker.process_job import ProcessJob
from deepoj_judgement.commands.worker.reproduce import Reproduce
from deepoj_judgement.commands.worker.slots import Slots
from deepoj_judgement.container.canaries import CanaryJudges, watch_canaries
from deepoj_judgement.container.sandbox import agent_process, agent_sandbox, sandbox_options
from deepoj_judgement.container.verifiers import Verifiers
from deepoj_judgement.inbound.grpc.refusals import translate
from deepoj_judgement.inbound.grpc.servicer import JudgementServicer, UseCases
from deepoj_judgement.inbound.stream.jobs import (
    JobHandler,
    JobMessage,
    cancellations,
    job_consumer,
    job_streams,
)
from deepoj_judgement.outbound.cache.disk import DiskCache
from deepoj_judgement.outbound.cache.programs import DiskPrograms
from deepoj_judgement.outbound.grpc import questions, records
from deepoj_judgement.outbound.grpc.packages import GrpcPackages
from deepoj_judgement.outbound.machine import judge_host
from deepoj_judgement.outbound.noop_stores import NoJudgeCache, NoLogs
from deepoj_judgement.outbound.objects.logs import ObjectLogs
from deepoj_judgement.outbound.objects.test_data import ObjectData
from deepoj_judgement.outbound.postgres.judgements import PostgresJudgeCache
from deepoj_judgement.outbound.redis.job_parts import JobParts
from deepoj_judgement.outbound.redis.limiter import JobRate, LimitedSlots
from deepoj_judgement.outbound.redis.presence import Presence
from deepoj_judgement.outbound.redis.progress import RedisProgress
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.sandbox.agent_process import AgentProcess
from deepoj_judgement.outbound.sandbox.fallback import FallingBackSandbox
from deepoj_judgement.outbound.sandbox.noop_judge import NoOpJudge
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox
from deepoj_judgement.outbound.sandbox.reference_time import InReferenceTime, Pace
from deepoj_judgement.outbound.telemetry.observer import TelemetryObserver
from deepoj_judgement.outbound.telemetry.orders import OrdersTelemetry
from deepoj_judgement.outbound.toolchains.abilities import HostAbilities
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_judgement.queries.list_languages import ListLanguages
from deepoj_judgement.queries.list_workers import ListWorkers
from deepoj_judgement.settings import JudgementSettings
from deepoj_kit.clock import system_clock
from deepoj_kit.failpoint import fail_point
from deepoj_kit.grpc import BATCH_MESSAGE, Server
from deepoj_kit.grpc import connect as connect_grpc
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Process
from deepoj_kit.objects import ObjectStore
from deepoj_kit.postgres import Database, DatabaseOptions
from deepoj_kit.purge import Purge
from deepoj_kit.streams import Consumer, ConsumerOptions, Permits
from deepoj_kit.streams import connect as connect_redis
from deepoj_kit.tls.postgres import with_tls
from deepoj_languages.table import language_table

# One judgement may compile for a minute and run many cases.
_LONGEST_CALL: Final = timedelta(minutes=10)


def make_sandbox(
    settings: JudgementSettings, observer: TelemetryObserver, slots: Slots
) -> FallingBackSandbox | AgentSandbox | OneShotSandbox:
    work, agent = settings.run_directory, agent_sandbox(settings, slots.core_of)
    one_shot = OneShotSandbox(work, sandbox_options(settings), observer.protocol_error)
    match settings.runner:
        case "agent":
            return agent
        case "one_shot":
            return one_shot
        case "auto" | "noop":
            return FallingBackSandbox(agent, one_shot, observer.fell_back)


@dataclass(frozen=True, slots=True)
class JobConsumers:
    """Makes the consumer of a lane."""

    settings: JudgementSettings
    redis: Redis
    handler: JobHandler
    permits: Permits
    leases: Leases
    parts: JobParts

    def __call__(self, lane: Lane) -> Consumer[JobMessage]:
        settings = self.settings
        # A job of a heavy language keeps its part of the share while its program sleeps.
        calls = {Lane.LIGHT: settings.capacity + settings.asleep, Lane.HEAVY: settings.heavy_capacity}
        return job_consumer(
            self.redis,
            self.handler,
            streams=job_streams(settings.env, lane),
            group=settings.job_group,
            worker=settings.worker,
            options=ConsumerOptions(
                calls=calls[lane],
                permits=self.permits,
                parts_of=self.parts.of,
                batch=1,
                min_idle=self.leases.reclaim_idle,
                reclaim_interval=settings.reclaim_interval.total_seconds(),
                drain_timeout=settings.shutdown_grace.total_seconds() * 0.8,
            ),
        )


def _cache_choice(settings: JudgementSettings) -> str:
    return "on" if settings.judge_cache else "off"


def _host_of(settings: JudgementSettings, agent: AgentProcess, pace: Pace) -> Callable[[], JudgeHost]:
    """The sandbox tells its layers when it has started, and its pace when it is measured."""
    host = judge_host(settings.worker, settings.capacity)
    return lambda: replace(host, layers=agent.layers, speed_percent=pace.percent)


def _trusts(gate: Gate) -> Callable[[], bool]:
    return lambda: gate.is_trusted


def _refusal(gate: Gate) -> Callable[[], str]:
    def why() -> str:
        if gate.is_held_by(Hold.OPERATOR):
            return "an operator has taken this worker out of service"
        return "" if gate.is_trusted else "this worker judges known solutions wrong"

    return why


def _is_drained(orders: FollowOrders) -> Callable[[], bool]:
    return lambda: bool(orders.drained)


def _judge_choice(settings: JudgementSettings) -> str:
    return "noop" if settings.runner == "noop" else "real"


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=JudgementSettings)
    process = providers.Dependency(instance_of=Process)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)
    observer = providers.Singleton(TelemetryObserver)
    slots = providers.Singleton(
        Slots,
        settings.provided.capacity,
        settings.provided.waiting_calls,
        dormitory=providers.Singleton(Dormitory, settings.provided.asleep, settings.provided.asleep_bytes),
    )

    # Stores and services.
    database = providers.Singleton(
        Database,
        providers.Callable(
            with_tls, settings.provided.postgres_url.reveal.call(), settings.provided.tls_files
        ),
        DatabaseOptions(application_name="deepoj_judgement"),
    )
    redis = providers.Singleton(
        connect_redis, settings.provided.redis_url.reveal.call(), settings.provided.tls_files
    )
    objects = providers.Singleton(ObjectStore.from_settings, settings)
    record = providers.Singleton(
        connect_grpc,
        settings.provided.record_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        idempotent=providers.Object(records.IDEMPOTENT),
        max_message=BATCH_MESSAGE,
    )
    question = providers.Singleton(
        connect_grpc,
        settings.provided.question_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        idempotent=providers.Object(questions.IDEMPOTENT),
        max_message=BATCH_MESSAGE,
    )

    # Judging.
    toolchains = providers.Singleton(
        InstalledToolchains,
        providers.Callable(language_table),
        settings.provided.toolchains,
        settings.provided.languages,
    )
    abilities = providers.Singleton(
        HostAbilities, toolchains, settings.provided.program_memory_mib, settings.provided.runs_nothing
    )
    agent = providers.Singleton(agent_process, settings, settings.provided.asleep)
    own_sandbox = providers.Singleton(make_sandbox, settings, observer, slots)
    pace = providers.Singleton(Pace)
    sandbox = providers.Singleton(InReferenceTime, own_sandbox, pace)
    measure_speed = providers.Singleton(MeasureSpeed, toolchains, own_sandbox)
    logs = providers.Singleton(ObjectLogs, objects)
    uploads = providers.Singleton(LogUploads, logs)
    data = providers.Singleton(
        DiskCache,
        settings.provided.data_directory,
        providers.Singleton(ObjectData, objects),
        settings.provided.data_cache,
    )
    programs = providers.Singleton(DiskPrograms, settings.provided.program_directory)
    kept_judgements = providers.Singleton(PostgresJudgeCache, database, clock)
    purge = providers.Singleton(
        Purge, kept_judgements.provided.purge, keep=settings.provided.judge_cache_keep
    )
    judge_cache = providers.Selector(
        providers.Callable(_cache_choice, settings),
        on=kept_judgements,
        off=providers.Singleton(NoJudgeCache),
    )
    specs = providers.Singleton(questions.GrpcSpecs, question)
    describe = providers.Singleton(Describe, providers.Callable(_host_of, settings, agent, pace))
    real_judge = providers.Singleton(
        Judge,
        specs=specs,
        data=data,
        programs=programs,
        cache=judge_cache,
        toolchains=toolchains,
        sandbox=sandbox,
        logs=logs,
        observer=observer,
        clock=clock,
        new_id=new_id,
        abilities=abilities,
        slack=settings.provided.judging_slack,
        describe=describe,
    )
    # For calls: nothing is looked up, kept or counted.
    judge_apart = providers.Singleton(
        Judge,
        specs=specs,
        data=data,
        programs=programs,
        cache=providers.Singleton(NoJudgeCache),
        toolchains=toolchains,
        sandbox=sandbox,
        logs=providers.Singleton(NoLogs),
        observer=providers.Singleton(Tally),
        clock=clock,
        new_id=new_id,
        slack=settings.provided.judging_slack,
        describe=describe,
    )
    judge = providers.Selector(
        providers.Callable(_judge_choice, settings),
        noop=providers.Singleton(NoOpJudge),
        real=real_judge,
    )

    # Working.
    worker_records = providers.Singleton(records.GrpcRecords, record, settings.provided.worker, abilities)
    leases = providers.Singleton(Leases, worker_records, observer, clock)
    handing_back = providers.Singleton(asyncio.Event)
    job_slots = providers.Singleton(
        LimitedSlots,
        slots,
        providers.Singleton(JobRate, redis, settings.provided.env, settings.provided.job_rate),
    )
    process_job = providers.Singleton(
        ProcessJob,
        records=worker_records,
        judge=judge,
        leases=leases,
        uploads=uploads,
        observer=observer,
        progress=providers.Singleton(RedisProgress, redis, settings.provided.env, clock),
        handing_back=handing_back,
        reached=providers.Object(fail_point),
    )
    job_parts = providers.Singleton(JobParts, redis, settings.provided.env, abilities)
    gate = providers.Singleton(Gate, job_slots, handing_back, process.provided.stopping)
    orders = providers.Singleton(
        FollowOrders,
        worker_records.provided.orders,
        providers.Singleton(
            Reproduce,
            judge=judge_apart,
            slots=slots,
            answer=worker_records.provided.answer,
            refusal=providers.Callable(_refusal, gate),
            new_id=new_id,
        ),
        gate,
        providers.Singleton(OrdersTelemetry),
        settings.provided.orders_interval,
    )
    consumers = providers.Singleton(
        JobConsumers,
        settings,
        redis,
        providers.Singleton(JobHandler, process_job, job_slots.provided.job),
        gate,
        leases,
        job_parts,
    )
    cancellations = providers.Singleton(cancellations, redis, settings.provided.env, leases.provided.doubt)
    presence = providers.Singleton(Presence, redis, settings.provided.env, clock)
    canaries = providers.Singleton(
        watch_canaries,
        settings,
        providers.Singleton(
            CanaryJudges,
            settings=settings,
            toolchains=toolchains,
            # In its own time: in that of the reference, a host that became slow would look as it did.
            sandbox=own_sandbox,
            programs=programs,
            clock=clock,
            new_id=new_id,
        ),
        slots,
        gate,
        presence,
    )

    # Calls.
    servicer = providers.Singleton(
        JudgementServicer,
        providers.Singleton(
            UseCases,
            verify=providers.Singleton(
                VerifyRevision,
                providers.Singleton(GrpcPackages, question, settings.provided.run_directory),
                providers.Singleton(
                    Verifiers,
                    toolchains,
                    sandbox,
                    programs,
                    slots,
                    settings.provided.run_directory,
                    _LONGEST_CALL,
                ),
            ),
            replay=judge_apart,
            run=providers.Singleton(Run, toolchains=toolchains, sandbox=sandbox, observer=observer),
            try_sample=providers.Singleton(
                TrySample,
                specs=specs,
                data=data,
                programs=programs,
                toolchains=toolchains,
                sandbox=sandbox,
                observer=observer,
            ),
            list_workers=providers.Singleton(ListWorkers, presence),
            list_languages=providers.Singleton(ListLanguages, providers.Callable(language_table), presence),
            slots=slots,
            is_trusted=providers.Callable(_trusts, gate),
            is_drained=providers.Callable(_is_drained, orders),
            new_id=new_id,
        ),
    )
    server = providers.Singleton(
        Server,
        settings.provided.listen,
        settings.provided.service_token,
        process.provided.readiness,
        tls=settings.provided.tls_files,
        translate=providers.Object(translate),
        max_duration=_LONGEST_CALL,
        grace=settings.provided.finishing,
    )
